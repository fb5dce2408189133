// The page of the support desk in a real browser, on the real CLI: a worker is killed by its button, the conversation goes on,
// and how the page looks at three widths and to a screen reader.
import { expect } from 'vitest';
import { auditPage } from '../browser/inspector/support/audit.js';
import { describeInBrowser } from '../browser/inspector/support/browser-tests.js';
import { startExample } from './support/start-example.js';

describeInBrowser('the page of the support desk', (test) => {
  test('shows a conversation go on when its worker is killed', async (pages) => {
    const url = await startExample('support-desk');
    const page = await pages.open(url, { width: 1400, height: 900 });
    await page.untilText('Be the customer');
    await page.until("document.querySelectorAll('#workers li').length === 2");
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });

    await page.clickOn('#ideas button');
    await page.untilText('Searches the warehouse for A-102');
    // Either worker may have it.
    await page.until(
      "[...document.querySelectorAll('#workers small')].some((small) => small.textContent === 'has 1 conversation')",
    );
    await page.read(
      "[...document.querySelectorAll('#workers li')].find((row) => row.textContent.includes('has 1')).querySelector('button').click()",
    );
    await page.untilText('killed; another one will come');
    await page.untilText('Another worker goes on with it: attempt 2.');
    await page.untilText('Wants to pay back A-102');
    await page.until("document.querySelectorAll('#approvals li').length === 1");
    // While the question is open, its worker waits, and nothing on the page says that it works.
    await page.until("/waits for an answer/i.test(document.querySelector('#status').textContent)");
    expect(await page.read("document.querySelector('#conversations').textContent")).not.toContain('at work');
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
    // A worker that has left the turn to wait was not killed, and the page does not say so.
    await page.untilText('No worker is held up by that.');
    await page.clickOn('#approvals .primary');
    await page.untilText('A worker goes on with the answer.');
    await page.untilText('Paid back $74 for A-102.');
    await page.untilText('$74 for A-102');
    const log = await page.read<string>("document.querySelector('#messages').innerText");
    expect(log.match(/was cut off/g)).toHaveLength(1);
    expect(log).toContain('you agreed.');

    for (const [width, dark] of [
      [1600, true],
      [800, false],
      [360, true],
    ] as const) {
      await page.look({ width, height: 800, dark });
      // Less where there is a scroll bar beside it.
      expect(
        await page.read<number>('document.documentElement.scrollWidth'),
        String(width),
      ).toBeLessThanOrEqual(width);
      expect(await auditPage(page), String(width)).toEqual({ violations: [], incomplete: [] });
    }
    // On the narrow page the chat comes first, then what waits for an answer, then the list.
    expect(
      await page.read(
        "[...document.querySelectorAll('main > section')].sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top).map((section) => section.className)",
      ),
    ).toEqual(['chat', 'desk', 'list']);
    expect(await page.read("document.querySelector('#figures').textContent")).toBe('1 conversation');
  });
});
