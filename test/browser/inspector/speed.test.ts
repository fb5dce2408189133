// How quick the page is with a hundred thousand events, for `scripts/measure-page.mjs`: the first drawing, from a key to the next
// frame in every view, and jumps of the scroll bar beside those of a plain list. Times are noted, not checked, because they are
// those of the machine; what is checked is that the page did what was timed.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { openTraceFile } from '../../../packages/inspector/src/sources/trace-file.js';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { makeLongTrace } from '../../../packages/inspector/test/support/make-long-trace.js';
import type { Page } from '../support/page.js';
import { describeInBrowser, type Pages } from './support/browser-tests.js';
import { measure } from './support/measure.js';

/** Without a place for figures, a smaller recording shows that everything still works. */
const EVENTS = process.env['INBOARD_MEASURE'] === undefined ? 5000 : 100_000;
const TIMES = process.env['INBOARD_MEASURE'] === undefined ? 2 : 30;

const JUMPS = 2 * TIMES;

const folder = mkdtempSync(join(tmpdir(), 'speed-'));
const file = join(folder, 'long.jsonl');
let source: Awaited<ReturnType<typeof openTraceFile>>;
let server: InspectorServer;

beforeAll(async () => {
  const out = createWriteStream(file);
  for (const lines of makeLongTrace(EVENTS)) if (!out.write(lines)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  source = await openTraceFile(file);
  server = await startInspectorServer(source, { port: 0, assets: readPageAssets(await buildPageOnce()) });
});
afterAll(async () => {
  await server.close();
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

const VIEWS = { story: '1', timeline: '2', wire: '3', tools: '4', cost: '5', fleet: '6' } as const;
type View = keyof typeof VIEWS;

async function openWhole(pages: Pages): Promise<Page> {
  const page = await pages.open(`${server.createLink()}&view=wire&session=long.jsonl`);
  await page.until(
    `Number(document.querySelector(".wire-count [role=status]")?.textContent.match(/([\\d,]+) events/)?.[1].replaceAll(",", "")) > ${EVENTS}`,
  );
  await page.until('document.querySelector(".reading-line") === null');
  await page.settle();
  return page;
}

/** Notes in the page how long it was from each key to the end of the next frame. */
const WATCH_KEYS = `window.keyTimes = [];
  addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.keyTimes.push(performance.now() - timeStamp);
    port2.postMessage(0);
  }), { capture: true });`;

/** The keys that are pressed in a view, each several times. */
const KEYS: Readonly<Record<View, readonly string[]>> = {
  story: ['j', 'j', 'k', ']', 'e', 'PageDown', 'End', 'Home'],
  timeline: ['j', 'j', 'k', '+', 'ArrowRight', '-', '0'],
  wire: ['j', 'j', 'k', 'e', 'r', 'f', 'PageDown', 'End', 'Home'],
  tools: ['j', 'k'],
  cost: ['Tab', 'ArrowRight'],
  fleet: ['j', 'k'],
};
/** What is typed into the search of a view: every letter searches again. */
const SEARCHES: Readonly<Partial<Record<View, string>>> = { story: 'order 9', wire: 'lamp 12' };

describeInBrowser(`${EVENTS} events`, (test) => {
  test('are drawn first', async (pages) => {
    const page = await pages.open(`${server.createLink()}&view=story&session=long.jsonl`);
    await page.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(() => {
        const look = () => document.querySelector('.story-row')
          ? requestAnimationFrame(() => setTimeout(() => { window.firstRows = performance.now(); }))
          : requestAnimationFrame(look);
        requestAnimationFrame(look);
      })()`,
    });
    const paints: number[] = [];
    const rows: number[] = [];
    for (let times = 0; times < Math.min(TIMES, 7); times += 1) {
      await page.reload();
      await page.until('window.firstRows > 0');
      paints.push(
        await page.read('performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1'),
      );
      rows.push(await page.read('window.firstRows'));
    }
    for (const [index, paint] of paints.entries()) {
      expect(paint).toBeGreaterThan(0);
      expect(rows[index]).toBeGreaterThan(0);
    }
    measure('first paint, ms after the navigation (wanted: under 1000), median', middle(paints));
    measure('first rows of the story, ms after the navigation (wanted: under 1000), median', middle(rows));
    measure('first rows of the story, ms after the navigation, worst', Math.max(...rows));
  });

  test('answer keys in every view', async (pages) => {
    const page = await openWhole(pages);
    await page.read(WATCH_KEYS);
    const take = (): Promise<number[]> => page.read('window.keyTimes.splice(0)');
    const switches: number[] = [];
    for (const [view, key] of Object.entries(VIEWS) as [View, string][]) {
      for (let times = 0; times < Math.ceil(TIMES / 6); times += 1) {
        await page.press(view === 'cost' ? '4' : '5');
        await take();
        await page.press(key);
        await page.until(`document.querySelector('.view-${view}')`);
        switches.push(...(await take()));
      }
      for (let times = 0; times < Math.ceil(TIMES / 6); times += 1)
        for (const each of KEYS[view]) await page.press(each);
      const text = SEARCHES[view];
      if (text !== undefined) {
        await page.press('/');
        await page.until('document.activeElement?.matches("input")');
        for (const letter of text) await page.press(letter);
        expect(await page.read('document.activeElement.value')).toBe(text);
        for (let times = 0; times < 3; times += 1) await page.press('Escape');
      }
      const taken = await take();
      expect(taken.length).toBeGreaterThanOrEqual(KEYS[view].length);
      measure(`key to next frame in the ${view}, ms, p95 of ${taken.length} (wanted: under 150)`, p95(taken));
    }
    expect(switches.length).toBeGreaterThanOrEqual(6);
    measure(`key to next frame when the view changes, ms, p95 of ${switches.length}`, p95(switches));
  });

  test('are jumped through like a plain list', async (pages) => {
    const page = await openWhole(pages);
    for (const [view, key, list] of [
      ['wire', '3', '.view-wire .list'],
      // The outline beside it is a list as well.
      ['story', '1', '.story-list'],
    ] as const) {
      await page.press(key);
      await page.until(`document.querySelector('${list}')?.scrollHeight > 10000`);
      const { own, plain } = await page.read<{ own: number[]; plain: number[] }>(compareWithPlain(list));
      expect([own.length, plain.length]).toEqual([JUMPS, JUMPS]);
      measure(`jump of the scroll bar in the ${view}, ms, p95`, p95(own));
      measure(`jump in a plain list of the height of the ${view}, ms, p95`, p95(plain));
      measure(`the ${view} beside the plain list (wanted: at most 2)`, (p95(own) / p95(plain)).toFixed(2));
    }
  });
});

/**
 * Jumps to places all over the view's list and a plain one of the same height, in turns, so that both meet the same machine. Gives
 * how long it was each time until the rows there were on the page and their frame was over.
 */
const compareWithPlain = (selector: string): string => `(async () => {
  const list = document.querySelector('${selector}');
  const frame = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  const { left, top, width, height } = list.getBoundingClientRect();
  const box = document.createElement('div');
  Object.assign(box.style, { position: 'fixed', overflow: 'auto', background: 'Canvas',
    left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px' });
  for (let n = Math.round(list.scrollHeight / 34); n > 0; n -= 1) {
    const row = document.createElement('div');
    row.className = 'list-row';
    row.style.height = '34px';
    row.textContent = 'row ' + n;
    box.append(row);
  }
  document.body.append(box);
  const jump = async (target, place) => {
    box.style.translate = target === box ? '' : '-200vw';
    await new Promise((done) => setTimeout(done, 80));
    await frame();
    const begun = performance.now();
    target.scrollTop = place * (target.scrollHeight - target.clientHeight);
    do await frame();
    while (!document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.list-row'));
    return performance.now() - begun;
  };
  const times = { own: [], plain: [] };
  for (let n = 0; n < ${JUMPS + 3}; n += 1) {
    times.own.push(await jump(list, (n * 0.381966) % 1));
    times.plain.push(await jump(box, (n * 0.381966) % 1));
  }
  box.remove();
  // The first ones also compile and lay out what is never seen again.
  return { own: times.own.slice(3), plain: times.plain.slice(3) };
})()`;

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? NaN;
}

function middle(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? NaN;
}
