// A hundred thousand events, served from a file: what is read before the first drawing, what is alive on the page, and whether
// scrolling holds it up. All of it as counts; with INBOARD_MEASURE set, also how long things took.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { SessionSource } from '../../../packages/inspector/src/sources/session-source.js';
import { openTraceFile } from '../../../packages/inspector/src/sources/trace-file.js';
import { TraceFileSession } from '../../../packages/inspector/src/sources/trace-file-session.js';
import type { RecordedSource } from '../../../packages/inspector/src/sources/recorded-source.js';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { makeLongTrace } from '../../../packages/inspector/test/support/make-long-trace.js';
import { describeInBrowser } from './support/browser-tests.js';
import { measure } from './support/measure.js';
import type { Page } from '../support/page.js';
import { waitUntil } from '../../support/wait-until.js';

const EVENTS = 100_000;
/** More would be felt, and keeps growing where something is not taken away again. */
const MOST_NODES = 3500;
/** What fills a screen needs the first few hundred events of the file, which is read in chunks of 64 kB. */
const MOST_BYTES = 512 * 1024;

/** From this on, browsers call a task long. */
const LONG_MS = 50;
const STEP_TRIES = 3;

const folder = mkdtempSync(join(tmpdir(), 'scale-'));
const file = join(folder, 'long.jsonl');

