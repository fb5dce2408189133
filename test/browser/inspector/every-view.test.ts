// A folder of recordings, served: every view in both themes and at three widths, texts that try to be more than texts, and the
// whole way through without a mouse.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import type { RecordedSource } from '../../../packages/inspector/src/sources/recorded-source.js';
import { openTraceFolder } from '../../../packages/inspector/src/sources/trace-folder.js';
import { listViews } from '../../../packages/inspector/src/page/store/store.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { fixturePath } from '../../../packages/inspector/test/support/make-events.js';
import { makeTrace } from '../../../packages/core/test/record/trace/support/make-trace.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { findLayoutTroubles, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const ATTACK =
  '</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1"><style>*{display:none}</style>[x](javascript:window.harmed=1)';
/** Recordings have no audit, which is the last view. */
const VIEWS = listViews(undefined);
const PARTS = ['.head', '.bar', '#view', '.dock'];

describeInBrowser('a folder of recordings', (test) => {
  let folder = '';
  let source: RecordedSource;
  let server: InspectorServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'inspected-'));
    copyFileSync(fixturePath('story'), join(folder, 'story.jsonl'));
    copyFileSync(fixturePath('old'), join(folder, 'old.jsonl'));
    const { header, steps, end } = makeTrace({ calls: 3, failing: 2, text: ATTACK });
    const lines = [{ ...header, cwd: ATTACK }, ...steps, end].map((event) => JSON.stringify(event));
    writeFileSync(join(folder, 'hostile.jsonl'), `${lines.join('\n')}\n`);
    source = await openTraceFolder(folder);
    server = await startInspectorServer(source, { port: 0, assets: readPageAssets(await buildPageOnce()) });
  });
  afterAll(async () => {
    await server.close();
    await source.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [place, view] of VIEWS.entries())
    test(`shows "${view}" at three widths, in both themes, to everyone`, async (pages) => {
      const page = await pages.open(server.createLink());
      await page.until('document.querySelectorAll(".fleet-row").length === 3');
      if (view !== 'fleet') {
        await page.clickOn('[data-session^="story"] .fleet-open');
        await page.until('document.querySelector(".view-story")');
        await page.press(String(place + 1));
        await page.until(`document.querySelector(".view-${view}")`);
      }
      for (const dark of [false, true]) {
        for (const width of WIDTHS) {
          await page.look({ width, dark });
          expect(await findLayoutTroubles(page, PARTS)).toEqual([]);
          await keepPicture(page, `${view}-${width}${dark ? '-dark' : ''}`);
        }
        expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
      }
    });

  test('takes texts of models, tools and files for texts, in every view', async (pages) => {
    const page = await pages.open(server.createLink());
    await page.clickOn('[data-session^="hostile"] .fleet-open');
    await page.until('document.querySelector(".view-story")');
    for (const place of VIEWS.keys()) {
      await page.press(String(place + 1));
      await page.settle();
      expect(await page.read('window.harmed')).toBeUndefined();
      expect(
        await page.read('document.querySelectorAll("#app img, #app iframe, #app script, #app style").length'),
      ).toBe(0);
      expect(await page.read('document.querySelectorAll("a[href^=javascript i]").length')).toBe(0);
    }
    await page.press('1');
    await page.untilText('window.harmed=1');
  });

  test('is gone through without a mouse: fleet, story, views, help, two runs side by side', async (pages) => {
    const page = await pages.open(server.createLink());
    await page.until('document.querySelectorAll(".fleet-row").length === 3');
    await page.press('/');
    await page.type('.jsonl');
    await page.press('ArrowDown');
    await page.press('Escape');
    await page.press('Escape');
    await page.press('ArrowDown');
    await page.press('c');
    await page.press('ArrowDown');
    await page.press('c');
    await page.press('C');
    await page.until('document.querySelector(".compare-steps h2")');
    await page.press('Escape');
    await page.until('document.querySelector(".fleet-row")');
    await page.press('ArrowDown');
    await page.press('Enter');
    await page.until('document.querySelector(".view-story")');
    for (const [place, view] of VIEWS.entries()) {
      await page.press(String(place + 1));
      await page.until(`document.querySelector(".view-${view}")`);
    }
    await page.press('?');
    await page.until('document.querySelector("dialog[open]")');
    await page.press('Escape');
    await page.until('!document.querySelector("dialog[open]")');
  });
});
