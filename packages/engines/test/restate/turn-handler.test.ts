// What the handler of a turn does between attempts, with a Restate that a test controls.
import { describe, expect, it } from 'vitest';
import { allow } from '@inboard/core/answer/permissions/decisions.js';
import type { AttemptReply, AttemptRequest } from '../../src/restate/attempt-handler.js';
import { giveAnswer, readKeptTurn, type KeptTurn } from '../../src/restate/kept-turn.js';
import { handleTurn } from '../../src/restate/turn-handler.js';
import { FakeObject, library } from './fake-restate.js';

const TURN = { agent: 'support', id: '1', content: 'Hello' };
const DONE: AttemptReply = {
  state: 'ended',
  outcome: { ok: true, kind: 'ok', text: 'done', turnCostUsd: 1 },
};
const ended = async (): Promise<AttemptReply> => DONE;

function waiting({ questions = [], pending = [] }: { questions?: string[]; pending?: string[] }) {
  return async (): Promise<AttemptReply> => ({
    state: 'waiting',
    questions: questions.map((id) => ({ id })) as never,
    pending: pending.map((callKey) => ({ callKey })),
    turnCostUsd: 2,
  });
}

function give(object: FakeObject, answer: unknown): Promise<boolean> {
  return giveAnswer('conversations', object.context, answer);
}

function work(object: FakeObject, turn: unknown = TURN) {
  return handleTurn(library, 'conversations', object.context, turn);
}

