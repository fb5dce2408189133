// Whether a turn may begin, by what was spent before.
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { Budgets } from '../../src/limits/budgets.js';
import { answered } from '../support/stand-in-worker.js';
import { useClusters } from '../support/test-cluster.js';

const DAY = 24 * 60 * 60 * 1000;
const NOON = 20_000 * DAY + DAY / 2;

describe('budgets', () => {
  const make = useClusters();

  /** A cluster whose every turn costs a dollar, and what the worker was allowed each time. */
  function start(budgets: Budgets) {
    const clock = { at: NOON };
    const journal = memoryJournal({ now: () => clock.at });
    const cluster = make({ journal, budgets }, async () => answered('done', 1));
    const spend = async (key: string, tenant?: string) => {
      const turn = await cluster.conversation(key, { agent: 'support', tenant }).send('x');
      await cluster.step(key);
      return await turn.outcome();
    };
    return { cluster, clock, spend };
  }

  it('of a conversation end with its money', async () => {
    const { spend } = start({ conversation: 2 });
    expect([(await spend('a')).ok, (await spend('a')).ok]).toEqual([true, true]);
    const message = 'The budget of the conversation "a" is used up: 2 US dollars.';
    expect(await spend('a')).toEqual({
      ok: false,
      kind: 'refused',
      text: message,
      error: { code: 'BUDGET_EXCEEDED', message },
      turnCostUsd: 0,
    });
    expect((await spend('b')).ok).toBe(true);
  });

  it('of a conversation end with its money also while one worker has it all the time', async () => {
    const { cluster } = start({ conversation: 2 });
    const chat = cluster.conversation('a', { agent: 'support' });
    const turns = [await chat.send('1'), await chat.send('2'), await chat.send('3')];
    await cluster.step('a');
    const outcomes = await Promise.all(turns.map((turn) => turn.outcome()));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['success', 'success', 'refused']);
  });

  it('of a conversation in days come back', async () => {
    const { clock, spend } = start({ conversation: { usd: 2, days: 2 } });
    await spend('a');
    clock.at += DAY;
    await spend('a');
    expect((await spend('a')).text).toMatch(/used up: 2 US dollars in 2 days/);
    clock.at += DAY;
    expect((await spend('a')).ok).toBe(true);
    expect((await spend('a')).ok).toBe(false);
  });

  it('of tenants and of all count over conversations, and the text names which', async () => {
    const { clock, spend } = start({
      tenant: (tenant) => (tenant === 'big' ? undefined : { usd: 1, days: 1 }),
      cluster: 4,
    });
    expect((await spend('a', 'small')).ok).toBe(true);
    expect((await spend('b', 'small')).text).toBe(
      'The budget of the tenant "small" is used up: 1 US dollars a day.',
    );
    expect((await spend('c', 'big')).ok).toBe(true);
    expect((await spend('d')).ok).toBe(true);
    clock.at += DAY;
    expect((await spend('b', 'small')).ok).toBe(true);
    expect((await spend('d')).text).toMatch(
      /^The budget of all conversations together is used up: 4 US dollars\.$/,
    );
  });

  it('give a turn the least that is left', async () => {
    const journal = memoryJournal();
    const { decideBudget } = await import('../../src/limits/budgets.js');
    const { turn } = await journal.enqueue({
      key: 'a',
      id: 'm',
      content: 'x',
      start: { agent: 'support', data: null, tenant: 't' },
    });
    const conversation = await journal.conversation('a');
    if (!conversation) throw new Error('no conversation');
    const decide = (budgets: Budgets | undefined) => decideBudget({ journal, budgets }, turn, conversation);
    expect(await decide({ conversation: 3, tenant: 0.5, cluster: { usd: 7, days: 1 } })).toMatchObject({
      admitted: true,
      maxBudgetUsd: 0.5,
    });
    expect(await decide(undefined)).toEqual({ admitted: true });
    expect(await decide({ cluster: 0 })).toMatchObject({ admitted: false });
    await expect(decide({ tenant: () => -1 })).rejects.toThrow(/"budgets\.tenant\("t"\)" must be a number/);
  });

  it('of a journal that cannot reserve hold for one turn at a time', async () => {
    const journal = { ...memoryJournal(), reserve: undefined };
    const cluster = make({ journal, budgets: { cluster: 2, reserveUsd: 0.5 } }, async () =>
      answered('done', 1),
    );
    const kinds = [];
    for (const key of ['a', 'b', 'c']) {
      const turn = await cluster.conversation(key, { agent: 'support' }).send('x');
      await cluster.step(key);
      kinds.push((await turn.outcome()).kind);
    }
    expect(kinds).toEqual(['success', 'success', 'refused']);
  });

  it.each([
    ['', 1],
    [', and never say that it needs more than there is in all', 5],
  ])(
    'refuse a turn at once where others have reserved what is left, if that is wanted%s',
    async (_, reserveUsd) => {
      const budgets = { tenant: 1, reserveUsd, whenReserved: 'refuse' } as const;
      const cluster = make({ budgets }, async (turn) => {
        if (turn.key === 'b') return answered('done');
        const other = await cluster.conversation('b', { agent: 'support', tenant: 't' }).send('x');
        await cluster.step('b');
        return answered((await other.outcome()).text);
      });
      const turn = await cluster.conversation('a', { agent: 'support', tenant: 't' }).send('x');
      await cluster.step('a');
      expect((await turn.outcome()).text).toBe(
        'Running turns have reserved the budget of the tenant "t", 1 US dollars: 0 are free, and the turn needs up to 1.',
      );
    },
  );

  it.each([
    [7, /"budgets" must be an object/],
    [{ tenants: 1 }, /no budget "tenants"/],
    [{ tenant: -1 }, /"budgets\.tenant" must be a number of US dollars/],
    [{ cluster: Number.NaN }, /"budgets\.cluster" must be/],
    [{ conversation: '5' }, /"budgets\.conversation" must be/],
    [{ cluster: { usd: 5 } }, /"budgets\.cluster\.days" must be a whole number/],
    [{ cluster: { usd: -5, days: 1 } }, /"budgets\.cluster\.usd" must be/],
    [{ cluster: { usd: 5, days: 0.5 } }, /"budgets\.cluster\.days" must be/],
  ])('refuse %j', (budgets, message) => {
    expect(() => make({ budgets: budgets as Budgets })).toThrow(message);
  });
});
