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
const OUTCOME = { ok: true, kind: 'ok', text: 'done', costUsd: 0 } as const;
const ENDED: AttemptEnd = { state: 'ended', outcome: OUTCOME };
const PENDING = { callKey: 'key', toolName: 'order' };

function waiting(ids: string[], pending = [] as (typeof PENDING)[]): AttemptEnd {
  const questions = ids.map((id) => ({ id }) as ApprovalQuestion);
  return { state: 'waiting', questions, pending, turnCostUsd: 0 };
}

function answer(id: string): { answer: { id: string; result: { behavior: 'allow' } } } {
  return { answer: { id, result: { behavior: 'allow' } } };
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
    onMessage: undefined,
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

  it('ends a turn that was stopped while it waited, in an attempt that is interrupted from its start', async () => {
    const { fake, attempts, ending } = play([waiting(['a']), ENDED]);
    fake.messages.push({ wake: true }, null);
    fake.onWait = () => (fake.isStopped = true);
    expect(await ending()).toEqual(OUTCOME);
    expect(attempts.map(({ interrupt }) => interrupt?.aborted)).toEqual([false, true]);
  });

  it('interrupts an attempt when the workflow is cancelled, and passes its messages on', async () => {
    const seen: unknown[] = [];
    const { fake, attempts, ending } = play([ENDED], { onMessage: (...given) => void seen.push(given) });
    await ending();
    fake.cancel.abort();
    expect(attempts[0]?.interrupt?.aborted).toBe(true);
    await attempts[0]?.onMessage?.('message' as never);
    expect(seen).toEqual([['message', TURN]]);
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
