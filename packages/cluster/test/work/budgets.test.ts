// Workers and budgets: a turn waits while others have reserved what is left, and what a killed attempt has cost is counted.
import { describe, expect, it } from 'vitest';
import { decideBudget, type Budgets } from '../../src/limits/budgets.js';
import type { Journal } from '../../src/journal/journal.js';
import type { HostParts } from '../../src/work/host/host-parts.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, text } from '@inboard/testing/script/reply.js';
import { endTurn } from '@inboard/testing/fake-cli/script/build-steps.js';
import { priceTurn } from '../../src/limits/transcript-cost.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { told, WorkerScene } from './worker-scene.js';

/** What a turn of the fake CLI costs. */
const TURN_USD = 0.00014;

/** How a cluster with these budgets admits turns. */
function admitBy(scene: WorkerScene, budgets: Budgets): Pick<HostParts, 'admit' | 'prices'> {
  const { journal } = scene;
  return {
    admit: (turn, conversation, facts) => decideBudget({ journal, budgets }, turn, conversation, facts),
    prices: budgets.prices,
  };
}

/** The answer of a model to a message, cut off by the death of its worker. */
function entryOf(id: string, more: object = {}): object {
  const usage = { input_tokens: 1000, output_tokens: 200, cache_read_input_tokens: 10_000 };
  const content = [{ type: 'tool_use', id: `toolu_${id}`, name: 'Read', input: {} }];
  return {
    type: 'assistant',
    uuid: id,
    message: { id, role: 'assistant', model: 'm-1', content, usage },
    ...more,
  };
}
const PRICES = { 'm-1': { input: 3, output: 15 } };
const ENTRY_USD = (1000 * 3 + 200 * 15 + 10_000 * 0.3) / 1e6;

describe('a turn whose budget is reserved', () => {
  it('waits without a place or a CLI, says so, and begins once the other has ended', async () => {
    const open = gate();
    await using scene = new WorkerScene([[held(text('One.'), open)], [text('Two.')]]);
    const worker = await scene.work({ concurrency: 2 }, admitBy(scene, { cluster: 1 }));
    const one = await scene.send('1', 'one', 'a');
    await waitUntil(() => scene.opened.length === 1);
    const two = await scene.send('2', 'two', 'b');
    await waitUntil(() => told(worker, 'turn-waiting').length === 1);
    expect(told(worker, 'turn-waiting')[0]).toMatchObject({
      key: 'b',
      turn: two,
      reason:
        'Running turns have reserved the budget of all conversations together, 1 US dollars: 0 are free. Set "budgets.reserveUsd" or the agent\'s "maxBudgetUsd", so that several turns can run at the same time.',
    });
    await waitUntil(() => worker.worker.stats().running === 1);
    expect(await scene.journal.turn('b', two)).toMatchObject({ state: 'running', tries: 0 });
    expect(scene.opened).toHaveLength(1);
    open.open();
    expect((await scene.ended(one, 'a')).outcome).toMatchObject({ ok: true, turnCostUsd: TURN_USD });
    expect((await scene.ended(two, 'b')).outcome).toMatchObject({ ok: true, text: 'Two.' });
  });

  it('says so once, and looks again less and less often', async () => {
    let now = Date.UTC(2026, 0, 5);
    const open = gate();
    await using scene = new WorkerScene([[held(text('One.'), open)], [text('Two.')]], {}, {}, () => now);
    const worker = await scene.work({ concurrency: 2, leaseMs: 36_000_000 }, admitBy(scene, { cluster: 1 }));
    const one = await scene.send('1', 'one', 'a');
    await waitUntil(() => scene.opened.length === 1);
    const two = await scene.send('2', 'two', 'b');
    const waits: number[] = [];
    for (let looks = 1; looks < 8; looks += 1) {
      // The worker has looked, and has given the turn back.
      await waitUntil(async () => {
        const { waitsFor, lease } = (await scene.journal.conversation('b')) ?? {};
        const { attempt, notBefore = 0 } = (await scene.journal.turn('b', two)) ?? {};
        return attempt === looks && waitsFor === 'budget' && lease === undefined && notBefore > now;
      });
      const { notBefore = 0 } = (await scene.journal.turn('b', two)) ?? {};
      waits.push((notBefore - now) / 1000);
      now = notBefore;
    }
    expect(waits).toEqual([30, 30, 60, 120, 240, 300, 300]);
    expect(told(worker, 'turn-waiting')).toHaveLength(1);
    open.open();
    await scene.ended(one, 'a');
    expect((await scene.ended(two, 'b')).outcome).toMatchObject({ ok: true, text: 'Two.' });
  });

  it('is interrupted at once', async () => {
    const open = gate();
    await using scene = new WorkerScene([[held(text('One.'), open)]]);
    const worker = await scene.work({ concurrency: 2 }, admitBy(scene, { cluster: 1 }));
    const one = await scene.send('1', 'one', 'a');
    await waitUntil(() => scene.opened.length === 1);
    const two = await scene.send('2', 'two', 'b');
    await waitUntil(() => told(worker, 'turn-waiting').length === 1);
    expect(await scene.journal.interrupt('b')).toBe(true);
    expect((await scene.ended(two, 'b')).outcome).toMatchObject({ ok: false, kind: 'interrupted' });
    open.open();
    await scene.ended(one, 'a');
  });

  it('need not wait if the agent of the other has a lower limit', async () => {
    const open = gate();
    await using scene = new WorkerScene([[held(text('One.'), open)], [text('Two.')]], { maxBudgetUsd: 0.25 });
    await scene.work({ concurrency: 2 }, admitBy(scene, { cluster: 1 }));
    const one = await scene.send('1', 'one', 'a');
    await waitUntil(() => scene.opened.length === 1);
    expect((await scene.ended(await scene.send('2', 'two', 'b'), 'b')).outcome).toMatchObject({
      text: 'Two.',
    });
    open.open();
    await scene.ended(one, 'a');
  });
});