/** What is kept, once it has what is looked for. */
async function kept(object: FakeObject, isRight: (turn: KeptTurn) => boolean): Promise<KeptTurn> {
  for (;;) {
    const turn = await readKeptTurn(object.context);
    if (turn && isRight(turn)) return turn;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const asks = (turn: KeptTurn): boolean => turn.questions.length > 0;

describe('a turn', () => {
  it('is refused if it is none', async () => {
    await expect(work(new FakeObject(), 'Hello')).rejects.toThrow('"conversations" takes a turn');
  });

  it('makes the next attempt with the answers so far, and adds up what attempts cost', async () => {
    const object = new FakeObject(waiting({ questions: ['a', 'b'] }), waiting({ questions: ['b'] }), ended);
    const outcome = work(object);
    const { questions } = await kept(object, asks);
    await give(object, { id: 'a', result: allow(), by: 'ann' });
    const [rest] = (await kept(object, (turn) => turn.questions[0]?.id === 'b')).questions;
    // A question that stays open keeps its awakeable.
    expect(rest?.awakeable).toBe(questions[1]?.awakeable);
    await give(object, { id: 'b', result: allow() });
    expect(await outcome).toMatchObject({ text: 'done', turnCostUsd: 5 });
    expect(object.requests.map(({ answers }) => answers.map(({ id }) => id))).toEqual([
      [],
      ['a'],
      ['a', 'b'],
    ]);
    expect([...object.state.keys()]).toEqual([]);
    // People are waited for without a timer.
    expect(object.sleeps).toEqual([]);
  });

  it.each(['not JSON', '{"result":"yes"}'])(
    'gives a question another awakeable after %s was sent to it',
    async (text) => {
      const object = new FakeObject(waiting({ questions: ['a'] }), ended);
      const outcome = work(object);
      const first = (await kept(object, asks)).questions[0]?.awakeable;
      object.complete(first as string, text);
      const isOther = ({ questions }: KeptTurn): boolean => questions[0]?.awakeable !== first;
      const next = (await kept(object, isOther)).questions[0]?.awakeable;
      object.complete(next as string, JSON.stringify({ result: allow() }));
      expect(await outcome).toMatchObject({ ok: true });
      expect(object.requests).toHaveLength(2);
    },
  );

  it('denies a question whose awakeable is rejected', async () => {
    const object = new FakeObject(waiting({ questions: ['a'] }), ended);
    const outcome = work(object);
    object.reject((await kept(object, asks)).questions[0]?.awakeable as string, 'Ann is away');
    await outcome;
    expect(object.requests[1]?.answers).toEqual([
      { id: 'a', result: { behavior: 'deny', message: 'Ann is away' } },
    ]);
  });

  it('looks for the results of pending calls at once after a wake, and by itself ever more rarely', async () => {
    const pends = waiting({ pending: ['call'] });
    const object = new FakeObject(pends, pends, pends, pends, ended);
    const outcome = work(object);
    const untilSleep = async (count: number): Promise<void> => {
      while (object.sleeps.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    for (const count of [1, 2]) {
      await untilSleep(count);
      object.sleeps[count - 1]?.end();
    }
    await untilSleep(3);
    const first = await kept(object, ({ pending }) => pending.length > 0);
    object.complete(first.wake, 'null');
    await untilSleep(4);
    expect(object.sleeps.map(({ ms }) => ms)).toEqual([60_000, 120_000, 240_000, 60_000]);
    object.complete((await kept(object, ({ wake }) => wake !== first.wake)).wake, 'null');
    expect(await outcome).toMatchObject({ ok: true });
  });

  it('waits until a conversation that is busy can be taken', async () => {
    const object = new FakeObject(async () => ({ state: 'busy', forMs: 700 }), ended);
    const outcome = work(object);
    while (object.sleeps.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(object.sleeps[0]?.ms).toBe(700);
    object.sleeps[0]?.end();
    expect(await outcome).toMatchObject({ ok: true });
  });

  it('is ended as an interruption when it is cancelled, by another attempt if the one that ran cannot do it', async () => {
    const interrupted: AttemptReply = {
      state: 'ended',
      outcome: { ok: false, kind: 'interrupted', text: '', turnCostUsd: 0 },
    };
    const cancelled = async (): Promise<AttemptReply> => {
      throw new library.CancelledError();
    };
    const object = new FakeObject(cancelled, async (request: AttemptRequest) => {
      expect(request.stop).toBe(true);
      return interrupted;
    });
    expect(await work(object)).toMatchObject({ kind: 'interrupted' });
    expect([...object.state.keys()]).toEqual([]);
  });

  it('is ended as an interruption also when it is cancelled again while it is being stopped', async () => {
    const cancelled = async (): Promise<AttemptReply> => {
      throw new library.CancelledError();
    };
    const object = new FakeObject(cancelled, cancelled, async ({ stop }) => {
      expect(stop).toBe(true);
      return { state: 'ended', outcome: { ok: false, kind: 'interrupted', text: '', turnCostUsd: 0 } };
    });
    expect(await work(object)).toMatchObject({ kind: 'interrupted' });
    expect([...object.state.keys()]).toEqual([]);
  });

  it('fails with what an attempt failed with for good', async () => {
    const object = new FakeObject(async () => {
      throw new library.TerminalError('no such agent', { errorCode: 400 });
    });
    await expect(work(object)).rejects.toThrow('no such agent');
    expect([...object.state.keys()]).toEqual([]);
  });
});

describe('an answer', () => {
  it.each([
    ['no answer', 'yes', '"answer" takes { id, result }'],
    ['no id', { result: allow() }, '"id" must be'],
    ['no result', { id: 'a', result: 'yes' }, 'made with allow() or deny(message)'],
  ])('is refused with %s', async (_name, answer, message) => {
    await expect(give(new FakeObject(), answer)).rejects.toThrow(message);
  });

  it('says whether it was taken: not if it is unknown, the second one, or too late', async () => {
    const object = new FakeObject(waiting({ questions: ['a', 'b'] }), waiting({ questions: ['b'] }), ended);
    const outcome = work(object);
    await kept(object, asks);
    expect(await give(object, { id: 'other', result: allow() })).toBe(false);
    // Both come before the turn has seen either.
    const both = ['ann', 'bob'].map((by) => give(object, { id: 'a', result: allow(), by }));
    expect(await Promise.all(both)).toEqual([true, false]);
    await kept(object, ({ questions }) => questions[0]?.id === 'b');
    expect(await give(object, { id: 'a', result: allow() })).toBe(false);
    expect(await give(object, { id: 'b', result: allow() })).toBe(true);
    await outcome;
    expect(await give(object, { id: 'b', result: allow() })).toBe(false);
    expect(object.requests.at(-1)?.answers.map(({ id, by }) => [id, by])).toEqual([
      ['a', 'ann'],
      ['b', undefined],
    ]);
  });

  it('is taken again for a question that is asked again', async () => {
    const object = new FakeObject(waiting({ questions: ['a'] }), waiting({ questions: ['a'] }), ended);
    const outcome = work(object);
    const first = (await kept(object, asks)).questions[0]?.awakeable;
    expect(await give(object, { id: 'a', result: allow() })).toBe(true);
    await kept(object, ({ questions }) => questions.length > 0 && questions[0]?.awakeable !== first);
    expect(await give(object, { id: 'a', result: allow() })).toBe(true);
    expect(await outcome).toMatchObject({ ok: true });
  });
});
