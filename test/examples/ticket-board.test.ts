// The page of the ticket board in a real browser, on the real CLI: a review by two people in two windows, a reload, and how the
// page looks at three widths and to a screen reader.
import { expect } from 'vitest';
import { auditPage } from '../browser/inspector/support/audit.js';
import { describeInBrowser } from '../browser/inspector/support/browser-tests.js';
import type { Page } from '../browser/support/page.js';
import { startExample } from './support/start-example.js';

const titlesIn = (page: Page, column: string): Promise<string[]> =>
  page.read(`[...document.querySelectorAll('#${column} h3')].map((title) => title.textContent)`);

async function fill(page: Page, selector: string, text: string): Promise<void> {
  await page.clickOn(selector);
  await page.read(`document.querySelector(${JSON.stringify(selector)}).select()`);
  await page.type(text);
}

describeInBrowser('the page of the ticket board', (test) => {
  test('is where two people review what the agent proposes', async (pages) => {
    const url = await startExample('ticket-board');
    const ann = await pages.open(url, { width: 1400, height: 1000 });
    await ann.untilText('What should be on the board?');
    expect(await auditPage(ann)).toEqual({ violations: [], incomplete: [] });

    await ann.clickOn('#text');
    await ann.type('Login fails on mobile, the CSV export is wanted, rename the settings page');
    await ann.press('Enter');
    await ann.until("document.querySelectorAll('#staged li').length === 3");
    await ann.untilText('Waits for a reviewer: 3 tickets on the board.');
    const ben = await pages.open(await ann.read<string>('location.href'), { width: 1400, height: 1000 });
    expect(await titlesIn(ben, 'staged')).toEqual(await titlesIn(ann, 'staged'));
    await fill(ben, '#reviewer', 'Ben');

    // Ann edits what Ben is just looking at.
    await ben.clickOn('#staged li:nth-child(2) .edit');
    await ben.clickOn('#staged li:first-child .edit');
    await ben.clickOn('#staged li:nth-child(2) [name=title]');
    await ann.clickOn('#staged li:first-child .edit');
    expect(await auditPage(ann)).toEqual({ violations: [], incomplete: [] });
    await fill(ann, '#staged li:first-child [name=title]', 'Login fails on iOS');
    await ann.press('Enter');
    await ann.until("document.querySelectorAll('#staged li').length === 2");
    expect(await ann.read("document.activeElement.matches('#staged li:first-child')")).toBe(true);
    await ben.untilText('“Login fails on mobile” was decided elsewhere, or withdrawn.');
    await ben.until("document.querySelectorAll('#open li').length === 1");
    expect(await titlesIn(ben, 'open')).toEqual(['Login fails on iOS']);
    // The card he is typing in keeps its place under his hands.
    expect(await ben.read("document.activeElement.matches('#staged li:first-child [name=title]')")).toBe(
      true,
    );
    await ben.press('Escape');

    await ben.clickOn('#staged li:first-child .reject');
    await ben.press('Escape');
    expect(await ben.read("document.activeElement.matches('#staged li:first-child .reject')")).toBe(true);
    await ben.press('Enter');
    await ben.type('We have that.');
    await ben.clickOn('#staged li:first-child .reject');
    await ann.until("document.querySelectorAll('#staged li').length === 1");
    await ann.clickOn('#staged .approve');
    await ann.untilText('One was rejected. You say: We have that.');
    await ann.until("!document.querySelector('#send').hidden");
    expect(await titlesIn(ann, 'open')).toEqual(['Rename the settings page', 'Login fails on iOS']);
    await ben.clickOn('#open li:first-child button');
    await ann.until("document.querySelectorAll('#done li').length === 1");

    const said = await ann.read<string>("document.querySelector('#messages').innerText");
    await ann.reload();
    expect(await ann.read<string>("document.querySelector('#messages').innerText")).toBe(said);
    expect(await titlesIn(ann, 'done')).toEqual(['Rename the settings page']);

    for (const [width, dark] of [
      [1600, true],
      [800, false],
      [360, true],
    ] as const) {
      await ann.look({ width, height: 800, dark });
      for (const tab of width < 1000 ? ['chat', 'board'] : ['all']) {
        if (tab !== 'all') await ann.clickOn(`[data-to=${tab}]`);
        expect(await ann.read<number>('document.documentElement.scrollWidth'), `${width} ${tab}`).toBe(width);
        expect(await auditPage(ann), `${width} ${tab}`).toEqual({ violations: [], incomplete: [] });
      }
    }
  });
});
