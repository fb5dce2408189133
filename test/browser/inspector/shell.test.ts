// The frame of the page in a real browser: tabs, keys, themes, sessions, and what happens when the server cannot be reached.
import { afterAll, beforeAll, expect } from 'vitest';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import type { SessionSummary } from '../../../packages/inspector/src/model/session-summary.js';
import type { Question } from '../../../packages/inspector/src/stream/question.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { FakeSource } from '../../../packages/inspector/test/support/fake-source.js';
import { readFixture } from '../../../packages/inspector/test/support/make-events.js';
import { summaryOf } from '../../../packages/inspector/test/support/page-store.js';
import { waitUntil } from '../../support/wait-until.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { createCutLine } from './support/cut-line.js';
import { writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, WIDTHS } from './support/layout.js';

const VIEWS = ['story', 'timeline', 'wire', 'tools', 'cost', 'fleet'];
const story = readFixture('story').map(({ event }) => event);

const chosen = (page: Page): Promise<string> =>
  page.read('document.querySelector(".bar-tabs [aria-selected=true]").id.replace("view-tab-", "")');
const ground = (page: Page): Promise<string> =>
  page.read('getComputedStyle(document.documentElement).backgroundColor');
const banner = 'document.querySelector(".banner")';

/** What a browser logs when a server cannot be reached; anything else stays a trouble. Closes the page, which would try on. */
async function forgetLostRequests(page: Page): Promise<void> {
  await page.close();
  const others = page.troubles.filter((trouble) => !/net::ERR_|status of 401/.test(trouble));
  page.troubles.splice(0, page.troubles.length, ...others);
}

describeInBrowser('the frame of the page', (test) => {
  test('goes from view to view by keys, and back by the button of the browser', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage({ one: story }));
    for (const [index, name] of VIEWS.entries()) {
      await page.press(String(index + 1));
      expect(await chosen(page)).toBe(name);
      expect(await page.read('document.getElementById("view").getAttribute("aria-labelledby")')).toBe(
        `view-tab-${name}`,
      );
    }
    await page.read('document.getElementById("view-tab-fleet").focus()');
    await page.press('ArrowRight');
    expect(await chosen(page)).toBe('story');
    await page.press('End');
    expect(await chosen(page)).toBe('fleet');
    await page.press('ArrowLeft');
    expect([await chosen(page), await page.read('document.activeElement.id')]).toEqual([
      'cost',
      'view-tab-cost',
    ]);
    await page.read('history.back()');
    await page.until('document.querySelector("#view-tab-fleet[aria-selected=true]")');
    await page.press('2');
    await page.reload();
    expect(await chosen(page)).toBe('timeline');
  });

  test('lists every key that is bound, and gives the focus back', async (pages) => {
    // So high that the whole help has room: what is cut at an edge cannot be judged.
    const page = await pages.open(await writeEmbeddedPage({ one: story }), { height: 2400 });
    await page.read('document.getElementById("view-tab-story").focus()');
    await page.press('?');
    const said = await page.read<string>('document.querySelector("dialog[open]").innerText');
    for (const word of ['Everywhere', 'Timeline', 'Choose another session', 'This help'])
      expect(said).toContain(word);
    const { violations, incomplete } = await auditPage(page, 'dialog');
    // A few rows lie on halves of pixels, which axe-core takes for something in front of them; their like are judged beside them.
    const undecided = incomplete.filter((line) => !line.includes('partially overlaps other elements'));
    expect([violations, undecided]).toEqual([[], []]);
    await page.press('3');
    expect(await chosen(page)).toBe('story');
    await page.press('Escape');
    expect(await page.read('document.querySelector("dialog") === null')).toBe(true);
    expect(await page.read('document.activeElement.id')).toBe('view-tab-story');
    // While one types, keys write.
    await page.read(`(() => {
      const field = document.createElement('input');
      document.body.append(field);
      field.focus();
    })()`);
    await page.press('3');
    expect([await chosen(page), await page.read('document.activeElement.value')]).toEqual(['story', '3']);
    // Where it has no room, the help can be scrolled by keys.
    await page.read('document.activeElement.blur()');
    await page.look({ height: 500 });
    await page.press('?');
    expect(await auditPage(page, 'dialog')).toMatchObject({ violations: [] });
  });

  test('is light, dark, or as the system, and remembers it', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage({ one: story }), { dark: true });
    const dark = await ground(page);
    await page.press('t');
    const light = await ground(page);
    expect(light).not.toBe(dark);
    await page.look({ dark: false });
    await page.press('t');
    expect(await ground(page)).toBe(dark);
    await page.reload();
    expect([await ground(page), await page.read('document.documentElement.dataset.theme')]).toEqual([
      dark,
      'dark',
    ]);
    await page.press('t');
    expect(await ground(page)).toBe(light);
  });

  test('finds one of 3,000 sessions, and keeps few of them on the page', async (pages) => {
    const sessions: SessionSummary[] = Array.from({ length: 3000 }, (_, index) =>
      summaryOf(`s${index}`, { title: `Session number ${index}`, startedAt: '2026-11-16T09:00:00.000Z' }),
    );
    const page = await pages.open(await writeEmbeddedPage({}, { sessions }));
    expect(await chosen(page)).toBe('fleet');
    await page.press('s');
    await page.until('document.querySelectorAll(".switcher .list-row").length > 3');
    expect(await page.read('document.querySelectorAll(".switcher .list-row").length')).toBeLessThan(60);
    await page.read('document.querySelector(".switcher .list").focus()');
    await page.press('End');
    await page.until('document.activeElement.dataset.index === "2999"');
    expect(await page.read('document.activeElement.innerText')).toContain('Session number 2999');
    await page.read('document.querySelector(".switcher-search").focus()');
    await page.type('number 1234');
    await page.until('document.querySelectorAll(".switcher .list-row").length === 1');
    await page.press('Enter');
    await page.until('document.querySelector(".head-title").innerText.includes("Session number 1234")');
    expect(await chosen(page)).toBe('story');
  });

  test('stands in order at every width, in two rows at most on a telephone', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage({ one: story, two: story }));
    await page.press('1');
    for (const width of WIDTHS)
      for (const dark of [false, true]) {
        await page.look({ width, dark, height: 800 });
        expect({
          width,
          troubles: await findLayoutTroubles(page, ['.head > *', '.bar-tabs', '.bar-time', '.stage']),
        }).toEqual({ width, troubles: [] });
        expect(await page.read('document.querySelector(".head").offsetHeight')).toBeLessThanOrEqual(80);
        // The head of the telephone and the one of the desk, each in one theme: an audit takes its time.
        if (width !== 800 && dark === (width === 360))
          expect({ width, ...(await auditPage(page, '.head')) }).toEqual({
            width,
            violations: [],
            incomplete: [],
          });
      }
  });

  test('shows a fault of its own, and stays', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage({ one: story }));
    await page.read('void setTimeout(() => { throw new Error("a fault on purpose <b>") })');
    await page.until('document.querySelector(".last-resort")');
    expect(await page.read('document.querySelector(".last-resort").innerText')).toContain(
      'a fault on purpose <b>',
    );
    expect(page.troubles.length).toBe(1);
    page.troubles.length = 0;
    await page.clickOn('.last-resort button', 'Close');
    expect(await page.read('document.querySelector(".last-resort") === null')).toBe(true);
  });
});

