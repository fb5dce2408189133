// The outline of a story in a real browser: what it lists, how it follows, the search beside it, and a story of 380 turns.
import { expect } from 'vitest';
import { EventMaker, makeManyCalls } from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, findSmallTargets } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const TURNS = 380;
const lines = (page: Page): Promise<string[]> =>
  page.read('[...document.querySelectorAll(".outline-list .list-row")].map((line) => line.innerText)');
const current = (page: Page): Promise<string> =>
  page.read('document.querySelector(".outline-list [aria-current=true]")?.innerText ?? ""');
const chosen = (page: Page): Promise<string> =>
  page.read('document.querySelector(".story-list [aria-current=true]")?.innerText ?? ""');
const isPanelSeen =
  'document.querySelector(".outline-panel").checkVisibility({ visibilityProperty: true }) === true';

/** Opens a story of 380 turns with ten calls each, of which some fail. */
async function openLong(pages: { open: (url: string, look?: object) => Promise<Page> }): Promise<Page> {
  const events = makeManyCalls(TURNS * 10).map(({ event }) => event);
  const page = await pages.open(await writeEmbeddedPage({ long: events }), { width: 1600, height: 900 });
  await page.untilText(`${TURNS} turns`);
  await page.until('!document.querySelector(".reading-line")');
  await page.until('document.querySelector(".outline-list .list-row")');
  return page;
}

function twoTurns(): EventMaker {
  const maker = new EventMaker('two').open().prompt('Count the lamps,\nall of them.').init();
  maker.call('a', 'mcp__shop__count', { article: 'lamp' }, { result: '7', ms: 120 });
  maker.call('b', 'Bash', { command: 'make' }, { isError: true, result: 'no rule', ms: 900 });
  maker.assistant({ type: 'text', text: 'Seven, in a yellow box.' }).turnEnd('Seven.', { costUsd: 0.01 });
  maker.prompt('Now the desks.').call('c', 'mcp__shop__count', { article: 'desk' }, { result: '4', ms: 80 });
  return maker.assistant({ type: 'text', text: 'Four.' }).turnEnd('Four.', { costUsd: 0.02 }).end().over();
}

