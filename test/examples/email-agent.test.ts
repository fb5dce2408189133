// The page of the email agent in a real browser, on the real CLI: a first question, a draft that is found, edited and sent by
// keyboard, and how the page looks at three widths and to a screen reader.
import { expect } from 'vitest';
import { auditPage } from '../browser/inspector/support/audit.js';
import { describeInBrowser } from '../browser/inspector/support/browser-tests.js';
import { startExample } from './support/start-example.js';

describeInBrowser('the page of the email agent', (test) => {
  test('leads from a first question to a mail that a person has sent', async (pages) => {
    const page = await pages.open(await startExample('email-agent'), { width: 1400, height: 1000 });
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
    await page.clickOn('#ideas button', 'Answer the newest mail');
    await page.until("document.querySelector('.draft') && !document.querySelector('#to-draft').hidden");
    await page.clickOn('#to-draft');
    expect(await page.read("document.activeElement.matches('.draft textarea')")).toBe(true);
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });

    await page.clickOn('.draft button', 'Reject');
    await page.press('Escape');
    expect(await page.read('document.activeElement.textContent')).toBe('Reject');
    await page.clickOn('.draft button', 'Send');
    await page.until("document.querySelector('.draft') === null");
    expect(await page.read('document.activeElement.id')).toBe('mail');
    await page.untilText('It was sent, as you left it.');

    await page.clickOn('#boxes button', 'Sent');
    await page.clickOn('#mails button', 'Re: Lunch on Thursday?');
    await page.until("document.querySelector('#mail h2').textContent === 'Re: Lunch on Thursday?'");
    expect(await page.read("document.querySelector('#mail .actions').checkVisibility()")).toBe(false);
    await page.until("document.activeElement.matches('#mails button[aria-current=true]')");

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
