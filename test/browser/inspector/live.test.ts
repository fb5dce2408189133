// The inspector of a running process in a real browser: the real CLI, a scripted model, the real server.
import { expect } from 'vitest';
import { gate, held, reply, text, thinking, toolUse } from '../../../packages/inboard/src/testing.js';
import type { SDKMessage } from '../../../packages/inboard/src/index.js';
import type { Page } from '../support/page.js';
import { describeInBrowser } from './support/browser-tests.js';
import { createCutLine } from './support/cut-line.js';
import { onLiveStage } from './support/live-stage.js';
import { keepPicture } from './support/pictures.js';

const SEND = 'mcp__shop__send';
const send = (to: string, pages = 1) => toolUse(SEND, { to, pages });
const shown = (page: Page): Promise<string> => page.read('document.querySelector("#view").innerText');
const cards = (page: Page): Promise<number> =>
  page.read('document.querySelectorAll("[data-question]").length');
const untilCards = (page: Page, count: number): Promise<void> =>
  page.until(`document.querySelectorAll("[data-question]").length === ${count}`);

/** What the tools returned to the model, in order. */
function results(messages: readonly SDKMessage[]): string[] {
  return messages.flatMap((message) =>
    message.type === 'user' && Array.isArray(message.message.content)
      ? message.message.content.flatMap((block) =>
          block.type === 'tool_result' ? [JSON.stringify(block.content)] : [],
        )
      : [],
  );
}

describeInBrowser('the inspector of a running process', (test) => {
  test('shows a run as it goes, and lets a person approve, refuse and change what tools are given', async (pages) => {
    const script = [
      reply(thinking('Three letters, one after the other.'), send('Ines')),
      send('Bo'),
      send('Jonas'),
      text('Two letters are on their way.'),
    ];
    await onLiveStage({ script }, async (stage) => {
      const page = await pages.open(stage.link());
      await page.untilText('No session');
      const running = stage.start('Send the letters.');

      await untilCards(page, 1);
      await page.untilText('Send the letters.');
      await keepPicture(page, 'live-question');
      await page.clickOn('.qcard-yes');
      await page.until(
        '[...document.querySelectorAll("[data-question]")].some((card) => card.querySelector("textarea, input")?.value.includes("Bo"))',
      );
      await page.clickOn('.qcard-no');
      await page.type('Bo moved away.');
      await page.press('Enter');

      await page.until(
        '[...document.querySelectorAll("[data-question]")].some((card) => card.querySelector("textarea, input")?.value.includes("Jonas"))',
      );
      await page.clickOn('[data-question] textarea, [data-question] input');
      await page.press('a', { ctrl: true });
      await page.type('Jonas Müller');
      await page.clickOn('.qcard-yes');

      const messages = await running.done;
      expect(stage.sent).toEqual([
        { to: 'Ines', pages: 1 },
        { to: 'Jonas Müller', pages: 1 },
      ]);
      expect(results(messages)[1]).toContain('Bo moved away.');
      await page.untilText('Two letters are on their way.');
      const story = await shown(page);
      expect(story).toContain('Bo moved away.');
      expect(story).toMatch(/edited/i);
      expect(await cards(page)).toBe(0);
      await keepPicture(page, 'live-story');
    });
  });

  test('loses nothing over a reload, a second page and a connection that drops', async (pages) => {
    const goOn = gate();
    const script = [send('Ines'), held(send('Bo'), goOn), text('Done, all of it.')];
    await onLiveStage({ script }, async (stage) => {
      const running = stage.start('Send two letters.');
      const line = await createCutLine(stage.port);
      try {
        const page = await pages.open(line.through(stage.link()));
        await untilCards(page, 1);
        await page.reload();
        await untilCards(page, 1);
        expect(await shown(page)).toContain('Send two letters.');

        const other = await pages.open(stage.link());
        await untilCards(other, 1);
        line.cut();
        await page.until('/lost|gone|again/i.test(document.querySelector(".app").innerText)');
        await other.clickOn('.qcard-yes');
        await untilCards(other, 0);
        goOn.open();
        await untilCards(other, 1);
        await other.clickOn('.qcard-yes');
        await running.done;
        await other.untilText('Done, all of it.');
        expect(await shown(page)).not.toContain('Done, all of it.');

        line.mend();
        await page.untilText('Done, all of it.');
        await untilCards(page, 0);
        // Both have read the same events: not one is missing or told twice.
        const count = 'document.querySelectorAll("#view [data-index]").length';
        expect(await page.read(count)).toBe(await other.read(count));
        // That requests fail while the line is cut is what the page is tested for.
        page.troubles.length = 0;
        // Before the line it hangs on.
        await page.close();
      } finally {
        await line.close();
      }
    });
  });

  test('watches several sessions, and answers them in any order', async (pages) => {
    await onLiveStage(
      { script: [send('someone'), send('someone'), text('Sent.'), text('Sent.')] },
      async (stage) => {
        const page = await pages.open(stage.link());
        const one = stage.start('Send the first letter.');
        await untilCards(page, 1);
        const two = stage.start('Send the second letter.');
        await untilCards(page, 2);
        await page.press('6');
        await page.until('document.querySelectorAll(".fleet-row").length === 2');
        expect(await page.read('document.querySelector(".dock-head").innerText')).toContain(
          '2 questions wait',
        );
        await keepPicture(page, 'live-fleet');
        await page.clickOn('[data-question]:last-of-type .qcard-yes');
        await untilCards(page, 1);
        await page.clickOn('.qcard-yes');
        await Promise.all([one.done, two.done]);
        await page.until(
          '[...document.querySelectorAll(".fleet-row")].every((row) => /ended/.test(row.innerText))',
        );
        expect(stage.sent).toHaveLength(2);
      },
    );
  });
});
