// The workflow of a turn, with attempts and a DBOS of the test's own. test/engines runs it on the real DBOS.
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import { AttemptPlaces } from '../../src/dbos/attempt-places.js';
import { workOnTurn, type TurnWork } from '../../src/dbos/turn-workflow.js';
import type { AttemptExtras } from '../../src/turn/engine-agents.js';
import { createFakeDbos } from './fake-dbos.js';

const TURN = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };
const OUTCOME = { ok: true, kind: 'ok', text: 'done', turnCostUsd: 0 } as const;
const ENDED: AttemptEnd = { state: 'ended', outcome: OUTCOME };
const PENDING = { callKey: 'key', toolName: 'order' };

function waiting(ids: string[], pending = [] as (typeof PENDING)[], turnCostUsd = 0): AttemptEnd {
  const questions = ids.map((id) => ({ id }) as ApprovalQuestion);
  return { state: 'waiting', questions, pending, turnCostUsd };
}

function answer(
  id: string,
  by = 'ann',
): { answer: { id: string; result: { behavior: 'allow' }; by: string } } {
  return { answer: { id, result: { behavior: 'allow' }, by } };
}

/** Plays attempts that end like this, or fail. */
function play(ends: (AttemptEnd | Error)[], more: Partial<TurnWork> = {}) {
  const fake = createFakeDbos();
  const attempts: AttemptExtras[] = [];
  const work: TurnWork = {
    library: fake.library,
    attempt: async (_turn, extras = {}) => {
      attempts.push({ ...extras, answers: [...(extras.answers ?? [])] });
      const end = ends.shift();
      if (!end) throw new Error('no more attempts were expected');
      if (end instanceof Error) throw end;
      return end;
    },
    places: new AttemptPlaces(1),
    retries: {},
    lookAgainMs: 5000,
    ...more,
  };
  return { fake, attempts, ending: () => workOnTurn(TURN, work) };
}

