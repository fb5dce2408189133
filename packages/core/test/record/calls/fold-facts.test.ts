// What is known of a call, from its facts.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallFact } from '../../../src/wire/protocol/config/call-records.js';
import { compactFacts } from '../../../src/record/calls/compact-facts.js';
import { foldFacts, isOpenPending } from '../../../src/record/calls/fold-facts.js';

const CALL = { callKey: 'c', toolUseId: 'toolu_1', toolName: 'pay', input: { order: 7 } };
const allowed = { behavior: 'allow' } as const;
const denied = { behavior: 'deny', message: 'no' } as const;
const asked = (at: number): CallFact => ({ type: 'asked', ...CALL, question: { title: `${at}` }, at });
const answered = (at: number, answer: typeof allowed | typeof denied = allowed): CallFact => ({
  type: 'answered',
  callKey: 'c',
  answer,
  at,
});
const begun = (at: number, attempt = 1, owner = 'a'): CallFact => ({
  type: 'begun',
  ...CALL,
  attempt,
  owner,
  at,
});
const mark = (type: 'waiting' | 'working' | 'withdrawn', at: number): CallFact => ({
  type,
  callKey: 'c',
  at,
});
const ended = (at: number): CallFact => ({ type: 'ended', callKey: 'c', result: { content: [at] }, at });
const covers = (message: string, at = 0): CallFact => ({ type: 'covers', message, at });
const fold = (...facts: CallFact[]) => foldFacts(facts).get('c');
const known = { ...CALL, isWaiting: false };

describe('a call', () => {
  it('is asked about, answered, begun and ended', () => {
    const [ask, answer, begin] = [
      { asked: { question: { title: '1' }, at: 1 } },
      { answered: { answer: allowed, at: 2 } },
      { begun: { owner: 'a', attempt: 1, at: 3 } },
    ];
    const facts = [asked(1), answered(2), begun(3), ended(4)];
    const states = facts.map((_, at) => fold(...facts.slice(0, at + 1)));
    expect(states).toEqual([
      { ...known, ...ask },
      { ...known, ...ask, ...answer },
      { ...known, ...ask, ...answer, ...begin },
      { ...known, ...ask, ...answer, ...begin, ended: { result: { content: [4] }, at: 4 } },
    ]);
  });

  it.each<[string, CallFact[], boolean]>([
    ['begun', [begun(1)], false],
    ['that waits', [begun(1), mark('waiting', 2)], true],
    ['that went on', [begun(1), mark('waiting', 2), mark('working', 3)], false],
    ['that waits again', [begun(1), mark('waiting', 2), mark('working', 3), mark('waiting', 4)], true],
    ['that ended', [begun(1), mark('waiting', 2), ended(3)], false],
    ['whose wait is recorded after its end', [begun(1), ended(3), mark('waiting', 2)], false],
    ['that was begun again', [begun(1), mark('waiting', 2), begun(3, 2)], false],
    // The clock was set back: the order decides.
    [
      'that went on before it waited, by the clock',
      [begun(9), mark('waiting', 8), mark('working', 1)],
      false,
    ],
    // A write that was repeated late must not let a handler run from the start that goes on.
    ['whose wait comes twice', [begun(1), mark('waiting', 2), mark('working', 3), mark('waiting', 2)], false],
    // Careful, where a millisecond tells too little.
    [
      'that waits twice in a moment',
      [begun(1), mark('waiting', 2), mark('working', 2), mark('waiting', 2)],
      false,
    ],
  ])('%s waits: %#', (_, facts, isWaiting) => {
    expect(fold(...facts)?.isWaiting).toBe(isWaiting);
  });

  it.each<[string, CallFact[], object]>([
    [
      'the first answer counts',
      [asked(1), answered(2, denied), answered(3)],
      { answered: { answer: denied, at: 2 } },
    ],
    [
      'an answer is final',
      [asked(1), answered(2), mark('withdrawn', 3)],
      { answered: { answer: allowed, at: 2 } },
    ],
    ['so is a withdrawal', [asked(1), mark('withdrawn', 2), answered(3)], { withdrawn: { at: 2 } }],
    [
      'asked again, it is open',
      [asked(1), answered(2), asked(3)],
      { asked: { question: { title: '3' }, at: 3 } },
    ],
    [
      'asked again after a withdrawal',
      [asked(1), mark('withdrawn', 2), asked(3), answered(4)],
      { answered: { answer: allowed, at: 4 } },
    ],
    [
      'a new attempt has no result yet',
      [begun(1), ended(2), begun(3, 2, 'b')],
      { begun: { owner: 'b', attempt: 2, at: 3 } },
    ],
    [
      'a late beginning does not undo a result',
      [ended(2), begun(1)],
      { ended: { result: { content: [2] }, at: 2 } },
    ],
    [
      'the first result of an attempt counts',
      [begun(1), ended(2), ended(3)],
      { ended: { result: { content: [2] }, at: 2 } },
    ],
    [
      'an older attempt says nothing new',
      [begun(1, 2, 'b'), begun(2, 1, 'a')],
      { begun: { owner: 'b', attempt: 2, at: 1 } },
    ],
  ])('%s', (_, facts, expected) => {
    const {
      callKey: _key,
      toolUseId: _id,
      toolName: _name,
      input: _input,
      isWaiting: _waiting,
      ...state
    } = fold(...facts) ?? { isWaiting: false };
    const settled = ['answered', 'withdrawn', 'ended'].filter((name) => name in state);
    expect(state).toMatchObject(expected);
    expect(settled).toEqual(Object.keys(expected).filter((name) => settled.includes(name)));
  });

  it('is found by its key and by the id that the model gave it', () => {
    const calls = foldFacts([
      asked(1),
      { ...begun(2), toolUseId: 'toolu_2' } as CallFact,
      mark('waiting', 3),
    ]);
    expect(calls.findByToolUseId('toolu_2')).toBe(calls.get('c'));
    expect(calls.findByToolUseId('toolu_1')?.callKey).toBe('c');
    expect([calls.findByToolUseId('x'), calls.get('x')]).toEqual([undefined, undefined]);
    expect(calls.list().map(({ callKey }) => callKey)).toEqual(['c']);
  });

  it('may be known by its answer alone, and facts of other versions say nothing', () => {
    const unknown = { type: 'paused', callKey: 'c', at: 1 } as unknown as CallFact;
    expect(fold(unknown)).toBeUndefined();
    expect(fold(unknown, answered(1))).toEqual({
      callKey: 'c',
      isWaiting: false,
      answered: { answer: allowed, at: 1 },
    });
  });
});

