// The audit of a cluster in a real browser: what was edited, who did what, older entries, and what comes while one looks.
import { expect } from 'vitest';
import { inspectTarget } from '../../../packages/inspector/src/inspect.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { AuditScene } from '../../../packages/inspector/test/support/audit-scene.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { findLayoutTroubles } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const PARTS = ['.header', '.bar', '.fleet-filter', '.audit-row', '.audit-pages'];

async function onAudit(scene: AuditScene, play: (link: string) => Promise<void>): Promise<void> {
  const assets = readPageAssets(await buildPageOnce());
  await using inspector = await inspectTarget(
    { journal: scene.journal },
    { title: 'support desk', assets, port: 0, print: false },
  );
  await play(inspector.url);
}

const rows = (page: Page): Promise<string[]> =>
  page.read('[...document.querySelectorAll(".audit-row")].map((row) => row.innerText.replace(/\\s+/g, " "))');
const untilRows = (page: Page, count: number): Promise<void> =>
  page.until(`document.querySelectorAll(".audit-row").length === ${count}`);

describeInBrowser('the audit of a cluster', (test) => {
  test('shows who did what, newest first, with both inputs of what was edited', async (pages) => {
    const scene = await AuditScene.create();
    await onAudit(scene, async (link) => {
      const page = await pages.open(link);
      await page.press('7');
      await untilRows(page, 6);
      const [closed, , denied, edited] = await rows(page);
      expect(closed).toMatch(/not said closed acme\/2/);
      expect(denied).toContain('No receipt');
      expect(edited).toMatch(/user-42 edited acme\/1 acme t1 q1 .*refund .*amount from 20 to 5/);
      await page.press('j');
      for (let step = 0; step < 3; step += 1) await page.press('ArrowDown');
      await page.press('Enter');
      await page.until('document.querySelector(".audit-row details[open]")');
      for (const dark of [false, true]) {
        for (const width of [1600, 900, 360]) {
          await page.look({ width, dark });
          expect(await findLayoutTroubles(page, PARTS)).toEqual([]);
          await keepPicture(page, `audit-${width}${dark ? '-dark' : ''}`);
        }
        expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
      }
      // What another process does is seen, and stays away where it is not asked for.
      await scene.sendAs('user-7', 'acme/3');
      await page.untilText('acme/3');
      await untilRows(page, 7);
      await page.clickOn('.audit-link', 'user-42');
      await untilRows(page, 2);
      await page.press('/');
      await page.type('nowhere');
      await page.untilText('No entry matches');
      await page.clickOn('.audit-clear button', 'Show all entries');
      await untilRows(page, 7);
      await page.reload();
      await untilRows(page, 7);
      await page.clickOn('.audit-link', 'acme/1');
      await page.until('document.querySelector(".view-story")');
    });
  });

  test('goes to older entries and back, and says when nothing was done', async (pages) => {
    const scene = new AuditScene();
    await onAudit(scene, async (link) => {
      const page = await pages.open(link);
      await page.press('7');
      await page.untilText('Nothing has been done yet');
      for (let index = 0; index < 130; index += 1) await scene.sendAs('ann', `many/${index}`);
      await untilRows(page, 100);
      expect((await rows(page))[0]).toContain('many/129');
      await page.press('o');
      await untilRows(page, 30);
      expect((await rows(page))[0]).toContain('many/29');
      await page.press('i');
      await untilRows(page, 100);
    });
  });
});