describe('a turn that crosses a budget', () => {
  /** What the CLI of a turn says when it has spent its limit. */
  const crossed = [text('One.'), endTurn({ subtype: 'error_max_budget_usd', errors: ['Reached $1.'] })];
  const own = 'Reached $1.';

  it.each([
    [
      'the conversation',
      { conversation: 1 },
      {},
      'The turn was ended because it has used up what was left of the budget of the conversation "chat" ("budgets.conversation": 1 US dollars).',
    ],
    [
      'the tenant, which had less left than the others',
      { conversation: 9, tenant: { usd: 1, days: 30 }, cluster: 5 },
      {},
      'The turn was ended because it has used up what was left of the budget of the tenant "acme" ("budgets.tenant": 1 US dollars in 30 days).',
    ],
    [
      'what one turn may spend',
      { tenant: 5, reserveUsd: 0.5 },
      { maxBudgetUsd: 2 },
      'The turn was ended because it has spent what one turn may spend ("budgets.reserveUsd": 0.5 US dollars).',
    ],
    ['the agent, whose limit is lower', { tenant: 5 }, { maxBudgetUsd: 0.25 }, own],
    ['the agent, in a cluster without budgets', {}, { maxBudgetUsd: 0.25 }, own],
  ])('names that of %s', async (_whose, budgets: Budgets, options, message) => {
    await using scene = new WorkerScene([crossed], options);
    const start = { agent: 'helper', data: null, tenant: 'acme' };
    await scene.journal.enqueue({ key: 'chat', id: 'one', content: 'Hi', start });
    await scene.work({}, admitBy(scene, budgets));
    const { outcome } = await scene.ended('one');
    expect(outcome).toMatchObject({ kind: 'budget', text: message, error: { code: 'BUDGET', message } });
  });

  it('names all that may be the one while the journal does not answer', async () => {
    await using scene = new WorkerScene([crossed]);
    const start = { agent: 'helper', data: null, tenant: 'acme' };
    await scene.journal.enqueue({ key: 'chat', id: 'one', content: 'Hi', start });
    const journal: Journal = { ...scene.journal, spent: () => Promise.reject(new Error('away')) };
    const budgets = { tenant: 1, cluster: 1 };
    await scene.work(
      {},
      { admit: (turn, conversation, facts) => decideBudget({ journal, budgets }, turn, conversation, facts) },
    );
    expect((await scene.ended('one')).outcome?.text).toBe(
      'The turn was ended because it has used up what was left of the budget of the tenant "acme" ("budgets.tenant": 1 US dollars), or of all conversations together ("budgets.cluster": 1 US dollars).',
    );
  });
});

