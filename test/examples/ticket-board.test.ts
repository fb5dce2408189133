// The page of the ticket board in a real browser, on the real CLI: signing in, a review by two people in two windows, a ticket
// with its history and comments, a reload, what a page of another origin achieves, and how the page looks at three widths and to
// a screen reader.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
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

async function signIn(page: Page, name: string): Promise<void> {
  await page.clickOn('#demo button', name);
  await page.clickOn('#sign-in .primary');
  await page.untilText(`${name}, `);
}

describeInBrowser('the page of the ticket board', (test) => {
  test('is where two people review what the agent proposes', async (pages) => {
    const url = await startExample('ticket-board');
    const ann = await pages.open(url, { width: 1400, height: 1000 });
    expect(await auditPage(ann)).toEqual({ violations: [], incomplete: [] });
    await fill(ann, '#sign-in [name=name]', 'Ann');
    await fill(ann, '#sign-in [name=password]', 'wrong');
    await ann.press('Enter');
    await ann.untilText('Name or password is wrong.');
    // The browser logs that the server has refused.
    expect(ann.troubles.splice(0)).toEqual([expect.stringContaining('401 (Unauthorized)')]);
    await signIn(ann, 'Ann');
    await ann.untilText('What should be on the board?');
    expect(await ann.read('document.cookie')).toBe('');
    expect(await auditPage(ann)).toEqual({ violations: [], incomplete: [] });

    await ann.clickOn('#text');
    await ann.type('Login fails on mobile, the CSV export is wanted, rename the settings page');
    await ann.press('Enter');
    await ann.until("document.querySelectorAll('#staged li').length === 3");
    await ann.untilText('Waits for a reviewer: 3 tickets on the board.');
    const ben = await pages.open(await ann.read<string>('location.href'), { width: 1400, height: 1000 });
    await signIn(ben, 'Ben');
    await ben.until("document.querySelectorAll('#staged li').length === 3");
    expect(await titlesIn(ben, 'staged')).toEqual(await titlesIn(ann, 'staged'));

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
    await ben.clickOn('#staged li:first-child .decide');
    await ann.until("document.querySelectorAll('#staged li').length === 1");
    await ann.clickOn('#staged .decide');
    await ann.untilText('One was rejected. You say: We have that.');
    await ann.until("document.body.dataset.activity === 'idle'");
    expect(await titlesIn(ann, 'open')).toEqual(['Rename the settings page', 'Login fails on iOS']);
    await ben.clickOn('#open li:first-child [value=done]');
    await ann.until("document.querySelectorAll('#done li').length === 1");

    // The ticket, opened: its history, an assignee, a comment that is text and no markup, and the message that began it.
    await ben.clickOn('#open h3 button');
    await ben.until("document.querySelector('#ticket').open");
    expect(await auditPage(ben)).toEqual({ violations: [], incomplete: [] });
    await ben.clickOn('#ticket .write textarea');
    await ben.type('<img src=x onerror=alert(1)> on iOS 18');
    await ben.clickOn('#ticket .write button');
    await ben.until("document.querySelectorAll('#comments li').length === 1");
    expect(await ben.read("document.querySelectorAll('#comments img').length")).toBe(0);
    await ben.read("document.querySelector('#assignee').value = 'Mia'");
    await ben.read(
      "document.querySelector('#assignee').dispatchEvent(new Event('change', { bubbles: true }))",
    );
    await ben.until("document.querySelector('#ticket-history').innerText.includes('assigned')");
    const history = await ben.read<string>("document.querySelector('#ticket-history').innerText");
    for (const line of ['The agent proposed', 'Ann approved', 'The agent created', 'Ben assigned'])
      expect(history).toContain(line);
    await ben.clickOn('#ticket-history a');
    await ben.until("document.querySelector('.named')?.innerText.includes('Login fails on mobile')");
    await ben.until("!document.querySelector('#ticket').open");
    await fill(ben, '#find', 'ios 18');
    await ben.until("document.querySelectorAll('#done li').length === 0");
    expect(await titlesIn(ben, 'open')).toEqual(['Login fails on iOS']);
    await ben.clickOn('[data-do=history]');
    await ben.untilText('We have that.');
    // A line at the edge of the list is half covered, and how many there are depends on the length of the time of day.
    expect((await auditPage(ben)).violations).toEqual([]);

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

  test('shows a member nothing to decide with, and lets no page of another origin act for somebody', async (pages) => {
    const url = await startExample('ticket-board');
    const mia = await pages.open(url);
    await signIn(mia, 'Mia');
    await mia.clickOn('.idea');
    await mia.clickOn('#send');
    await mia.until("document.querySelectorAll('#staged li').length === 3");
    const visible = (selector: string) =>
      mia.read(`[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility()).length`);
    expect(await visible('#staged .decide, #approve-all, .inspector')).toBe(0);

    // Another port of the same machine: the browser sends the cookie, and says where the page is from.
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><html data-ready="true"><title>Other</title></html>');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const attacker = await pages.open(origin, {}, mia);
    const attack = (path: string, type: string) => `fetch('${url}${path}', {
      method: 'POST', credentials: 'include', mode: 'no-cors', headers: { 'content-type': '${type}' }, body: '{"text":"Hacked"}',
    }).then(() => 'sent', () => 'refused')`;
    await attacker.read(attack('api/chats/new/messages', 'text/plain'));
    await attacker.read(attack('api/sign-out', 'text/plain'));
    expect(
      await attacker.read(
        `fetch('${url}api/history', { credentials: 'include' }).then(() => 'read', () => 'refused')`,
      ),
    ).toBe('refused');
    attacker.troubles.length = 0;
    // A page behind another one is not drawn.
    await mia.send('Page.bringToFront');
    await mia.reload();
    await mia.until("document.querySelectorAll('#staged li').length === 3");
    expect(await mia.read("document.querySelectorAll('#chat-list li').length")).toBe(1);

    // Whoever signs out leaves the page, which is then loaded again.
    await mia.read('void (window.isOld = true)');
    await mia.clickOn('.me button');
    await mia.until("!window.isOld && document.body?.dataset.role === 'none'");
    await mia.until("!document.body.innerText.includes('Login fails')");
    expect(await auditPage(mia)).toEqual({ violations: [], incomplete: [] });
  });
});
