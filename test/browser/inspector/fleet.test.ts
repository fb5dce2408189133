// The fleet and the comparing of two runs in a real browser, from a page that is a file.
import { expect } from 'vitest';
import { EventMaker } from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, findSmallTargets, WIDTHS } from './support/layout.js';
import { makeFleet, OPEN_QUESTION } from './support/made-fleet.js';
import { keepPicture } from './support/pictures.js';
import { openSteeredPage, SteeredSource } from './support/steered-page.js';

const PARTS = ['.header', '.bar', '.fleet-head', '.fleet-filter', '.fleet-row', '.compare-bar'];
const titles = (page: Page): Promise<string[]> =>
  page.read('[...document.querySelectorAll(".fleet-title")].map((element) => element.textContent)');
const focused = (page: Page): Promise<string> => page.read('document.activeElement.textContent');

describeInBrowser('the fleet', (test) => {
  test('lists what there is, what asks for attention first, and each question once', async (pages) => {
    const url = await writeEmbeddedPage(makeFleet(), { questions: [OPEN_QUESTION] });
    const page = await pages.open(url);
    await page.until('document.querySelectorAll(".fleet-row").length === 12');
    await page.until('document.querySelector("[data-question]")');
    expect(await titles(page)).toEqual([
      'Send the invoice to Ines',
      'Nightly report',
      'Check the stock',
      'Check the stock, with opus',
      ...Array.from({ length: 8 }, (_, at) => `Translate chapter ${at + 1}.`),
    ]);
    expect(await page.read('document.body.innerText.split("Send \\"invoice.pdf\\"").length')).toBe(2);
    expect(await page.read('document.body.innerText.match(/1 question/g)')).toEqual(['1 question']);
    expect(await page.read('document.querySelector(".fleet-head h2").textContent')).toBe('12 sessions');
    expect(await page.read('document.querySelector("[data-session=failed]").innerText')).toMatch(
      /failed[^]*2 errors/,
    );
    await page.clickOn('[data-session=waiting] .fleet-open');
    await page.until('document.querySelector(".view-story")');
    expect(await page.read('location.hash')).toContain('session=waiting');
  });

  test('is a table of one line each down to 900 pixels, and begins on the first screen of a telephone', async (pages) => {
    const url = await writeEmbeddedPage(makeFleet(), { questions: [OPEN_QUESTION] });
    const page = await pages.open(url, { width: 1600, height: 900 });
    await page.until('document.querySelectorAll(".fleet-row").length === 12');
    const isSeen = (selector: string): string =>
      `[...document.querySelectorAll('${selector}')].some((each) => each.checkVisibility({ visibilityProperty: true }))`;
    for (const width of [1600, 900]) {
      await page.look({ width });
      const heights = await page.read<number[]>(
        '[...document.querySelectorAll(".fleet-row")].map(({ offsetHeight }) => offsetHeight)',
      );
      expect(Math.max(...heights), String(width)).toBeLessThanOrEqual(42);
      // The name of each column stands above it.
      const edges = (part: string): Promise<number[]> =>
        page.read(`[...document.querySelectorAll('${part} :is(.fleet-state, .fleet-what, .fleet-figures > div)')]
          .filter((each) => each.checkVisibility()).slice(0, 8).map((each) => Math.round(each.getBoundingClientRect().left))`);
      const columns = await edges('.fleet-columns');
      expect(columns.length).toBeGreaterThanOrEqual(6);
      expect((await edges('.fleet-row')).slice(0, columns.length)).toEqual(columns);
      expect(await page.read(isSeen('.fleet-columns .fleet-mark'))).toBe(true);
    }
    await page.look({ width: 360, height: 740 });
    // Four whole sessions and the word beside what marks them, without scrolling.
    const end = 'document.querySelectorAll(".fleet-row")[3].getBoundingClientRect().bottom';
    expect(await page.read(`${end} < document.querySelector(".dock-bar").getBoundingClientRect().top`)).toBe(
      true,
    );
    expect(await page.read('document.querySelector(".fleet-row .fleet-mark-word").offsetWidth > 30')).toBe(
      true,
    );
    // No filter is cut off, and what can be searched for can be read.
    for (const width of [360, 900, 1600]) {
      await page.look({ width });
      const cut = `[...document.querySelectorAll('.chip')].filter((chip) => {
        const [own, around] = [chip.getBoundingClientRect(), chip.parentElement.getBoundingClientRect()];
        return own.left < around.left - 1 || own.right > around.right + 1;
      }).length`;
      expect(await page.read(cut), String(width)).toBe(0);
      expect(
        await page.read('document.querySelector(".fleet-search").offsetWidth'),
        String(width),
      ).toBeGreaterThan(260);
    }
  });

  test('is searched and filtered, and says so when nothing fits', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage(makeFleet()));
    await page.press('/');
    await page.type('chapter 3.');
    expect(await titles(page)).toEqual(['Translate chapter 3.']);
    await page.press('Escape');
    await page.type('no counterpart');
    expect(await titles(page)).toHaveLength(8);
    expect(await page.read('document.querySelector(".fleet-line").textContent')).toContain('in its answer');
    await page.type(' nowhere');
    await page.untilText('No session matches');
    await page.clickOn('button', 'Show all sessions');
    expect(await titles(page)).toHaveLength(12);
    await page.clickOn('.chip', 'Failed');
    expect(await titles(page)).toEqual(['Nightly report']);
    expect(await page.read('document.querySelector(".fleet-head h2").textContent')).toBe('1 of 12 sessions');
  });

  test('is walked through, opened, marked and compared by keyboard alone', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage(makeFleet({ small: 2 })));
    await page.press('/');
    await page.type('stock');
    await page.press('Tab', { shift: true });
    await page.press('ArrowDown');
    expect(await focused(page)).toBe('Check the stock');
    await page.press('c');
    await page.press('ArrowDown');
    expect(await focused(page)).toBe('Check the stock, with opus');
    await page.press('c');
    await page.press('C');
    await page.until('document.querySelector(".compare-steps h2")');
    expect(await page.read('document.querySelector(".compare-steps h2").textContent')).toMatch(
      /^4 steps differ, 1 only in B; 3 the same$/,
    );
    await page.press('Escape');
    await page.until('document.querySelector(".fleet-row")');
    await page.press('ArrowDown');
    await page.press('Enter');
    await page.until('document.querySelector(".view-story")');
  });

  test('keeps its rows where they are while one has the focus or the pointer is over them', async (pages) => {
    const source = new SteeredSource();
    const maker = new EventMaker('last').open('query', 'The last').prompt('Go on.').init();
    const tell = (): void => {
      for (const { event } of maker.events.splice(0)) source.add('last', event);
    };
    for (const name of ['a', 'b', 'c'])
      source.play(name, new EventMaker(name).open('query', name).prompt('Go.').init().call('x').events);
    tell();
    const { page, close } = await openSteeredPage(pages, source, { path: '&view=fleet' });
    try {
      await page.until('document.querySelectorAll(".fleet-row").length === 4');
      await page.read(`{ const order = document.querySelector('select[aria-label=Order]');
        order.value = 'errors'; order.dispatchEvent(new Event('change', { bubbles: true })); }`);
      await page.until(
        'document.querySelector(".fleet-row:last-child .fleet-title").textContent === "The last"',
      );
      await page.read('document.querySelector(".fleet-row .fleet-open").focus()');
      const had = await focused(page);
      maker.call('bad', 'Bash', {}, { isError: true, result: 'no' });
      tell();
      for (const summary of source.sessions())
        for (const listener of source.listeners) listener.summary(summary);
      // The news has arrived, and the rows stand.
      await page.until('document.querySelector(".fleet-row:last-child").innerText.includes("1 error")');
      const stand = await titles(page);
      expect(stand.at(-1)).toBe('The last');
      expect(await focused(page)).toBe(had);
      const { left, top } = await page.read<{ left: number; top: number }>(
        '(({ left, top }) => ({ left, top }))(document.querySelector(".fleet-row:nth-child(2)").getBoundingClientRect())',
      );
      await page.mouse('mouseMoved', left + 60, top + 12);
      await page.read('document.activeElement.blur()');
      await page.settle();
      expect(await titles(page)).toEqual(stand);
      // Left alone, they are sorted again; the others keep their order.
      await page.mouse('mouseMoved', left + 60, 4);
      await page.until('document.querySelector(".fleet-row .fleet-title").textContent === "The last"');
      expect((await titles(page)).slice(1)).toEqual(stand.slice(0, -1));
    } finally {
      await close();
    }
  });

  test('puts two runs beside each other: figures, words and inputs that differ, equal steps folded', async (pages) => {
    const url = await writeEmbeddedPage(makeFleet({ small: 0 }));
    const page = await pages.open(`${url}#view=fleet&session=first&with=second`);
    await page.until('document.querySelector(".compare-steps h2")');
    const text = await page.read<string>('document.querySelector(".compare").innerText');
    expect(text).toContain('standing desk');
    expect(text).toMatch(/Cost\s+\$0\.0123\s+\$0\.0712\s+\+\$0\.0589/);
    expect(
      await page.read('[...document.querySelectorAll("ins")].map((e) => e.textContent).join("|")'),
    ).toContain('standing');
    await page.clickOn('.compare-fold');
    expect(await page.read('document.querySelector(".compare-same-steps").innerText')).toContain('Prompt');
    await page.press('x');
    await page.until('document.querySelector(".compare-title").textContent === "Check the stock, with opus"');
    for (const width of WIDTHS) {
      await page.look({ width });
      expect(await findLayoutTroubles(page, ['.compare-side', '.compare-table', '.compare-step'])).toEqual(
        [],
      );
      await keepPicture(page, `compare-${width}`);
    }
    await page.look({ dark: true });
    await keepPicture(page, 'compare-1600-dark');
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
    await page.look({ dark: false });
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
  });

  test('fits three widths in both themes, for fingers and for screen readers', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage(makeFleet(), { questions: [OPEN_QUESTION] }));
    await page.until('document.querySelector(".fleet-row")');
    await page.clickOn('[data-session=first] .fleet-mark');
    for (const dark of [false, true])
      for (const width of WIDTHS) {
        await page.look({ width, dark });
        expect(await findLayoutTroubles(page, PARTS)).toEqual([]);
        expect(await findSmallTargets(page, '.view-fleet')).toEqual([]);
        // The same elements at every width but for what is hidden: the narrowest and the widest will do.
        if (width !== 800) expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
        await keepPicture(page, `fleet-${width}${dark ? '-dark' : ''}`);
      }
  });

  test('holds 200 sessions', async (pages) => {
    const page = await pages.open(await writeEmbeddedPage(makeFleet({ small: 196 })));
    await page.until('document.querySelectorAll(".fleet-row").length === 200');
    expect(await page.read('document.querySelector(".fleet-head h2").textContent')).toBe('200 sessions');
    await keepPicture(page, 'fleet-200');
  });
});
