// Waiting on a real page of the real server: a pending call gets its result by hand, and a session without a CLI says that it
// waits and lets its question be answered.
import { expect } from 'vitest';
import type { ActionResult } from '../../../packages/inspector/src/model/page-contract.js';
import { EventMaker } from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser, type Pages } from './support/browser-tests.js';
import { findLayoutTroubles, findSmallTargets, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';
import { makeQuestion, openSteeredPage, SteeredSource } from './support/steered-page.js';

const OK: ActionResult = { ok: true };
const KEY = 'call_ef5315675685ccdb7e096b72c162081c7009cfb1_1';
const PENDING = makeQuestion({
  id: `pending ${KEY}`,
  kind: 'pending',
  subject: 'mcp__shop__refund',
  title: 'refund waits for its result',
  description: 'The bank answers within two days.',
  input: { order: 'A-1043', amount: 49.9, reason: 'The lamp came broken.' },
  askedAt: Date.now() - 3 * 3600_000,
  toolUseId: 'c1',
  callKey: KEY,
});
const ASKED = makeQuestion({
  id: 'q1',
  subject: 'mcp__shop__refund',
  title: 'refund wants to run',
  input: { order: 'A-1043' },
  toolUseId: 'c1',
});
const REFUND = { type: 'tool_use', id: 'c1', name: 'mcp__shop__refund', input: PENDING.input };

const begin = (): EventMaker =>
  new EventMaker('one')
    .open('conversation', 'Refund a lamp')
    .prompt('Refund order A-1043.')
    .init()
    .assistant(REFUND);

/** A session that waits for this, and what a page does to it. */
function createSource(maker: EventMaker, question = PENDING): SteeredSource {
  const source = new SteeredSource();
  source.play('one', maker.events);
  source.ask(question);
  source.answerBy(() => OK);
  return source;
}

const pendingSource = (): SteeredSource => createSource(begin().asked(PENDING));

/** The CLI is gone while a person thinks. */
function lonelySource(): SteeredSource {
  const maker = begin();
  maker.push({ type: 'terminate', t: maker.t }).end(143);
  maker.push({ type: 'suspended', t: maker.t, waitsFor: ['person'] });
  return createSource(maker.asked(ASKED), ASKED);
}

async function withPage(
  pages: Pages,
  source: SteeredSource,
  body: (page: Page) => Promise<void>,
  options: Parameters<typeof openSteeredPage>[2] = {},
): Promise<void> {
  const { page, close } = await openSteeredPage(pages, source, options);
  try {
    await page.until(`document.querySelector('[data-question]')`);
    await body(page);
  } finally {
    await close();
  }
}

const isGone = (page: Page): Promise<void> => page.until(`!document.querySelector('[data-question]')`);

describeInBrowser('waiting', (test) => {
  test('completes a pending call by keyboard, after the mistakes were named', async (pages) => {
    const source = pendingSource();
    await withPage(pages, source, async (page) => {
      await page.untilText('The bank answers within two days.');
      await page.untilText(KEY);
      // The key for "yes" leads to the field, as long as there is nothing to send.
      await page.press('n');
      await page.press('a');
      await page.until(`document.activeElement?.matches('.qcard-result textarea')`);
      await page.untilText('Write the result first');
      await page.type('{ "refunded": true,, }');
      await page.press('Enter', { ctrl: true });
      await page.untilText('Line 1, column 20');
      expect(source.acted('answer')).toEqual([]);
      await page.read(`document.activeElement.select()`);
      await page.type('{ "refunded": true }');
      await page.press('Enter', { ctrl: true });
      await isGone(page);
      expect(source.acted('answer')).toEqual([
        {
          action: 'answer',
          session: 'one',
          id: PENDING.id,
          decision: { kind: 'complete', value: { refunded: true } },
        },
      ]);
    });
  });

  test('shows why a value was refused, keeps the card, and takes another one', async (pages) => {
    const source = pendingSource();
    let isFirst = true;
    source.answerBy(() => {
      const wasFirst = isFirst;
      isFirst = false;
      const message = 'The value does not fit the output schema of refund: refunded must be a boolean.';
      return wasFirst ? { ok: false, error: { code: 'CALL_VALUE', message } } : OK;
    });
    await withPage(pages, source, async (page) => {
      await page.clickOn('.qcard-result textarea');
      await page.type('"yes"');
      await page.clickOn('.qcard-yes');
      await page.untilText('refunded must be a boolean');
      expect(await page.read(`document.querySelector('.qcard-result textarea').value`)).toBe('"yes"');
      await keepPicture(page, 'pending-refused');
      await page.clickOn('.qcard-result textarea');
      await page.read(`document.activeElement.select()`);
      await page.type('{"refunded":true}');
      await page.clickOn('.qcard-yes');
      await isGone(page);
    });
  });

  test('lets a pending call fail with a message, and keeps a draft over a reload', async (pages) => {
    const source = pendingSource();
    await withPage(pages, source, async (page) => {
      await page.clickOn('.qcard-result textarea');
      await page.type('{"half":');
      await page.press('Escape');
      await page.reload();
      await page.until(`document.querySelector('.qcard-result textarea')?.value === '{"half":'`);
      await page.press('n');
      await page.press('d');
      await page.until(`document.activeElement?.matches('.qcard-deny textarea')`);
      await page.type('The bank refused.');
      await page.press('Enter');
      await isGone(page);
      expect(source.acted('answer')[0]?.decision).toEqual({ kind: 'fail', message: 'The bank refused.' });
    });
  });

  test('takes the card away when the call was completed elsewhere', async (pages) => {
    const source = pendingSource();
    await withPage(pages, source, async (page) => {
      source.add('one', { type: 'settled', t: 9000, id: PENDING.id, outcome: 'over' });
      source.settle('one', PENDING.id);
      await isGone(page);
      await page.untilText('was pending for');
      expect(source.acted('answer')).toEqual([]);
    });
  });

  test('only shows a pending call on a page that is read-only', async (pages) => {
    const question = { ...PENDING, canAnswer: false };
    const source = createSource(begin().asked(question), question);
    await withPage(
      pages,
      source,
      async (page) => {
        await page.untilText('This page is read-only');
        expect(await page.read(`document.querySelectorAll('.qcard textarea, .qcard-yes').length`)).toBe(0);
      },
      { isReadOnly: true },
    );
  });

  test('says that a session waits without a CLI, and answers its question', async (pages) => {
    const source = lonelySource();
    await withPage(pages, source, async (page) => {
      await page.untilText('waiting for you, no CLI');
      await page.untilText('Waits for a person; no CLI runs meanwhile');
      expect(await page.read(`document.querySelector('.card-word')?.textContent`)).toBe(
        'waits for an answer',
      );
      await keepPicture(page, 'waiting-no-cli-story');
      await page.press('n');
      await page.press('a');
      await isGone(page);
      expect(source.acted('answer')[0]?.decision).toEqual({ kind: 'allow' });
    });
  });

  test('says in the fleet that a session waits without a CLI', async (pages) => {
    await withPage(
      pages,
      lonelySource(),
      async (page) => {
        await page.untilText('waiting for you, no CLI');
        for (const width of WIDTHS) {
          await page.look({ width, height: 1000 });
          await page.settle();
          await keepPicture(page, `waiting-no-cli-fleet-${width}`);
          expect(await findLayoutTroubles(page, ['.fleet-state .state-mark', '.fleet-title'])).toEqual([]);
        }
      },
      { path: '&view=fleet' },
    );
  });

  test('looks right in every size and both themes, for everyone', async (pages) => {
    const source = pendingSource();
    source.ask({ ...ASKED, askedAt: PENDING.askedAt + 1000 });
    await withPage(pages, source, async (page) => {
      for (const dark of [false, true])
        for (const width of WIDTHS) {
          await page.look({ width, height: 1000, dark });
          await page.read(`document.querySelector('.dock-bar[aria-expanded=false]')?.checkVisibility() &&
            document.querySelector('.dock-bar').click()`);
          await page.settle();
          await keepPicture(page, `pending-${width}-${dark ? 'dark' : 'light'}`);
          expect(await findLayoutTroubles(page, ['.qcard-head', '.qcard-key', '.qcard-result'])).toEqual([]);
          const small = await findSmallTargets(page);
          expect(small.filter((target) => !target.includes('json-toggle'))).toEqual([]);
          expect(await auditPage(page, '.dock')).toEqual({ violations: [], incomplete: [] });
        }
    });
  });
});