describeInBrowser('the page and its server', (test) => {
  let source: FakeSource;
  let server: InspectorServer;
  let assets: ReturnType<typeof readPageAssets>;
  beforeAll(async () => {
    assets = readPageAssets(await buildPageOnce());
    source = new FakeSource();
    server = await startInspectorServer(source, { port: 0, assets });
    source.add('one', { type: 'opened', t: 0, kind: 'query', startedAt: '2026-11-16T09:00:00.000Z' });
  });
  afterAll(() => server.close());

  const warn = (text: string): number =>
    source.add('one', { type: 'warning', t: 5, code: 'W', message: text });

  test('goes on after a broken connection: nothing is missed and nothing comes twice', async (pages) => {
    const line = await createCutLine(server.port);
    try {
      warn('said before');
      const page = await pages.open(line.through(server.createLink()));
      await page.untilText('said before');
      warn('said while it looked');
      await page.untilText('said while it looked');
      line.cut();
      await page.until(`${banner}?.innerText.includes('Connection lost, trying again')`);
      warn('said meanwhile');
      line.mend();
      await page.until(`${banner} === null`);
      await page.untilText('said meanwhile');
      const text = await page.read<string>('document.getElementById("view").innerText');
      for (const said of ['said before', 'said while it looked', 'said meanwhile'])
        expect([said, text.split(said).length - 1]).toEqual([said, 1]);
      await forgetLostRequests(page);
    } finally {
      await line.close();
    }
  });

  test('says at once that a server has ended, and keeps what was read', async (pages) => {
    const other = await startInspectorServer(source, { port: 0, assets });
    const page = await pages.open(other.createLink());
    await page.untilText('said before');
    await other.close();
    await page.until(`${banner}?.innerText.includes('The server has ended')`);
    expect(await page.read('document.getElementById("view").innerText')).toContain('said before');
    await forgetLostRequests(page);
  });

  test('says how to get in again when the server does not know it', async (pages) => {
    const line = await createCutLine(server.port);
    const other = await startInspectorServer(source, { port: 0, assets });
    try {
      const page = await pages.open(line.through(server.createLink()));
      await page.untilText('said before');
      line.leadTo(other.port);
      await page.until(`${banner}?.innerText.includes('inboard inspect --link')`);
      expect(await page.read('document.getElementById("view").innerText')).toContain('said before');
      await forgetLostRequests(page);
    } finally {
      await line.close();
      await other.close();
    }
  });

  test('leaves out a part that did not come and is not needed, and says of another that it did not come', async (pages) => {
    const page = await pages.open(server.createLink());
    await page.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.send('Network.setBlockedURLs', {
      urls: ['*part-question-cards*', '*part-steering-bar*', '*part-timeline-view*'],
    });
    await page.reload();
    await page.untilText('said before');
    // Once before and once again; the dock that asked for the cards then goes.
    await waitUntil(() => page.requests.filter((url) => url.includes('part-question-cards')).length > 1);
    await page.until('document.getElementById("dock") === null');
    const read = (): Promise<string> => page.read('document.querySelector(".work").innerText');
    expect(await read()).not.toContain('could not be');
    await page.press('2');
    await page.untilText('Timeline could not be loaded');
    expect(await read()).not.toContain('The agent is not affected');
    await page.send('Network.setBlockedURLs', { urls: [] });
    await page.clickOn('.empty button', 'Try again');
    await page.until('document.querySelector(".view-timeline")');
    page.troubles.length = 0;
  });

  test('makes a link that works once, and says when something waits', async (pages) => {
    const page = await pages.open(server.createLink(), { width: 800, height: 700 });
    await page.clickOn('[aria-label="Make a link for another browser"]');
    await page.until('document.querySelector(".link-row input").value.startsWith("http")');
    const url = await page.read<string>('document.querySelector(".link-row input").value');
    await page.press('Escape');
    const second = await pages.open(url);
    source.ask(questionOf('q1', 'Bash wants to run ls'));
    await page.until('document.querySelector(".dock-bar").innerText.includes("1 question waits")');
    await second.until('document.querySelector(".dock").innerText.includes("Bash wants to run ls")');
    expect(await page.read('document.title')).toMatch(/^\(1\) /);
    expect(await page.read('document.querySelector(".app > [aria-live]").innerText')).toContain(
      'Bash wants to run ls',
    );
    await page.press('q');
    await page.until('document.querySelector(".dock-open")?.innerText.includes("Bash wants to run ls")');
    // The view behind the sheet is out of reach until it is closed.
    expect(await page.read('document.querySelector(".stage").inert')).toBe(true);
    expect(await page.read('document.activeElement.closest("#dock") !== null')).toBe(true);
    await page.press('Escape');
    await page.until('document.activeElement?.matches(".dock-bar")');
    expect(await page.read('document.querySelector(".dock-open") === null')).toBe(true);
    expect(await page.read('document.querySelector(".stage").inert')).toBe(false);
  });

  test('notifies, once it was asked to, of what begins to wait while it is not in sight', async (pages) => {
    const page = await pages.open(server.createLink());
    await page.read(`{
      window.shown = [];
      window.asked = 0;
      window.Notification = class {
        static permission = 'default';
        static async requestPermission() {
          window.asked += 1;
          return (this.permission = 'granted');
        }
        constructor(title, { body }) {
          window.shown.push(title + ' / ' + body);
        }
      };
      Object.defineProperty(document, 'hidden', { get: () => window.isAway === true });
    }`);
    source.ask(questionOf('q2', 'before it was allowed'));
    await page.until('document.title.startsWith("(2)")');
    expect(await page.read('[window.asked, window.shown.length]')).toEqual([0, 0]);
    await page.clickOn('[aria-label="Notifications: off"]');
    await page.until('document.querySelector(\'[aria-label="Notifications: on"][aria-pressed=true]\')');
    source.ask(questionOf('q3', 'while it is looked at'));
    await page.until('document.title.startsWith("(3)")');
    await page.read('window.isAway = true');
    source.ask(questionOf('q4', 'while it is away'));
    await page.until('window.shown.length > 0');
    expect(await page.read('[window.asked, ...window.shown]')).toEqual([
      1,
      'while it is away / one waits for you.',
    ]);
  });
});

function questionOf(id: string, title: string): Question {
  return {
    id,
    session: 'one',
    kind: 'permission',
    subject: 'Bash',
    title,
    input: { command: 'ls' },
    hidden: [],
    suggestions: [],
    askedAt: Date.now(),
    attempt: 1,
    canAnswer: true,
  };
}
