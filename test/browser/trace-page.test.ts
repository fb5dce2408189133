// The self-contained page in a real browser, from a file and without a network: with few events and with thousands, with texts
// that try to be more than texts, and with what did not fit into it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';
import { buildTimeline } from '../../packages/core/src/record/trace/timeline/timeline.js';
import { renderWith, type RenderHtmlOptions } from '../../packages/inspector/src/html/render-html.js';
import { readPageAssets } from '../../packages/inspector/src/server/page-assets.js';
import { readTrace } from '../../packages/core/src/record/trace/read-trace.js';
import type { Trace } from '../../packages/core/src/record/trace/trace-event.js';
import { buildPageOnce } from '../../packages/inspector/test/support/built-page.js';
import { fixturePath } from '../../packages/inspector/test/support/make-events.js';
import { makeTrace } from '../../packages/core/test/record/trace/support/make-trace.js';
import { auditPage } from './inspector/support/audit.js';
import { describeInBrowser, type Pages } from './inspector/support/browser-tests.js';
import { findLayoutTroubles } from './inspector/support/layout.js';
import type { Look, Page } from './support/page.js';

const folder = mkdtempSync(join(tmpdir(), 'trace-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

async function openTrace(
  pages: Pages,
  trace: Trace,
  { look, hash = '', ...options }: RenderHtmlOptions & { look?: Look; hash?: string } = {},
): Promise<Page> {
  const assets = readPageAssets(await buildPageOnce());
  files += 1;
  const file = join(folder, `${files}.html`);
  writeFileSync(file, renderWith(assets, buildTimeline(trace), { file: 'run.jsonl', ...options }));
  return pages.open(`${pathToFileURL(file).href}${hash}`, look);
}

/** Nothing but the page itself was loaded. */
function expectNoNetwork(page: Page): void {
  expect(page.requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
}

const WIRE = '#view=wire&session=run.jsonl';
const rowsOf = (page: Page): Promise<string[]> =>
  page.read(
    '[...document.querySelectorAll(".wire-line .wire-event")].map((e) => e.textContent.replace(", error", ""))',
  );
const count = (page: Page): Promise<string> =>
  page.read('document.querySelector(".wire-count [role=status]").textContent');
const shown = (page: Page): Promise<string | null> =>
  page.read('document.querySelector(".event-name")?.textContent ?? null');
const line = async (page: Page): Promise<string> => {
  await page.until('document.querySelector(".event-json")');
  if (await page.read<boolean>('!document.querySelector(".event-raw")'))
    await page.clickOn('.event-json-head .button', 'Line');
  return page.read('document.querySelector(".event-raw").textContent');
};

describeInBrowser('the page of a trace', (test) => {
  test('shows every event of a short one on the wire, with its exact line', async (pages) => {
    const trace = makeTrace({ calls: 1 });
    const page = await openTrace(pages, trace, { hash: WIRE });
    expect(await rowsOf(page)).toEqual([
      'opened',
      'header',
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
    expect(await count(page)).toBe('16 events');
    expect(await findLayoutTroubles(page, ['.wire-bar', '.wire-head', '.wire-list'])).toEqual([]);
    await page.clickOn('.wire-line', 'tools/call answer');
    expect(await shown(page)).toBe('tools/call answer');
    const [, recorded] = trace.steps.filter(
      (step) => step.type === 'frame' && step.frame?.['type'] === 'control_response' && step.dir === 'out',
    );
    expect(await line(page)).toBe(JSON.stringify((recorded as { frame?: unknown }).frame));
    // From the answer to its question, and through the call.
    await page.clickOn('.event-link', 'tools/call');
    expect(await shown(page)).toBe('tools/call');
    expect(await page.read('document.querySelectorAll(".wire-kin").length')).toBe(6);
    await page.clickOn('[aria-label="Previous one of this call"]');
    expect(await shown(page)).toBe('can_use_tool reply');
    expect((await auditPage(page)).violations).toEqual([]);
    expectNoNetwork(page);
  });

  test('draws only what is in sight of a long one, and gets to its end', async (pages) => {
    const page = await openTrace(pages, makeTrace({ calls: 1000 }), { hash: WIRE });
    await page.until('document.querySelector(".wire-count [role=status]").textContent === "6,010 events"');
    const nodes = (): Promise<number> => page.read('document.querySelectorAll("*").length');
    expect(await nodes()).toBeLessThan(2000);
    await page.press('j');
    await page.press('End');
    await page.until('document.querySelector("[aria-current] .wire-event")?.textContent === "end"');
    expect(await nodes()).toBeLessThan(2000);
    await page.press('Enter');
    await page.until('document.querySelector(".event-json")?.textContent.includes("exitCode")');
    expectNoNetwork(page);
  });

  test('is moved through, searched and filtered by keyboard', async (pages) => {
    const page = await openTrace(pages, makeTrace({ calls: 40, failing: 7 }), { hash: WIRE });
    for (let times = 0; times < 9; times += 1) await page.press('j');
    await page.press('k');
    expect(await shown(page)).toBeNull();
    await page.press('Enter');
    expect(await shown(page)).toBe('can_use_tool');
    await page.press('j');
    expect(await shown(page)).toBe('can_use_tool reply');
    await page.press('e');
    expect(await shown(page)).toBe('tools/call answer');
    expect(await page.read('document.querySelector(".event-badges").textContent')).toContain('error');
    await page.press('Escape');
    expect(await shown(page)).toBeNull();
    await page.press('/');
    await page.type('apples-23');
    expect(await count(page)).toMatch(/^3 rows of \d+ events$/);
    await page.press('Escape');
    expect(await count(page)).toBe('250 events');
    await page.press('Escape');
    // What stands in no summary is found in whole lines.
    await page.press('/');
    await page.type('"jsonrpc":"2.0","id":23');
    expect(await count(page)).toBe('0 rows of 250 events');
    await page.clickOn('.text-button', 'Show all');
    await page.press('/');
    await page.type('toolUseId');
    await page.clickOn('.text-button', 'Search whole lines');
    await page.untilText('40 lines found');
    expect(await count(page)).toBe('40 rows of 250 events');
    expectNoNetwork(page);
  });

  test('sorts by column, shows how long replies took, and goes from request to reply', async (pages) => {
    const page = await openTrace(pages, makeTrace({ calls: 6 }), { hash: WIRE });
    const events = (): Promise<string[]> =>
      page.read('[...document.querySelectorAll(".wire-line .wire-event")].map((e) => e.textContent)');
    const passed = await events();
    await page.clickOn('.wire-sort', 'request to reply');
    const longest = await page.read<string[]>(
      '[...document.querySelectorAll(".wire-line")].slice(0, 4).map((e) => e.querySelector(".wire-jump")?.textContent)',
    );
    const ms = longest.map((text) => parseFloat(text.slice(2)));
    expect(ms).toEqual(ms.toSorted((one, other) => other - one));
    await page.clickOn('.wire-sort', 'event');
    expect(await events()).toEqual((await events()).toSorted());
    expect(await page.read('document.querySelector(".wire-sort[aria-pressed=true]").innerText')).toContain(
      'event',
    );
    await page.clickOn('.wire-sort', 'time');
    expect(await events()).toEqual(passed);
    const chosen = (): Promise<string> =>
      page.read('document.querySelector(".list-row[aria-current] .wire-event").textContent');
    while (!(await page.read('document.querySelector(".list-row[aria-current] .wire-jump")')))
      await page.press('j');
    const request = await chosen();
    await page.press('r');
    expect(await chosen()).toMatch(new RegExp(`^${request} (?:reply|answer)$`));
    await page.press('r');
    expect(await chosen()).toBe(request);
    // A bar begins where the tick of a line at the same time stands, and none leaves its column.
    const outside = `[...document.querySelectorAll('.wire-fall-bar, .wire-fall-tick')].filter((bar) => {
      const [inner, outer] = [bar.getBoundingClientRect(), bar.parentElement.getBoundingClientRect()];
      return inner.left < outer.left - 1 || inner.right > outer.right + 3;
    }).length`;
    expect(await page.read(outside)).toBe(0);
    expectNoNetwork(page);
  });

  test('has an axis for the bars, on a phone, too', async (pages) => {
    const trace = await readTrace(fixturePath('story'));
    for (const width of [1280, 360]) {
      const page = await openTrace(pages, trace, { hash: WIRE, look: { width } });
      await page.until('document.querySelector(".wire-axis > span")');
      // The ticks and the bars of the lines have one scale: the place of each bar follows from two ticks and its time.
      const wrong = await page.read<unknown[]>(`(() => {
        const units = { ms: 1, s: 1000, min: 60000, h: 3600000 };
        const ticks = [...document.querySelectorAll('.wire-axis > span')].map((tick) => {
          const [number, unit] = tick.textContent.split(' ');
          return { t: Number(number.replaceAll(',', '')) * units[unit], x: tick.getBoundingClientRect().left };
        });
        const [first, last] = [ticks[0], ticks.at(-1)];
        if (ticks.length < 2) return [ticks.length];
        const scale = (last.x - first.x) / (last.t - first.t);
        return [...document.querySelectorAll('[data-begin]')].filter((bar) => bar.checkVisibility())
          .map((bar) => {
            const column = bar.parentElement.getBoundingClientRect();
            const x = first.x + (Number(bar.dataset.begin) - first.t) * scale;
            // Lines that are drawn but out of sight lie at the edge.
            const due = Math.min(Math.max(x, column.left), column.right);
            return { left: bar.getBoundingClientRect().left, due };
          })
          .filter(({ left, due }) => Math.abs(left - due) > 1.5);
      })()`);
      expect(wrong, String(width)).toEqual([]);
      expect(await page.read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.close();
    }
  });

  test('takes recorded texts for texts', async (pages) => {
    const attack =
      '</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1"><!--<script>\u2028${alert(1)} javascript:window.harmed=1';
    const trace = makeTrace({ calls: 2, text: attack });
    trace.header.cwd = attack;
    trace.header.claudeCodeVersion = attack;
    trace.problems.push(attack);
    const page = await openTrace(pages, trace);
    for (const view of ['1', '2', '4', '5', '6', '3']) {
      await page.press(view);
      expect(await page.read('window.harmed')).toBeUndefined();
      expect(
        await page.read('document.querySelectorAll("#app img, iframe, object, #app a[href^=java]").length'),
      ).toBe(0);
    }
    await page.clickOn('.wire-line', 'tools/call answer');
    expect(await line(page)).toContain('window.harmed');
    await page.clickOn('.wire-line', 'header');
    expect(await line(page)).toContain('</script>');
    expect(await page.read('window.harmed')).toBeUndefined();
    expect(await page.read('document.scripts.length')).toBe(2);
    expectNoNetwork(page);
  });

  test('says what it left out, and how to see it', async (pages) => {
    const page = await openTrace(pages, makeTrace({ calls: 50 }), { maxEvents: 40, hash: WIRE });
    await page.untilText('inboard inspect run.jsonl');
    expect(await count(page)).toBe('41 events');
    await page.clickOn('.wire-line', 'LEFT_OUT');
    expect(await line(page)).toContain('270 events are left out, 21 to 290');
    expectNoNetwork(page);
  });

  test('marks what is hidden, and what was cut', async (pages) => {
    const trace = makeTrace({ calls: 1, text: `key [redacted] ${'x'.repeat(3000)}` });
    const page = await openTrace(pages, trace, { maxFrameCharacters: 500, hash: WIRE });
    expect(await page.read('document.querySelectorAll(".wire-line .badge").length')).toBe(4);
    await page.clickOn('.wire-line', 'tools/call answer');
    await page.untilText('Long texts were cut when this page was written');
    expect(await line(page)).toContain('more characters');
    expect(await page.read('document.querySelector(".json-hidden").textContent')).toContain('[redacted]');
  });

  test('reads old traces', async (pages) => {
    const page = await openTrace(pages, await readTrace(fixturePath('old')), { hash: WIRE });
    expect(Number.parseInt(await count(page), 10)).toBeGreaterThan(20);
    expectNoNetwork(page);
  });

  test('reads in the dark and on a small screen', async (pages) => {
    const look = { width: 480, height: 800, dark: true };
    const page = await openTrace(pages, await readTrace(fixturePath('story')), { look, hash: WIRE });
    const ground = 'getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)';
    expect(Math.max(...(await page.read<number[]>(ground)))).toBeLessThan(80);
    for (const width of [480, 360]) {
      await page.look({ width });
      expect(await page.read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await findLayoutTroubles(page, ['.wire-bar', '.wire-list'])).toEqual([]);
    }
    // The arrows are a sign there, and every row is as high as the others.
    const heights = '[...new Set([...document.querySelectorAll(".wire-line")].map((e) => e.offsetHeight))]';
    expect(await page.read(heights)).toEqual([54]);
    expect(await page.read('document.querySelector(".wire-arrow").offsetWidth < 20')).toBe(true);
    await page.press('j');
    await page.press('Enter');
    await page.until('document.querySelector(".detail").offsetWidth >= innerWidth - 1');
    const audit = await auditPage(page, '.detail');
    expect(audit).toEqual({ violations: [], incomplete: [] });
    expectNoNetwork(page);
  });
});