beforeAll(async () => {
  const out = createWriteStream(file);
  for (const lines of makeLongTrace(EVENTS)) if (!out.write(lines)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeInBrowser('a hundred thousand events', (test) => {
  test('show their beginning before the rest is read', async (pages) => {
    const gate = createGate();
    // The summary of the file, which is made in the background, waits: what is counted is what the page needs.
    const readOn = Reflect.get(TraceFileSession.prototype, 'step');
    vi.spyOn(TraceFileSession.prototype, 'step').mockImplementation(async function (this: TraceFileSession) {
      await gate.opened;
      return readOn.call(this);
    });
    const source = await openTraceFile(file);
    const server = await serve(holdBack(source, gate));
    try {
      const page = await pages.open(`${server.createLink()}&view=wire&session=long.jsonl`);
      // A screen is full of what came first.
      await page.until('document.querySelectorAll(".wire-line").length > 20');
      // The rest is asked for as soon as the first part is on its way.
      await waitUntil(() => gate.held > 0);
      expect(gate.held).toBe(1);
      const before = source.bytesRead;
      expect(statSync(file).size).toBeGreaterThan(20_000_000);
      expect(before).toBeLessThan(MOST_BYTES);
      measure('bytes read before the first drawing', before);
      gate.open();
      await untilRead(page);
    } finally {
      gate.open();
      vi.restoreAllMocks();
      await server.close();
      await source.close();
    }
  });

  test('are scrolled through without holding up the page', async (pages) => {
    const source = await openTraceFile(file);
    const server = await serve(source);
    try {
      const begun = performance.now();
      const page = await pages.open(`${server.createLink()}&view=wire&session=long.jsonl`);
      measure('ms until the first drawing', performance.now() - begun);
      await watchTasks(page);
      await untilRead(page);
      measure('ms until all events were read', performance.now() - begun);
      measure('long tasks while they were read', (await takeTasks(page)).length);

      // A page that is held up is seen to be, and so is one whose own work holds it up.
      await page.read(
        `setTimeout(() => { const end = performance.now() + 120; while (performance.now() < end); }, 0)`,
      );
      // On a busy machine other tasks are long as well, and may come first.
      await page.until('window.longTasks.some((duration) => duration >= 115)');
      const busy =
        'setTimeout(() => { let n = 1; for (let i = 0; i < 3e8; i += 1) n = (n * 7) % 1e6; window.n = n; })';
      expect(await findSlowSteps(page, [busy])).toHaveLength(1);

      for (const view of ['wire', 'story'] as const) {
        await page.press(view === 'wire' ? '3' : '1');
        await page.until(
          'document.querySelector("#view :is(.story-list, .wire-list)")?.scrollHeight > 100000',
        );
        await page.settle();
        expect(await countNodes(page)).toBeLessThan(MOST_NODES);
        await page.read('window.mostNodes = 0');
        for (const part of [0, 0.5, 1]) {
          await page.read(scroll(`${part} * (list.scrollHeight - list.clientHeight)`));
          await page.settle();
          expect(await findSlowSteps(page, WHEEL)).toEqual([]);
          if (view === 'wire') expect(await page.read(WIDEST_BAR)).toBeGreaterThan(0.1);
        }
        for (const leap of LEAPS) {
          await page.read(leap);
          await page.settle();
          await page.settle();
        }
        const most = await page.read<number>('window.mostNodes');
        measure(`most nodes while scrolling the ${view}`, most);
        expect(most).toBeGreaterThan(100);
        expect(most).toBeLessThan(MOST_NODES);
        expect(await countNodes(page)).toBeLessThan(MOST_NODES);
      }
    } finally {
      await server.close();
      await source.close();
    }
  });
});

async function serve(source: SessionSource): Promise<InspectorServer> {
  return startInspectorServer(source, { port: 0, assets: readPageAssets(await buildPageOnce()) });
}

interface Gate {
  /** How many reads wait. */
  held: number;
  opened: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { held: 0, opened, open };
}

/** The same source, but everything after the first part waits until the gate is open. */
function holdBack(source: RecordedSource, gate: Gate): SessionSource {
  return new Proxy<SessionSource>(source, {
    get: (target, name) => {
      if (name === 'read')
        return async (session: string, after: number, limit: number) => {
          if (after > 0) {
            gate.held += 1;
            await gate.opened;
          }
          return target.read(session, after, limit);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function untilRead(page: Page): Promise<void> {
  await page.until(
    `Number(document.querySelector(".wire-count [role=status]").textContent.match(/([\\d,]+) events/)?.[1].replaceAll(",", "")) > ${EVENTS}`,
  );
}

function countNodes(page: Page): Promise<number> {
  return page.read('document.querySelectorAll("*").length');
}

async function watchTasks(page: Page): Promise<void> {
  await page.read(`window.longTasks = [];
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.longTasks.push(duration); })
      .observe({ type: 'longtask' });`);
}

/** The long tasks since the last time, in milliseconds. What was observed is told a moment later. */
async function takeTasks(page: Page): Promise<number[]> {
  await page.settle();
  await page.settle();
  return page.read('window.longTasks.splice(0)');
}

/** The widest bar of the wire as a part of its column: bars have the time of the lines in sight, not of the whole run. */
const WIDEST_BAR = `Math.max(...[...document.querySelectorAll('.wire-fall-bar')].map(
  (bar) => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width))`;

/** As a wheel does it. From timers: tasks that begin in the debugger are not observed. */
const WHEEL = [300, 300, 300, 300, 300, 300, -300, -300, -300, -300, -300, -300].map((by) =>
  scroll(`list.scrollTop + ${by}`),
);

/** Scrolls to the end and back, as a person who drags the bar does. All visible rows are drawn again each time. */
const LEAPS = [0.1, 0.3, 0.5, 0.7, 0.9, 1, 0.8, 0.6, 0.4, 0.2, 0].map((part) =>
  scroll(`${part} * (list.scrollHeight - list.clientHeight)`),
);

function scroll(to: string): string {
  return `setTimeout(() => {
    const list = document.querySelector('#view :is(.story-list, .wire-list)');
    list.scrollTop = ${to};
    setTimeout(() => { window.mostNodes = Math.max(window.mostNodes, document.getElementsByTagName('*').length); }, 30);
  })`;
}

/**
 * Takes steps in the page, and gives those that held it up: where a long task was observed, and the page's own thread worked for
 * as long. Where other processes have the processor, every task is long, and says nothing of the page. A step that held it up is
 * taken again: what happens once, as when the browser collects garbage, is not the step's own.
 */
async function findSlowSteps(page: Page, steps: readonly string[]): Promise<string[]> {
  const slow: string[] = [];
  let observed = 0;
  let worst = 0;
  for (const [index, step] of steps.entries()) {
    let isSlow = true;
    for (let times = 0; isSlow && times < STEP_TRIES; times += 1) {
      await takeTasks(page);
      const before = await readThreadTime(page);
      await page.read(
        `new Promise((done) => { ${step}; setTimeout(() => requestAnimationFrame(() => setTimeout(done, 40))); })`,
      );
      const worked = (await readThreadTime(page)) - before;
      const tasks = await takeTasks(page);
      observed += tasks.length;
      worst = Math.max(worst, worked);
      isSlow = tasks.length > 0 && worked > LONG_MS;
      if (isSlow && times === STEP_TRIES - 1)
        slow.push(`step ${index}: ${tasks.join(', ')} ms, ${worked} ms of work`);
    }
  }
  measure(`long tasks in ${steps.length} steps, of whatever cause`, observed);
  measure("most work in one step, in ms of the page's thread", worst);
  return slow;
}

/** How long the page's thread has worked, in milliseconds. */
async function readThreadTime(page: Page): Promise<number> {
  await page.send('Performance.enable');
  const { metrics } = (await page.send('Performance.getMetrics')) as {
    metrics: { name: string; value: number }[];
  };
  const time = metrics.find(({ name }) => name === 'ThreadTime');
  if (!time)
    throw new Error(`The browser does not tell ThreadTime: ${metrics.map(({ name }) => name).join(' ')}`);
  return time.value * 1000;
}