it('a warm CLI goes on with the limit of its agent', async () => {
  await using scene = new WorkerScene([[text('One.'), text('Two.')]], { maxBudgetUsd: 0.25 });
  await scene.work({ keepWarmMs: 60_000 }, admitBy(scene, { cluster: 1 }));
  await scene.ended(await scene.send('1'));
  expect((await scene.ended(await scene.send('2'))).outcome).toMatchObject({ text: 'Two.' });
  expect(scene.opened).toHaveLength(1);
});

describe('an attempt that was killed', () => {
  it.each([
    ['counts for the budget of the next', { cluster: 1, prices: PRICES }],
    ['counts without a budget', { prices: PRICES }],
  ])('%s', async (_how, budgets) => {
    await using scene = new WorkerScene([[text('Done.')]]);
    await scene.journal.enqueue({
      key: 'chat',
      id: 'one',
      content: 'Hi',
      start: { agent: 'helper', data: null },
    });
    await scene.leaveBehind('one', [entryOf('a'), entryOf('a', { uuid: 'a2' }), entryOf('b')]);
    await scene.work({}, admitBy(scene, budgets));
    const { outcome } = await scene.ended('one');
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome?.turnCostUsd).toBeCloseTo(2 * ENTRY_USD + TURN_USD, 9);
    expect(await scene.journal.spent()).toBeCloseTo(2 * ENTRY_USD + TURN_USD, 9);
    const limit = scene.opened[0]?.find((arg) => arg.startsWith('--max-budget-usd'));
    expect(Number(limit?.split('=')[1] ?? 0)).toBeCloseTo('cluster' in budgets ? 1 - 2 * ENTRY_USD : 0, 9);
  });

  it('is refused the rest if it has used up the budget', async () => {
    await using scene = new WorkerScene([[text('Done.')]]);
    await scene.journal.enqueue({
      key: 'chat',
      id: 'one',
      content: 'Hi',
      start: { agent: 'helper', data: null },
    });
    await scene.leaveBehind('one', [entryOf('a')]);
    await scene.work({}, admitBy(scene, { cluster: ENTRY_USD / 2, prices: PRICES }));
    const { outcome } = await scene.ended('one');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'BUDGET_EXCEEDED' } });
    expect(outcome?.turnCostUsd).toBeCloseTo(ENTRY_USD, 9);
    expect(scene.opened).toEqual([]);
  });

  it('costs what its transcript has: each message once, up to the next turn, and only models with a price', () => {
    const user = (uuid: string): object => ({ type: 'user', uuid, message: { role: 'user', content: uuid } });
    const other = entryOf('c', {
      message: { id: 'c', model: 'm-2', content: [], usage: { input_tokens: 7 } },
    });
    const entries = [
      user('q1'),
      entryOf('x'),
      user('q2'),
      entryOf('a'),
      entryOf('a'),
      other,
      user('q3'),
      entryOf('y'),
    ];
    const price = (uuid: string): number =>
      priceTurn(entries as unknown as SessionStoreEntry[], uuid, PRICES);
    expect(price('q2')).toBeCloseTo(ENTRY_USD, 9);
    expect(price('unknown')).toBe(0);
  });
});
