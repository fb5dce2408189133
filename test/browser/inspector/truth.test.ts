// What the page says is true: the time while a person is awaited, the input that ran, and what can still be done.
import { expect } from 'vitest';
import { text, toolUse } from '../../../packages/inboard/src/testing.js';
import type { Page } from '../support/page.js';
import { describeInBrowser } from './support/browser-tests.js';
import { onLiveStage } from './support/live-stage.js';
import { keepPicture } from './support/pictures.js';

const send = (to: string) => toolUse('mcp__shop__send', { to, pages: 1 });
const untilCards = (page: Page, count: number): Promise<void> =>
  page.until(`document.querySelectorAll("[data-question]").length === ${count}`);
const NEVER = 'Nothing can be sent or changed here';

/** The seconds that the table of the timeline counts for the reader. */
const WAITED = `parseFloat([...document.querySelectorAll('.tl-shares tbody tr')].find((row) =>
  row.querySelector('.tl-share-word').innerText === 'you')?.querySelector('td').innerText ?? '0')`;

describeInBrowser('the inspector tells the truth', (test) => {
  test('about the time while a person is awaited, in every view and without motion', async (pages) => {
    await onLiveStage({ script: [send('Ines'), text('Sent.')] }, async (stage) => {
      const running = stage.start('Send the letter.');
      const page = await pages.open(stage.link(), { reducedMotion: true });
      await untilCards(page, 1);
      // Another view is shown meanwhile. The time goes on without it.
      await page.until('/you [2-9]\\.\\d s/.test(document.querySelector(".time-line").title)');
      await page.press('2');
      await page.until(`${WAITED} >= 3`);
      expect(await page.read('document.querySelector(".tl-shares").innerText')).toMatch(/1\s+question/);
      await page.press('6');
      await page.until('parseFloat(document.querySelector(".fleet-row .fleet-time dd").innerText) >= 4');
      await page.clickOn('.qcard-yes');
      await running.done;
      // Before its server, which it would try to reach again.
      await page.close();
    });
  });

  test('about a session that is over, while another one has a question', async (pages) => {
    await onLiveStage({ script: [text('Nothing to do.'), send('Ines'), text('Sent.')] }, async (stage) => {
      const page = await pages.open(stage.link());
      await stage.start('Is there anything to do?').done;
      await page.untilText(NEVER);
      const running = stage.start('Send the letter.');
      await untilCards(page, 1);
      // The session that is over is still shown, but the card beside it can be answered.
      expect(await page.read('document.querySelector("#view").innerText')).toContain('Nothing to do.');
      expect(await page.read('document.body.innerText')).not.toContain(NEVER);
      for (const view of ['2', '3', '4', '5', '6', '1']) {
        await page.press(view);
        expect([view, await page.read(`document.body.innerText.includes(${JSON.stringify(NEVER)})`)]).toEqual(
          [view, false],
        );
      }
      await page.clickOn('.qcard-yes');
      await running.done;
      // Once nothing is open, it is true again, for this session.
      await page.untilText(NEVER);
      await page.close();
    });
  });

  test('about the input that ran, and about what can be done', async (pages) => {
    await onLiveStage({ script: [send('Jonas'), text('Sent.')] }, async (stage) => {
      const page = await pages.open(stage.link());
      const running = stage.start('Send the letter.');
      await untilCards(page, 1);
      await page.clickOn('[data-question] textarea, [data-question] input');
      await page.press('a', { ctrl: true });
      await page.type('Jonas Müller');
      await page.clickOn('.qcard-yes');
      await running.done;
      await page.untilText('Sent.');
      expect(stage.sent).toEqual([{ to: 'Jonas Müller', pages: 1 }]);
      expect(await page.read('document.querySelector(".card-input").innerText')).toContain('Jonas Müller');
      await page.until('document.querySelector(".card-edit ins") !== null');
      expect(await page.read('document.querySelector(".card-edit del").innerText')).toBe('"Jonas"');
      await page.untilText(NEVER);
      await keepPicture(page, 'truth-edited');
      await page.press('3');
      await page.untilText('edited: to: "Jonas" → "Jonas Müller"');
      await page.press('4');
      await page.until(`!document.body.innerText.includes(${JSON.stringify(NEVER)})`);
      await page.press('6');
      await page.until(`!document.body.innerText.includes(${JSON.stringify(NEVER)})`);
      await page.close();
    });
  });
});