describe('covers()', () => {
  it('holds for the turns that are named, and for no others', () => {
    const calls = foldFacts([covers('m2'), covers('m4')]);
    const messages = ['m1', 'm2', 'm3', 'm4', 'm5'];
    expect(messages.filter((message) => calls.covers(message))).toEqual(['m2', 'm4']);
  });
});

const anyFact = (callKey: string): fc.Arbitrary<CallFact> =>
  fc.tuple(fc.nat(20), fc.constantFrom(1, 2, 3), fc.nat(7)).map(([at, attempt, kind]) => {
    const facts = [
      asked(at),
      answered(at, at % 2 ? allowed : denied),
      begun(at, attempt),
      mark('waiting', at),
      mark('working', at),
      ended(at),
      mark('withdrawn', at),
      covers(`m${at}`, at),
    ];
    return { ...facts[kind], ...('callKey' in (facts[kind] as object) && { callKey }) } as CallFact;
  });
const anyFacts = fc.array(fc.constantFrom('c', 'd', 'e').chain(anyFact), { maxLength: 40 });
const stateOf = (facts: readonly CallFact[]) => {
  const calls = foldFacts(facts);
  return { list: calls.list(), covered: Array.from({ length: 21 }, (_, at) => calls.covers(`m${at}`)) };
};

describe('facts', () => {
  it('that come again later change nothing', () => {
    fc.assert(
      fc.property(anyFacts, fc.array(fc.tuple(fc.nat(), fc.nat())), (facts, repeats) => {
        const again = [...facts];
        for (const [from, to] of facts.length > 0 ? repeats : []) {
          const at = from % again.length;
          again.splice(at + 1 + (to % (again.length - at)), 0, structuredClone(again[at] as CallFact));
        }
        expect(stateOf(again)).toEqual(stateOf(facts));
      }),
    );
  });

  it('of different calls may come in any order', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const byCall = facts.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
        const sort = (state: ReturnType<typeof stateOf>) => ({
          ...state,
          list: state.list.toSorted((a, b) => a.callKey.localeCompare(b.callKey)),
        });
        expect(sort(stateOf(byCall))).toEqual(sort(stateOf(facts)));
      }),
    );
  });
});

const keyOf = (fact: CallFact): string => ('callKey' in fact ? fact.callKey : '');

