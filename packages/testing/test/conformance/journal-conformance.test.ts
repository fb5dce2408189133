// The suite for journals finds those that are wrong: each of the model's, and ones that tell wrong facts about calls.
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '@inboard/cluster/journal/memory/memory-journal.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import type { JournalUnderTest } from '../../src/conformance/journal/journal-check.js';
import { journalCases } from '../../src/conformance/journal/journal-conformance.js';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import { createMutant, MUTANTS } from '../../../cluster/test/model/mutants.js';

/** More than any case needs; what never comes is not waited for. */
const MOST_MOVES = 50;

/** The names of the cases that a journal fails, up to the first. */
async function findFailure(create: (now: () => number) => Journal): Promise<string | undefined> {
  for (const { name, run } of journalCases()) {
    try {
      await run(() => underTest(create));
    } catch {
      return name;
    }
  }
  return undefined;
}

function underTest(create: (now: () => number) => Journal): JournalUnderTest {
  let now = Date.UTC(2026, 0, 5, 12);
  let moves = 0;
  const advance = (ms: number): void => {
    if ((moves += 1) > MOST_MOVES) throw new Error('waited in vain');
    now += ms;
  };
  return { journal: create(() => now), advance };
}

type Load = () => Promise<CallFact[]>;
/** What becomes of the facts of a conversation; `all` are those of every one that was asked for. */
type Change = (facts: CallFact[], all: readonly CallFact[]) => CallFact[];

/** A journal that tells other facts than it keeps. */
function telling(change: Change): (now: () => number) => Journal {
  return (now) => {
    const journal = memoryJournal({ now });
    const loads = new Map<string, Load>();
    // Every conversation that was sent to.
    const enqueue: Journal['enqueue'] = async (turn, scope) => {
      const sent = await journal.enqueue(turn, scope);
      const { sessionId = '' } = (await journal.conversation(turn.key)) ?? {};
      const records = journal.store().calls?.({ projectKey: 'any', sessionId });
      if (records) loads.set(sessionId, () => records.load());
      return sent;
    };
    const store: Journal['store'] = (fence) => {
      const real = journal.store(fence);
      return {
        ...real,
        calls: (key) => {
          const records = real.calls?.(key);
          if (!records) throw new Error('A journal in memory has them');
          const load = async (): Promise<CallFact[]> => {
            const all = await Promise.all([...loads.values()].map((each) => each()));
            return change(await records.load(), all.flat());
          };
          return { ...records, load };
        },
      };
    };
    return { ...journal, enqueue, store };
  };
}

const without =
  (lost: CallFact['type']): Change =>
  (facts) =>
    facts.filter(({ type }) => type !== lost);

const isAbout = (fact: CallFact, facts: readonly CallFact[]): boolean =>
  'callKey' in fact && facts.some((own) => 'callKey' in own && own.callKey === fact.callKey);

const WRONG: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    (['covers', 'asked', 'answered', 'begun', 'waiting', 'ended'] as const).map((type) => [
      `loses facts of the kind ${type}`,
      without(type),
    ]),
  ),
  'tells the facts of every conversation': (_, all) => [...all],
  'tells the facts of other tenants about calls of the same name': (facts, all) => [
    ...facts.filter((fact) => fact.type === 'covers'),
    ...all.filter((fact) => isAbout(fact, facts)),
  ],
  'does not count in how many leases a call was begun': (facts) =>
    facts.map((fact) => (fact.type === 'begun' ? { ...fact, attempt: 1 } : fact)),
  'covers the turns of every conversation': (facts, all) => [
    ...all.filter(({ type }) => type === 'covers'),
    ...without('covers')(facts, all),
  ],
  'does not tell what a call ran with': (facts) =>
    facts.map((fact) => {
      if (fact.type !== 'begun') return fact;
      const { ranInput: _ran, ...rest } = fact;
      return rest;
    }),
  'forgets who answered': (facts) =>
    facts.map((fact) => {
      if (fact.type !== 'answered') return fact;
      const { by: _by, ...rest } = fact;
      return rest;
    }),
  'takes every answer for one that the CLI did not get': (facts) =>
    facts.map((fact) => (fact.type === 'answered' ? { ...fact, withoutCli: true } : fact)),
  'takes every answer for one that the CLI got': (facts) =>
    facts.map((fact) => {
      if (fact.type !== 'answered') return fact;
      const { withoutCli: _without, ...rest } = fact;
      return rest;
    }),
  'takes a call that went on for one that has ended': (facts) =>
    facts.flatMap((fact) =>
      fact.type === 'begun' && !facts.some((each) => each.type === 'ended' && isAbout(each, [fact]))
        ? [fact, { type: 'ended' as const, callKey: fact.callKey, result: {}, at: fact.at }]
        : [fact],
    ),
  'cuts long results': (facts) =>
    facts.map((fact) =>
      fact.type === 'ended' && JSON.stringify(fact.result).length > 100_000 ? { ...fact, result: {} } : fact,
    ),
};

/** Journals that keep something else than they are told. */
const KEEPING: Readonly<Record<string, (journal: Journal) => Partial<Journal>>> = {
  'takes a handler that went on for one that still waits for a person': (journal) => ({
    endCall: async (fence, callKey, result) => {
      if (result !== 'inboard:working') await journal.endCall(fence, callKey, result);
    },
  }),
};

describe('the suite for journals', () => {
  it('has nothing against a journal that passes facts on as they are', async () => {
    expect(await findFailure(telling((facts) => facts))).toBeUndefined();
  });

  it.each(Object.entries(WRONG))('finds one that %s', async (_what, change) => {
    expect(await findFailure(telling(change))).toContain('tells');
  });

  it.each(Object.entries({ ...MUTANTS, ...KEEPING }))('finds one that %s', async (_what, mutate) => {
    expect(await findFailure((now) => createMutant(mutate, now))).toBeDefined();
  });
});
