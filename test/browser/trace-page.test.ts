// The HTML page in a real browser, from a file and without a network: with 5 events, with 5,000, and with texts
// that try to be more than texts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTimeline } from '../../src/record/trace/timeline/timeline.js';
import { renderTimelineHtml } from '../../src/inspector/html/render-html.js';
import type { Trace } from '../../src/record/trace/trace-event.js';
import { makeTrace } from '../record/trace/support/make-trace.js';
import { Browser, findBrowser } from './support/browser.js';
import type { Page } from './support/page.js';

const TIMEOUT_MS = 60_000;
const browser = findBrowser();

if (browser === undefined && process.env['INBOARD_REQUIRE_BROWSER'] !== '1') {
  console.warn(
    'NOT TESTED: no browser was found, so the HTML page of traces was not opened. Install chromium, or set INBOARD_BROWSER.',
  );
}

it('has a browser where one is required', () => {
  const isRequired = process.env['INBOARD_REQUIRE_BROWSER'] === '1';
  expect(!isRequired || browser !== undefined, 'INBOARD_REQUIRE_BROWSER=1 and no browser was found').toBe(
    true,
  );
});

describe.skipIf(browser === undefined)('the page of a trace', () => {
  let folder = '';
  let running: Browser;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trace-page-'));
    running = Browser.start(browser as string);
  });
  afterAll(async () => {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function onPage(
    trace: Trace,
    act: (page: Page) => Promise<void>,
    look: { width?: number; height?: number; dark?: boolean } = {},
  ): Promise<void> {
    const file = join(folder, `${Math.random().toString(36).slice(2)}.html`);
    writeFileSync(file, renderTimelineHtml(buildTimeline(trace)));
    const page = await running.open(pathToFileURL(file).href, look);
    try {
      await act(page);
      // Nothing went wrong, and nothing but the page itself was loaded.
      expect(page.troubles).toEqual([]);
      expect(page.requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    } finally {
      await page.close();
    }
  }

  const settled =
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';
  const countRows = (page: Page): Promise<number> => page.read('document.querySelectorAll(".row").length');
  const countText = (page: Page): Promise<string> =>
    page.read('document.getElementById("count").textContent');

  it('shows every event of a short trace, with its arrows and bars', { timeout: TIMEOUT_MS }, () =>
    onPage(makeTrace({ calls: 1 }), async (page) => {
      const events = await page.read<string[]>(
        '[...document.querySelectorAll(".row .event")].map((e) => e.textContent)',
      );
      expect(events).toEqual([
        'initialize',
        'initialize reply',
        'user',
        'system/init',
        'assistant (tool_use)',
        'can_use_tool',
        'can_use_tool reply',
        'tools/call',
        'tools/call answer',
        'user (tool_result)',
        'assistant',
        'result/success',
        'input-end',
        'end',
      ]);
      expect(await page.read('document.querySelectorAll("#art path").length')).toBe(13);
      // Model twice, the tool, the code, the permission.
      expect(await page.read('document.querySelectorAll("#bars g").length')).toBe(5);
      expect(await countText(page)).toBe('14 events');
      // Everything fits: no sideways scrolling.
      expect(await page.read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }),
  );

  it('draws only what is in view of a long one, and gets to its end', { timeout: TIMEOUT_MS }, () =>
    onPage(makeTrace({ calls: 1000 }), async (page) => {
      expect(Number.parseInt(await countText(page), 10)).toBeGreaterThan(5000);
      expect(await countRows(page)).toBeLessThan(100);
      expect(await page.read('document.querySelectorAll("svg *").length')).toBeLessThan(3000);
      await page.press('End');
      await page.until('document.querySelector(".row.chosen .event")?.textContent === "end"');
      expect(await countRows(page)).toBeLessThan(100);
      expect(await page.read('document.getElementById("json").textContent')).toContain('exit code 0');
    }),
  );

  it('is moved through, searched and filtered by keyboard', { timeout: TIMEOUT_MS }, () =>
    onPage(makeTrace({ calls: 40, failing: 7 }), async (page) => {
      for (let count = 0; count < 8; count += 1) await page.press('ArrowDown');
      expect(await page.read('document.getElementById("what").textContent')).toBe('tools/call');
      expect(JSON.parse(await page.read('document.getElementById("json").textContent'))).toMatchObject({
        request: { subtype: 'mcp_message' },
      });
      // The rows of the same call stand out.
      expect(await page.read('document.querySelectorAll(".row.kin").length')).toBeGreaterThan(3);
      await page.press('e');
      expect(await page.read('document.querySelector(".row.chosen").classList.contains("error")')).toBe(true);
      await page.press('Escape');
      expect(await page.read('document.getElementById("detail").hidden')).toBe(true);
      await page.press('/');
      await page.type('apples-23 ');
      expect(await countText(page)).toMatch(/^\d of \d+ events$/);
      await page.press('Escape');
      expect(await countText(page)).toMatch(/^\d+ events$/);
      await page.read(
        '[...document.querySelectorAll("#layers button")].find((b) => b.textContent === "errors only").click()',
      );
      expect(await countRows(page)).toBe(2);
    }),
  );

  it('is zoomed by dragging, and a bar leads to its row', { timeout: TIMEOUT_MS }, () =>
    onPage(makeTrace({ calls: 100 }), async (page) => {
      const { left, top, width } = await page.read<DOMRectValues>(
        '(({ left, top, width }) => ({ left, top, width }))(document.getElementById("overview").getBoundingClientRect())',
      );
      await page.mouse('mousePressed', left + width * 0.5, top + 10);
      await page.mouse('mouseMoved', left + width * 0.55, top + 10);
      await page.mouse('mouseReleased', left + width * 0.55, top + 10);
      expect(await countText(page)).toMatch(/^\d+ of \d+ events$/);
      await page.read(settled);
      const bar = await page.read<DOMRectValues>(
        '(({ left, top, width }) => ({ left, top, width }))(document.querySelector("#bars g rect.hit").getBoundingClientRect())',
      );
      await page.click(bar.left + 60, bar.top + 9);
      await page.until('!document.getElementById("detail").hidden');
      await page.read('document.getElementById("whole").click()');
      expect(await countText(page)).toMatch(/^\d+ events$/);
    }),
  );

  it('takes recorded texts for texts', { timeout: TIMEOUT_MS }, async () => {
    const attack =
      '</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1"><!--<script>\u2028${alert(1)}';
    const trace = makeTrace({ calls: 2, text: attack });
    trace.header.cwd = attack;
    trace.header.claudeCodeVersion = attack;
    trace.problems.push(attack);
    await onPage(trace, async (page) => {
      await page.press('End');
      await page.press('Home');
      for (let count = 0; count < 8; count += 1) await page.press('ArrowDown');
      expect(await page.read('document.getElementById("json").textContent')).toContain('window.harmed');
      expect(await page.read('window.harmed')).toBeUndefined();
      expect(await page.read('document.querySelectorAll("img, iframe, object").length')).toBe(0);
      expect(await page.read('document.scripts.length')).toBe(2);
      expect(await page.read('document.getElementById("facts").textContent')).toContain('</script>');
    });
  });

  it('reads in the dark and on a small screen', { timeout: TIMEOUT_MS }, () =>
    onPage(
      makeTrace({ calls: 3 }),
      async (page) => {
        const luminance =
          'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)';
        expect(Math.max(...(await page.read<number[]>(luminance)))).toBeLessThan(80);
        expect(await page.read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await page.press('ArrowDown');
        expect(
          await page.read(
            'document.getElementById("detail").getBoundingClientRect().width >= innerWidth - 1',
          ),
        ).toBe(true);
        expect((await page.capture()).length).toBeGreaterThan(5000);
      },
      { width: 480, height: 800, dark: true },
    ),
  );
});

interface DOMRectValues {
  left: number;
  top: number;
  width: number;
}
