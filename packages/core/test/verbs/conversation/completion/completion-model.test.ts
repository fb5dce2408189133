// Records, decider and writer together, on random histories and processes that die after any step: each call gets one true result, each
// effect happens once unless its tool says otherwise, and who has answered is not asked again. Parts that are wrong on purpose show that the
// checks find it.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallFact } from '../../../../src/wire/protocol/config/call-records.js';
import type { SessionStoreEntry } from '../../../../src/wire/protocol/config/session-store.js';
import { seeCalls } from '../../../calls/transcript/support/cli-view.js';
import { propertyOptions } from '../../../../../../test/support/seed.js';
import { DENIAL, playLives, type Plan, type Seen, type Wrong } from './support/lives.js';

const plans: fc.Arbitrary<Plan> = fc.record({
  calls: fc.array(
    fc.record({
      known: fc.constantFrom(
        'nothing',
        'asked',
        'allowed',
        'edited',
        'denied',
        'withdrawn',
        'begun',
        'waiting',
        'ended',
        'completed',
      ),
      hasFalseResult: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  isCovered: fc.boolean(),
  onRepeat: fc.constantFrom(undefined, 'run', 'recorded', 'unknown'),
  deaths: fc.array(fc.nat(30), { maxLength: 3 }),
});

const UNKNOWN = /outcome is unknown/;
const NOT_RUN = /did not run/;

/** The facts about a call that a process was told of as stored; those of `life` alone, where it is given. */
function hasFact({ stored }: Seen, type: CallFact['type'], callKey: string, life?: number): boolean {
  return stored.some(
    (each) =>
      each.fact.type === type &&
      'callKey' in each.fact &&
      each.fact.callKey === callKey &&
      (life === undefined || each.life === life),
  );
}

/** What the model may be told of a call, by the table of states. */
function expectTold(plan: Plan, seen: Seen, call: number, told: string | undefined): void {
  const known = plan.calls[call]?.known;
  const effects = seen.effects.filter((effect) => effect.call === call);
  const mayRunAgain = plan.onRepeat === 'run' || plan.onRepeat === 'recorded';
  const lives = [...new Set(seen.stored.map(({ life }) => life))].filter((life) => life > 0);
  const callKey = keyOf(seen, call);
  const cut = lives.filter(
    (life) => hasFact(seen, 'begun', callKey, life) && !hasFact(seen, 'ended', callKey, life),
  );
  expect(effects.length).toBeLessThanOrEqual(mayRunAgain ? 1 + cut.length : 1);
  if (known === 'nothing' && !plan.isCovered) {
    expect([told === undefined || UNKNOWN.test(told) || !NOT_RUN.test(told), effects]).toEqual([true, []]);
    return;
  }
  if (known === 'ended' || known === 'completed') expect([told, effects]).toEqual([`paid ${call}`, []]);
  else if (known === 'denied') expect([told, effects]).toEqual([expect.stringContaining(DENIAL), []]);
  else if (known === 'nothing' || known === 'withdrawn')
    expect([told, effects]).toEqual([expect.stringMatching(NOT_RUN), []]);
  else if (known === 'begun' && !mayRunAgain)
    expect([told, effects]).toEqual([expect.stringMatching(UNKNOWN), []]);
  else if (cut.length > 0 && !mayRunAgain && told !== undefined && UNKNOWN.test(told)) return;
  else {
    const order = known === 'edited' ? call + 100 : call;
    expect(told).toBe(`paid ${order}`);
    expect(effects.length).toBeGreaterThan(0);
    expect(effects.every((effect) => effect.order === order)).toBe(true);
  }
}

function keyOf({ stored }: Seen, call: number): string {
  const found = stored.find(
    ({ fact }) => 'input' in fact && (fact.input as { order: number }).order % 100 === call,
  );
  return found && 'callKey' in found.fact ? found.fact.callKey : '';
}

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? (content as { text?: string }[]).map(({ text = '' }) => text).join('')
    : String(content);

async function check(plan: Plan, wrong?: Wrong): Promise<void> {
  // A pending call whose end is lost is waited for without end, which is right, so parts that are wrong get none.
  const seen = await playLives(wrong ? withoutPending(plan) : plan, wrong);
  // Nothing is left to another process, and no entry is there twice.
  const left = plan.calls.filter(({ known }) => known === 'nothing' && !plan.isCovered).length;
  expect(seen.left).toBe(left);
  const uuids = seen.entries.flatMap(({ uuid }) => uuid ?? []);
  expect(new Set(uuids).size).toBe(uuids.length);
  expect(seen.asked.filter(({ isAnswered }) => isAnswered)).toEqual([]);
  const made = seeCalls(seen.entries, 'newest');
  for (const call of plan.calls.keys()) {
    const found = made.filter(({ input }) => (input as { order: number }).order === call);
    expect(found).toHaveLength(1);
    // All that is on the line, also where a CLI would take the first.
    const results = resultsOf(seen.entries, found[0]?.toolUseId ?? '');
    expect(results.length).toBeLessThanOrEqual(1);
    expectTold(plan, seen, call, results[0]);
  }
}

function withoutPending(plan: Plan): Plan {
  const calls = plan.calls.map((call) =>
    call.known === 'completed' ? { ...call, known: 'ended' as const } : call,
  );
  return { ...plan, calls };
}

function resultsOf(entries: readonly SessionStoreEntry[], id: string): string[] {
  return entries.flatMap(({ message }) => {
    const { content } = (message ?? {}) as { content?: unknown };
    if (!Array.isArray(content)) return [];
    return (content as { type: string; tool_use_id?: string; content?: unknown }[])
      .filter((block) => block.type === 'tool_result' && block.tool_use_id === id)
      .map((block) => textOf(block.content));
  });
}

it('gives each call one true result, whichever host dies and wherever', async () => {
  await fc.assert(
    fc.asyncProperty(plans, (plan) => check(plan)),
    propertyOptions(150),
  );
});

const isResult = ({ type }: SessionStoreEntry): boolean => type === 'user';
const without = (type: CallFact['type']) => (facts: CallFact[]) => facts.filter((fact) => fact.type !== type);

const WRONG: Record<string, Wrong> = {
  'records that lose beginnings': { loses: ({ type }) => type === 'begun' },
  'records that lose ends': { loses: ({ type }) => type === 'ended' },
  'records that lose answers': { loses: ({ type }) => type === 'answered' },
  'records that lose questions': { loses: ({ type }) => type === 'asked' },
  'a decider that runs begun calls again': { believes: without('begun') },
  'a decider that asks again': { believes: without('answered') },
  'a decider that obeys nobody who denies': {
    believes: (facts) =>
      facts.map((fact) =>
        fact.type === 'answered' ? { ...fact, answer: { behavior: 'allow' as const } } : fact,
      ),
  },
  'a decider that forgets what was edited': {
    believes: (facts) =>
      facts.map((fact) =>
        fact.type === 'answered' && fact.answer.behavior === 'allow'
          ? { ...fact, answer: { behavior: 'allow' as const } }
          : fact,
      ),
  },
  'a decider that takes every turn for covered': {
    believes: (facts) => [{ type: 'covers', message: 'user-1', at: 0 }, ...facts],
  },
  'a decider that believes that handlers wait': {
    believes: (facts) =>
      facts.flatMap((fact): CallFact[] =>
        fact.type === 'begun' ? [fact, { type: 'waiting' as const, callKey: fact.callKey, at: 9 }] : [fact],
      ),
  },
  'a decider that mixes up results': {
    believes: (facts) =>
      facts.map((fact) =>
        fact.type === 'ended' ? { ...fact, result: { content: [{ type: 'text', text: 'paid 9' }] } } : fact,
      ),
  },
  'a writer that writes twice': {
    writes: (entries) =>
      entries.flatMap((entry) =>
        isResult(entry) ? [entry, { ...entry, uuid: `${entry.uuid}-2` }] : [entry],
      ),
  },
  'a writer that forgets a result': {
    writes: (entries) => {
      const last = entries.findLast(isResult);
      return entries.filter((entry) => entry !== last);
    },
  },
  'a writer that writes nothing and says that it has': { writes: () => [] },
};

describe('what is wrong is found', () => {
  it.each(Object.entries(WRONG))('%s', async (_name, wrong) => {
    const found = await fc.check(
      fc.asyncProperty(plans, (plan) => check(plan, wrong)),
      { ...propertyOptions(400), endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });
});