describe('compactFacts()', () => {
  const other = (fact: CallFact): CallFact => ({ ...fact, callKey: 'd' }) as CallFact;
  const all = (): boolean => true;

  it('leaves out delivered calls of earlier turns, with the marks of those turns', () => {
    const facts = [covers('m1'), begun(1), ended(2), other(begun(1)), covers('m2'), other(ended(3))];
    expect(compactFacts(facts, all)).toEqual([other(begun(1)), covers('m2'), other(ended(3))]);
  });

  it.each<[string, CallFact[], ((callKey: string) => boolean)?]>([
    ['was not delivered', [covers('m1'), begun(1), ended(2), covers('m2')], () => false],
    ['has not ended', [covers('m1'), begun(1), covers('m2')]],
    ['waits for an answer', [covers('m1'), asked(1), covers('m2')]],
    ['was allowed', [covers('m1'), asked(1), answered(2), covers('m2')]],
    ['ended in this turn', [covers('m1'), begun(1), covers('m2'), ended(2)]],
    ['began again', [covers('m1'), begun(1), ended(2), begun(3, 2), covers('m2')]],
    [
      'began after its question was withdrawn',
      [covers('m1'), asked(1), mark('withdrawn', 2), begun(3), covers('m2')],
    ],
  ])('keeps a call that %s', (_, facts, isDelivered = all) => {
    const callFacts = facts.filter(({ type }) => type !== 'covers');
    expect(compactFacts(facts, isDelivered).filter(({ type }) => type !== 'covers')).toEqual(callFacts);
  });

  it('never says of a call whose facts are gone that it did not begin', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const kept = compactFacts(facts, all);
        const before = foldFacts(facts);
        const after = foldFacts(kept);
        for (const { callKey, ended: end, withdrawn } of before.list()) {
          const left = after.get(callKey);
          if (left) expect(left).toEqual(before.get(callKey));
          else expect(end ?? withdrawn).toBeDefined();
        }
        // What is covered still was covered before; the last mark stays.
        const marks = facts.filter(({ type }) => type === 'covers');
        expect(kept.filter(({ type }) => type === 'covers').every((fact) => marks.includes(fact))).toBe(true);
        if (marks.length > 0) expect(kept).toContain(facts.findLast(({ type }) => type === 'covers'));
      }),
    );
  });
});

describe('a pending call', () => {
  const pending = (at: number): CallFact => ({ type: 'pending', callKey: 'c', note: `${at}`, at });
  const completed = (at: number, completion = `${at}`): CallFact => ({
    type: 'ended',
    callKey: 'c',
    result: { content: [at] },
    by: 'ann',
    completion,
    at,
  });
  const isOpen = (...facts: CallFact[]): boolean => {
    const state = fold(...facts);
    return state !== undefined && isOpenPending(state);
  };

  it('is open until it is completed or withdrawn, and the first of both counts', () => {
    expect(isOpen(begun(1))).toBe(false);
    expect(isOpen(begun(1), pending(2))).toBe(true);
    expect(isOpen(begun(1), pending(2), completed(3))).toBe(false);
    expect(isOpen(begun(1), pending(2), mark('withdrawn', 3))).toBe(false);
    expect(fold(begun(1), pending(2), completed(3), completed(4))?.ended).toEqual({
      result: { content: [3] },
      by: 'ann',
      completion: '3',
      at: 3,
    });
    const late = fold(begun(1), pending(2), mark('withdrawn', 3), completed(4));
    expect([late?.ended, late?.pending?.withdrawnAt]).toEqual([undefined, 3]);
    const early = fold(begun(1), pending(2), completed(3), mark('withdrawn', 4));
    expect([early?.ended?.at, early?.pending?.withdrawnAt]).toEqual([3, undefined]);
  });

  it('is withdrawn although a person had allowed it', () => {
    const state = fold(asked(1), answered(2), begun(3), pending(4), mark('withdrawn', 5));
    expect([state?.pending?.withdrawnAt, state?.withdrawn]).toEqual([5, undefined]);
  });

  it('tells two completions apart that say the same', () => {
    expect(fold(begun(1), pending(2), completed(3, 'a'), completed(3, 'b'))?.ended?.completion).toBe('a');
  });

  it('keeps what it was completed with if it is made again, and not what its handler returned', () => {
    const again = fold(begun(1), pending(2), completed(3), begun(4, 2), pending(5));
    expect(again?.ended?.at).toBe(3);
    expect(isOpen(begun(1), ended(2), begun(3), pending(4))).toBe(true);
    expect(isOpen(begun(1), pending(2), mark('withdrawn', 3), begun(4, 2), pending(5))).toBe(true);
  });

  it('is kept as a whole when records are made shorter, until it is settled', () => {
    const open = [covers('m1'), begun(1), pending(2), covers('m2')];
    expect(compactFacts(open, () => true)).toEqual(open);
    const done = [covers('m1'), begun(1), pending(2), mark('withdrawn', 3), covers('m2')];
    expect(compactFacts(done, () => true)).toEqual([covers('m2')]);
  });

  it('says how far its handler has got', () => {
    const progress: CallFact = { type: 'progress', callKey: 'c', progress: 2, total: 5, at: 3 };
    expect(fold(begun(1), progress)?.progress).toEqual({ progress: 2, total: 5, at: 3 });
    expect(fold(begun(1), progress, begun(4, 2))?.progress).toBeUndefined();
  });
});