describeInBrowser('the outline', (test) => {
  test('lists turns, calls, errors and times, and leads to each of them', async (pages) => {
    const events = twoTurns().events.map(({ event }) => event);
    const page = await pages.open(await writeEmbeddedPage({ two: events }), { width: 1600, height: 600 });
    await page.until('document.querySelectorAll(".outline-list .list-row").length === 5');
    expect(await lines(page)).toEqual([
      expect.stringMatching(/^1\s*Count the lamps,\s*2 calls\s*1 error\s*1 s$/),
      expect.stringMatching(/^done\s*count\s*article: lamp\s*12\d ms$/),
      expect.stringMatching(/^failed\s*Bash\s*make\s*90\d ms$/),
      expect.stringMatching(/^2\s*Now the desks\.\s*1 call\s*\d+ ms$/),
      expect.stringMatching(/^done\s*count\s*article: desk\s*8\d ms$/),
    ]);
    await page.clickOn('.outline-entry', 'Bash');
    expect(await chosen(page)).toMatch(/Bash[^]*no rule/);
    await page.until('document.activeElement?.closest(".story-list")');
    await page.clickOn('.outline-head button', 'Collapse all');
    expect(await lines(page)).toHaveLength(2);
    // What is read is in the first turn, whose line now stands for all of it.
    expect(await current(page)).toContain('Count the lamps');
    await page.clickOn('.outline-go', 'Now the desks.');
    expect(await chosen(page)).toMatch(/Prompt[^]*turn 2/);
    await page.clickOn('.outline-fold');
    expect(await lines(page)).toHaveLength(4);
    await page.clickOn('.outline-head button', 'Expand all');
    expect(await lines(page)).toHaveLength(5);
  });

  test('of 380 turns follows the scroll, with few lines on the page', async (pages) => {
    const page = await openLong(pages);
    const header = await page.read<string>('document.querySelector(".head").innerText');
    expect(header).toMatch(/380 turns[^]*152 errors/);
    expect(await page.read('document.querySelector(".outline-list .list-row").ariaSetSize')).toBe(
      String(TURNS + 10),
    );
    expect(await current(page)).toContain('Turn 1: count');
    for (const part of [0.25, 0.75, 0.5, 1, 0]) {
      await page.read(
        `{ const list = document.querySelector('.story-list'); list.scrollTop = ${part} * list.scrollHeight; }`,
      );
      // The line of what is read is current, and in sight.
      const seen = `(() => {
        const list = document.querySelector('.outline-list').getBoundingClientRect();
        const line = document.querySelector('.outline-list [aria-current=true]')?.getBoundingClientRect();
        return line !== undefined && line.top >= list.top - 1 && line.bottom <= list.bottom + 1;
      })()`;
      const turn = Math.max(1, Math.round(part * TURNS));
      await page.until(seen);
      await page.until(
        `Math.abs(parseInt(document.querySelector('.outline-list [aria-current=true]').innerText) - ${turn}) < 12
         || ${part} === 1`,
      );
    }
    await page.clickOn('.outline-head button', 'Expand all');
    await page.until(`document.querySelector('.outline-list .list-row').ariaSetSize === '${TURNS * 11}'`);
    expect(await page.read('document.querySelectorAll(".outline *").length')).toBeLessThan(1200);
    await keepPicture(page, 'outline-380');
    // The page itself never scrolls, however long a view is.
    for (const view of ['2', '3', '4', '5', '6', '1']) {
      await page.press(view);
      await page.settle();
      expect(await page.read('document.documentElement.scrollHeight > innerHeight'), view).toBe(false);
    }
  });

  test('is used by keys alone', async (pages) => {
    const page = await openLong(pages);
    await page.press('g');
    await page.until('document.activeElement.matches(".outline-list")');
    await page.press('ArrowDown');
    expect(await page.read('document.activeElement.innerText')).toMatch(/^2\s*Turn 2/);
    await page.press('ArrowRight');
    await page.press('ArrowDown');
    expect(await page.read('document.activeElement.innerText')).toContain('lamp 10');
    await page.press('Enter');
    await page.until('document.activeElement?.closest(".story-list")');
    expect(await chosen(page)).toContain('lamp 10');
    expect(await current(page)).toContain('lamp 10');
    await page.press('g');
    await page.press('ArrowDown');
    expect(await page.read('document.activeElement.innerText')).toContain('lamp 11');
    await page.press('ArrowLeft');
    await page.until('/^2\\s*Turn 2/.test(document.activeElement.innerText)');
    await page.press('End');
    await page.until('document.activeElement.innerText.includes("lamp 3799")');
    await page.press('Enter');
    expect(await chosen(page)).toContain('lamp 3799');
  });

  test('has the search in sight, and shows only what it found', async (pages) => {
    const page = await openLong(pages);
    expect(await page.read('document.getElementById("story-search").checkVisibility()')).toBe(true);
    await page.press('/');
    await page.type('lamp 123');
    await page.until('document.querySelector(".outline-found")');
    const found = await lines(page);
    expect(found[0]).toMatch(/^13\s*Turn 13[^]*1 found/);
    // lamp 123, and lamp 1230 to 1239.
    expect(found.filter((line) => line.includes('lamp'))).toHaveLength(11);
    await page.press('Enter');
    await page.until('document.querySelector(".story-list [aria-current=true] mark")');
    await page.type('nowhere');
    await page.untilText('Nothing matches.');
    await page.press('Escape');
    await page.until('document.querySelectorAll(".outline-list .list-row").length > 10');
  });

  test('stands beside the story on half a screen, and leaves it room', async (pages) => {
    const page = await openLong(pages);
    for (const width of [900, 1000]) {
      await page.look({ width, height: 800 });
      await page.until(isPanelSeen);
      expect(await page.read('document.querySelector(".outline-opener").checkVisibility()')).toBe(false);
      const [outline, story] = await page.read<[number, number]>(
        '[".outline", ".story-list"].map((part) => document.querySelector(part).getBoundingClientRect().width)',
      );
      expect(outline + story).toBeGreaterThan(width - 2);
      expect(story / outline).toBeGreaterThan(2);
      expect(await page.read('document.querySelector(".outline-head").offsetHeight')).toBeLessThan(60);
    }
  });

  test('is behind a button on a small page, and goes when it has led somewhere', async (pages) => {
    const page = await openLong(pages);
    await page.look({ width: 360, height: 740 });
    expect(await page.read(isPanelSeen)).toBe(false);
    expect(await page.read('document.getElementById("story-search").checkVisibility()')).toBe(true);
    await page.clickOn('.outline-opener button');
    await page.until(isPanelSeen);
    await keepPicture(page, 'outline-360');
    await page.clickOn('.outline-go', 'Turn 3:');
    expect(await page.read(isPanelSeen)).toBe(false);
    expect(await chosen(page)).toMatch(/turn 3$/m);
    await page.press('g');
    await page.until('document.activeElement.matches(".outline-list")');
    await page.press('Escape');
    expect(await page.read(isPanelSeen)).toBe(false);
    expect(await page.read('document.activeElement.closest(".outline-opener") !== null')).toBe(true);
  });

  test('looks right at three widths in both themes, for everyone', async (pages) => {
    const page = await openLong(pages);
    for (const width of [1600, 900, 360])
      for (const dark of [false, true]) {
        await page.look({ width, height: 800, dark });
        if (width === 360 && !dark) await page.clickOn('.outline-opener button');
        expect(await findLayoutTroubles(page, ['.outline-bar', '.outline-head', '.outline-lines'])).toEqual(
          [],
        );
        expect(await findSmallTargets(page, '.outline')).toEqual([]);
        expect(await auditPage(page, '.outline')).toEqual({ violations: [], incomplete: [] });
      }
  });
});