describe('the workflow of a turn', () => {
  it('gives every attempt all answers, and tells what is still open', async () => {
    const { fake, attempts, ending } = play([waiting(['a', 'b', 'c']), waiting(['c']), ENDED]);
    fake.messages.push(answer('a'), answer('b'), null, answer('c'), null);
    expect(await ending()).toEqual(OUTCOME);
    expect(attempts.map(({ answers }) => answers?.map(({ id }) => id))).toEqual([
      [],
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    const told = fake.log.flatMap(
      (entry) => (entry as { told?: { questions: { id: string }[] } }).told ?? [],
    );
    expect(told.map(({ questions }) => questions.map(({ id }) => id).join())).toEqual([
      'a,b,c',
      'c',
      'c',
      '',
    ]);
  });

  it('takes the first of several answers to a question, also when the others come later', async () => {
    const { fake, attempts, ending } = play([waiting(['a', 'b']), waiting(['b']), ENDED]);
    fake.messages.push(answer('a', 'ann'), answer('a', 'bob'), null);
    fake.messages.push(answer('a', 'cat'), answer('b', 'ann'), answer('b', 'bob'), null);
    await ending();
    expect(attempts.at(-1)?.answers?.map(({ id, by }) => `${id} ${by}`)).toEqual(['a ann', 'b ann']);
    // What does not count does not end the wait for people.
    expect(fake.log.flatMap((entry) => (entry as { waits?: number }).waits ?? [])).toEqual([
      86_400, 0, 0, 86_400, 86_400, 0, 0,
    ]);
  });

  it('takes another answer to a question that is asked again, and tells it until then', async () => {
    const { fake, attempts, ending } = play([waiting(['a']), waiting(['a']), ENDED]);
    fake.messages.push(answer('a', 'ann'), null, answer('a', 'bob'), answer('a', 'cat'), null);
    await ending();
    expect(attempts.at(-1)?.answers?.map(({ by }) => by)).toEqual(['ann', 'bob']);
    const told = fake.log.flatMap((entry) => (entry as { told?: { questions: unknown[] } }).told ?? []);
    expect(told.map(({ questions }) => questions.length)).toEqual([1, 0, 1, 0]);
  });

  it('takes an answer only for the asking that it was given to', async () => {
    const { fake, attempts, ending } = play([waiting(['a']), waiting(['a']), ENDED]);
    const of = (asking: number, by: string) => ({ ...answer('a', by), asking });
    fake.messages.push(of(1, 'too early'), of(0, 'ann'), of(0, 'again'), null);
    fake.messages.push(of(0, 'late'), of(1, 'bob'), null);
    await ending();
    expect(attempts.at(-1)?.answers?.map(({ by }) => by)).toEqual(['ann', 'bob']);
    const told = fake.log.flatMap((entry) => (entry as { told?: { askings: unknown } }).told ?? []);
    expect(told.map(({ askings }) => askings)).toEqual([{}, {}, { a: 1 }, {}]);
  });

  it('tells a question again that was answered in an earlier wait and is still open', async () => {
    const { fake, ending } = play([waiting(['a']), waiting(['a']), ENDED]);
    fake.messages.push(answer('a'), null, { wake: true }, null);
    await ending();
    const told = fake.log.flatMap((entry) => (entry as { told?: { questions: unknown[] } }).told ?? []);
    expect(told.map(({ questions }) => questions.length)).toEqual([1, 0, 1, 1]);
  });

  it('keeps an answer that comes while the attempt has not come to its question again', async () => {
    const { fake, attempts, ending } = play([waiting(['a', 'b']), waiting(['c']), ENDED]);
    fake.messages.push(answer('a'), null, answer('b'), answer('c'), null);
    await ending();
    expect(attempts.at(-1)?.answers?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('ignores what is no message, and goes on waiting', async () => {
    const { fake, attempts, ending } = play([waiting(['a']), ENDED]);
    const junk = ['text', 7, [], {}, { wake: 'yes' }, { answer: null }, { answer: { id: 'a' } }];
    fake.messages.push(...junk, { answer: { id: 1, result: { behavior: 'allow' } } }, undefined);
    fake.messages.push({ answer: { id: 'a', result: { behavior: 'deny' } } }, answer('a'), null);
    expect(await ending()).toEqual(OUTCOME);
    expect(attempts.at(-1)?.answers).toEqual([answer('a').answer]);
  });

  it('adds up what its attempts cost', async () => {
    const outcome = { ...OUTCOME, turnCostUsd: 4 };
    const old = { ...waiting(['c']), turnCostUsd: undefined } as unknown as AttemptEnd;
    const { fake, ending } = play([
      waiting(['a'], [], 1),
      waiting(['b'], [], 2),
      old,
      { state: 'ended', outcome },
    ]);
    fake.messages.push(answer('a'), null, answer('b'), null, answer('c'), null);
    expect(await ending()).toEqual({ ...OUTCOME, turnCostUsd: 7 });
  });

  it('reads the cost from the record of an earlier version', async () => {
    const { turnCostUsd: _, ...outcome } = { ...OUTCOME, costUsd: 4 };
    const { fake, ending } = play([
      waiting(['a'], [], 1),
      { state: 'ended', outcome } as unknown as AttemptEnd,
    ]);
    fake.messages.push(answer('a'), null);
    expect(await ending()).toEqual({ ...OUTCOME, turnCostUsd: 5 });
  });

  it('waits a day for people, and looks again for pending calls', async () => {
    const { fake, ending } = play([waiting(['a']), waiting([], [PENDING]), waiting([], [PENDING]), ENDED]);
    fake.messages.push(answer('a'), null, { wake: true }, null, null);
    await ending();
    expect(fake.log.flatMap((entry) => (entry as { waits?: number }).waits ?? [])).toEqual([
      86_400, 0, 5, 0, 5,
    ]);
  });

  it('tries again after an error, but not with what is wrong in itself', async () => {
    const { ending, attempts } = play([new Error('away'), ENDED]);
    expect(await ending()).toEqual(OUTCOME);
    expect(attempts).toHaveLength(2);
    await expect(play([new InvalidOptionsError(['agent'], 'none')]).ending()).rejects.toThrow('none');
    await expect(
      play([new Error('one'), new Error('two')], { retries: { maxAttempts: 2 } }).ending(),
    ).rejects.toThrow('two');
  });

  it('leaves the conversation for a while if it cannot be taken, or was taken by others', async () => {
    const { fake, ending } = play([{ state: 'busy', until: 0 }, { state: 'lost' }, ENDED]);
    expect(await ending()).toEqual(OUTCOME);
    expect(fake.log).toEqual([{ sleeps: 0 }, { sleeps: 1000 }]);
  });

  it('takes nothing once DBOS has given the workflow to another execution', async () => {
    const { fake, attempts, ending } = play([]);
    fake.isTakenOver = true;
    await expect(ending()).rejects.toThrow('workflow-1 is taken over');
    expect(attempts).toEqual([]);
  });

  it('takes nothing either if DBOS gives the workflow away while the attempt looks whether it was stopped', async () => {
    const { fake, attempts, ending } = play([]);
    fake.onLook = () => (fake.isTakenOver = true);
    await expect(ending()).rejects.toThrow('workflow-1 is taken over');
    expect(attempts).toEqual([]);
  });

  it('ends a turn that was stopped while it waited, in an attempt that is interrupted from its start', async () => {
    const { fake, attempts, ending } = play([waiting(['a']), ENDED]);
    fake.messages.push({ wake: true }, null);
    fake.onWait = () => (fake.isStopped = true);
    expect(await ending()).toEqual(OUTCOME);
    expect(attempts.map(({ interrupt }) => interrupt?.aborted)).toEqual([false, true]);
  });

  it('interrupts an attempt when the workflow is cancelled', async () => {
    const { fake, attempts, ending } = play([ENDED]);
    await ending();
    fake.cancel.abort();
    expect(attempts[0]?.interrupt?.aborted).toBe(true);
  });
});

it('makes no more attempts at a time than there are places, in order', async () => {
  const places = new AttemptPlaces(2);
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string): Promise<void> =>
    places.within(() => {
      log.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = ['a', 'b', 'c', 'd'].map(begin);
  expect(log).toEqual(['a', 'b']);
  ends.get('b')?.();
  await all[1];
  expect(log).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) ends.get(name)?.();
  await Promise.all([all[0], all[2]]);
  ends.get('d')?.();
  await Promise.all(all);
  expect(log.at(-1)).toBe('d');
});
