// The page of the email agent in a real browser, on the real CLI: a first question, a draft that is found, edited and sent by
// keyboard, a reload in mid-answer, a stop, and how the page looks at three widths and to a screen reader.
import { expect } from 'vitest';
import { auditPage } from '../browser/inspector/support/audit.js';
import { describeInBrowser } from '../browser/inspector/support/browser-tests.js';
import { startExample } from './support/start-example.js';

const WAITS = "document.querySelector('.draft') && !document.querySelector('#to-draft').hidden";

describeInBrowser('the page of the email agent', (test) => {
  test('leads from a first question to a mail that a person has sent, over a reload', async (pages) => {
    const page = await pages.open(await startExample('email-agent'), { width: 1400, height: 1000 });
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
    await page.clickOn('#ideas button', 'Check my email');
    await page.untilText('The newest in your inbox');
    await page.until("!document.querySelector('#ask').hidden");
    await page.clickOn('#words');
    await page.type('answer the newest mail');
    await page.press('Enter');
    await page.until(WAITS);
    // What was said is the server's, and the answer that is under way goes on.
    await page.reload();
    await page.until(WAITS);
    await page.until("document.querySelectorAll('#talk .you').length === 2");
    expect(
      await page.read("[...document.querySelectorAll('#talk .you')].map((row) => row.textContent)"),
    ).toEqual(['Check my email', 'answer the newest mail']);
    await page.clickOn('#to-draft');
    expect(await page.read("document.activeElement.matches('.draft textarea')")).toBe(true);
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });

    await page.clickOn('.draft button', 'Send');
    await page.until("document.querySelector('.draft') === null");
    expect(await page.read('document.activeElement.id')).toBe('mail');
    await page.untilText('It was sent, as you left it.');

    await page.clickOn('#boxes button', 'Sent');
    await page.untilText('To Ida Berg');
    await page.clickOn('#mails button', 'Re: Lunch on Thursday?');
    await page.until("document.querySelector('#mail h2').textContent === 'Re: Lunch on Thursday?'");
    expect(await page.read("document.querySelector('#mail .actions').checkVisibility()")).toBe(false);
    await page.until("document.activeElement.matches('#mails button[aria-current=true]')");

    await page.clickOn('#boxes button', 'Inbox');
    await page.clickOn('#terms');
    await page.type('museums');
    await page.until("document.querySelectorAll('#mails li').length === 1");
    await page.untilText('Ten small museums by the sea');

    // Stopped while its draft waits, an answer takes its draft along.
    await page.clickOn('#words');
    await page.type('write to cy@y.example');
    await page.press('Enter');
    await page.until(WAITS);
    await page.clickOn('#stop');
    await page.until("document.querySelector('.draft') === null && !document.querySelector('#ask').hidden");

    for (const [width, dark] of [
      [1600, true],
      [800, false],
      [360, true],
    ] as const) {
      await page.look({ width, height: 800, dark });
      for (const view of width > 1060 ? ['all'] : width > 640 ? ['desk', 'chat'] : ['mail', 'desk', 'chat']) {
        if (view !== 'all') await page.clickOn(`[data-show=${view}]`);
        expect(await page.read('document.documentElement.scrollWidth'), `${width} ${view}`).toBe(width);
        expect(await auditPage(page), `${width} ${view}`).toEqual({ violations: [], incomplete: [] });
      }
    }
  });
});
