// The tools view on a real page of the real server: what is told of tools, a call by hand, and a recorded one made again.
import { expect } from 'vitest';
import type { Action, ActionResult } from '../../../packages/inspector/src/model/page-contract.js';
import { readFixture } from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser, type Pages } from './support/browser-tests.js';
import { writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, findSmallTargets, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';
import { openSteeredPage, SteeredSource } from './support/steered-page.js';

const LAMPS: ActionResult = {
  ok: true,
  result: { content: [{ type: 'text', text: '409 × blue lamp' }], durationMs: 12.4 },
};

async function withTools(
  pages: Pages,
  answer: (action: Action) => ActionResult,
  body: (page: Page, source: SteeredSource) => Promise<void>,
): Promise<void> {
  const source = new SteeredSource();
  source.play('one', readFixture('story'));
  source.answerBy(answer);
  const { page, close } = await openSteeredPage(pages, source);
  try {
    await page.press('4');
    await page.until(`document.querySelector('.tool-row')`);
    await body(page, source);
  } finally {
    await close();
  }
}

describeInBrowser('the tools view', (test) => {
  test('filters, and tells of a tool what the model sees and how its calls went', async (pages) => {
    await withTools(
      pages,
      () => LAMPS,
      async (page) => {
        await page.press('/');
        await page.type('warehouse');
        await page.until(`document.querySelectorAll('.tool-row').length === 1`);
        await page.press('Tab');
        await page.press('Enter');
        for (const text of [
          'mcp__shop__count_stock',
          'seen from the start',
          'count_stock(warehouse, article)',
        ])
          await page.untilText(text);
        await page.untilText('connect ETIMEDOUT');
        await page.clickOn('.schema-head button', 'JSON Schema');
        await page.untilText('"properties"');
      },
    );
  });

  test('says why a tool did not run', async (pages) => {
    await withTools(
      pages,
      () => LAMPS,
      async (page) => {
        await page.clickOn('.tool-row', 'refund_order');
        await page.untilText('The model asked for it once, and was refused: Jonas asked us');
        await page.clickOn('.tool-row', 'CronCreate');
        await page.untilText('The model saw it from the start, but did not choose it');
        await page.untilText('Only tools of this process can be called by hand');
      },
    );
  });

  test('calls a tool by hand, checked by its schema, and keeps what came of it', async (pages) => {
    const refused: ActionResult = {
      ok: false,
      error: {
        code: 'INVALID',
        message: 'It does not fit.',
        issues: [{ path: ['article'], message: 'is unknown' }],
      },
    };
    let isFirst = true;
    const answer = (): ActionResult => {
      const result = isFirst ? refused : LAMPS;
      isFirst = false;
      return result;
    };
    await withTools(pages, answer, async (page, source) => {
      await page.clickOn('.tool-row', 'count_stock');
      await page.clickOn('.tool-buttons button', 'Call');
      await page.untilText('warehouse is required');
      expect(source.acts).toEqual([]);
      await page.clickOn('#hand-call-warehouse');
      await page.type('Lund');
      await page.clickOn('#hand-call-article');
      await page.type('lamp');
      await page.clickOn('.tool-buttons button', 'Call');
      await page.untilText('article is unknown');
      await page.clickOn('.tool-buttons button', 'Call');
      await page.untilText('409 × blue lamp');
      await page.untilText('12 ms');
      expect(source.acted('call-tool')[1]).toEqual({
        action: 'call-tool',
        session: 'one',
        server: 'shop',
        tool: 'count_stock',
        input: { warehouse: 'Lund', article: 'lamp' },
      });
      await page.press('1');
      await page.press('Escape');
      await page.clickOn('.tab', 'Tools');
      await page.untilText('409 × blue lamp');
    });
  });

  test('makes a recorded call again and shows what differs', async (pages) => {
    await withTools(
      pages,
      () => LAMPS,
      async (page, source) => {
        await page.clickOn('.tool-row', 'count_stock');
        await page.clickOn('.call-list li:last-child button', 'Replay');
        await page.clickOn('.replay button', 'Call with this input');
        await page.untilText('1 difference.');
        await page.untilText('− 412 × blue lamp');
        await page.untilText('+ 409 × blue lamp');
        expect(source.acted('call-tool')[0]?.input).toEqual({ warehouse: 'Lund', article: 'blue lamp' });
        await page.clickOn('.replay button', 'Put it into the form');
        await page.until(`document.querySelector('#hand-call-warehouse').value === 'Lund'`);
        await keepPicture(page, 'tools-replay');
      },
    );
  });

  test('does not send a redacted input again, and says so', async (pages) => {
    const source = new SteeredSource();
    const events = readFixture('story').map((event) => ({
      ...event,
      event: JSON.parse(
        JSON.stringify(event.event).replaceAll('"Lund"', '"[redacted]"'),
      ) as typeof event.event,
    }));
    source.play('one', events);
    const { page, close } = await openSteeredPage(pages, source);
    try {
      await page.press('4');
      await page.clickOn('.tool-row', 'count_stock');
      await page.clickOn('.call-list li:last-child button', 'Replay');
      await page.untilText('was redacted when it was recorded');
      await page.clickOn('.replay button', 'Call with this input');
      expect(source.acts).toEqual([]);
    } finally {
      await close();
    }
  });

  test('says why nothing can be called where it cannot', async (pages) => {
    const page = await pages.open(
      await writeEmbeddedPage({ story: readFixture('story').map(({ event }) => event) }),
    );
    await page.press('4');
    await page.clickOn('.tool-row', 'count_stock');
    await page.untilText('This page is a file: no tool is behind it.');
    expect(await page.read(`document.querySelectorAll('#hand-call-warehouse').length`)).toBe(0);
  });

  test('looks right in every size and both themes, for everyone', async (pages) => {
    await withTools(
      pages,
      () => LAMPS,
      async (page) => {
        await page.clickOn('.tool-row', 'count_stock');
        for (const dark of [false, true])
          for (const width of WIDTHS) {
            await page.look({ width, height: 1000, dark });
            expect(await findLayoutTroubles(page, ['.tool-head', '.tool-section', '.tool-list'])).toEqual([]);
            const small = await findSmallTargets(page);
            expect(small.filter((target) => !target.includes('json-toggle'))).toEqual([]);
            expect(await auditPage(page, '.view-tools')).toEqual({ violations: [], incomplete: [] });
            await keepPicture(page, `tools-${width}-${dark ? 'dark' : 'light'}`);
          }
      },
    );
  });
});
