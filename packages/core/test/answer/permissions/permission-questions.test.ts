import { runInThisContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { PermissionUnavailableError } from '../../../src/errors.js';
import { allow, answerQuestions, deny } from '../../../src/answer/permissions/decisions.js';
import {
  answerPermission,
  PermissionQuestions,
} from '../../../src/answer/permissions/permission-questions.js';
import { LEFT_OPEN, type AnswerContext } from '../../../src/wire/protocol/answer.js';
import type { CanUseTool } from '../../../src/wire/protocol/control/permission-question.js';
import { measureHeldMemory } from '../../util/measure-held-memory.js';
import { PATIENCE_MS } from '../../../../../test/support/wait-until.js';

const question = (more: object = {}) => ({
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 't1',
  ...more,
});

function setUp(canUseTool?: CanUseTool) {
  const written: [string, unknown][] = [];
  const onUnavailable = vi.fn();
  const onFailure = vi.fn();
  const questions = new PermissionQuestions({
    canUseTool,
    identify: ({ toolUseId }) => ({ callKey: `call_${toolUseId}`, attempt: 1 }),
    onUnavailable,
    onFailure,
    write: (requestId, response) => {
      written.push([requestId, response]);
      return true;
    },
  });
  const controller = new AbortController();
  const { signal } = controller;
  const watch: AnswerContext['watch'] = (watcher) =>
    signal.addEventListener('abort', () => watcher.withdraw(signal.reason));
  const ask = (requestId: string, more?: object): unknown =>
    questions.answer(question(more), { requestId, signal, watch });
  return { questions, written, ask, controller, onUnavailable, onFailure };
}

it('denies once, and asks nobody again, when the answer cannot be read', async () => {
  const throwing = () => ({
    get behavior(): 'allow' {
      throw new Error('hands off');
    },
  });
  const canUseTool = vi.fn<CanUseTool>(() => Promise.resolve(throwing()));
  const { ask, onUnavailable } = setUp(canUseTool);
  expect(await ask('unreadable-1')).toMatchObject({ behavior: 'deny' });
  expect(onUnavailable).not.toHaveBeenCalled();
  expect(canUseTool).toHaveBeenCalledTimes(1);
  const later = setUp(async () => null);
  await later.ask('unreadable-2');
  expect(answerPermission('unreadable-2', throwing())).toBe(true);
  expect(later.written).toMatchObject([['unreadable-2', { behavior: 'deny' }]]);
});

it('lists what waits, and answers it later by its id from anywhere', async () => {
  const { questions, ask, written } = setUp(async () => null);
  expect(await ask('left-1', { agent_id: 'a' })).toBe(LEFT_OPEN);
  expect(questions.pending).toMatchObject([
    {
      requestId: 'left-1',
      toolName: 'Bash',
      input: { command: 'ls' },
      toolUseID: 't1',
      agentID: 'a',
      callKey: 'call_t1',
      attempt: 1,
    },
  ]);
  expect(answerPermission('left-1', allow())).toBe(true);
  expect(written).toEqual([
    ['left-1', { behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 't1' }],
  ]);
  expect(answerPermission('left-1', allow())).toBe(false);
  expect(questions.pending).toEqual([]);
});

it('creates no signal for a question that its callback answers', async () => {
  const look = vi.fn(() => new AbortController().signal);
  const context = Object.defineProperty({ requestId: 'r' }, 'signal', { get: look }) as AnswerContext;
  const { questions } = setUp(async () => allow());
  expect(await questions.answer(question(), context)).toMatchObject({ behavior: 'allow' });
  expect(questions.pending).toEqual([]);
  expect(look).not.toHaveBeenCalled();
});

it('writes nothing for a question that it does not have', async () => {
  const { questions, ask, written } = setUp(async () => null);
  await ask('own-1');
  expect(questions.settle('other-1', allow())).toBe(false);
  expect(answerPermission('other-1', allow())).toBe(false);
  expect(written).toEqual([]);
  questions.close();
});

it('holds on to no session whose questions are over', async () => {
  const leave = async (): Promise<WeakRef<PermissionQuestions>> => {
    const { questions, ask } = setUp(async () => null);
    await ask('over-1');
    questions.close();
    return new WeakRef(questions);
  };
  const left = await leave();
  // What a reference was made for stays until the end of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  measureHeldMemory();
  expect(left.deref()).toBeUndefined();
});

it('keeps several apart and answers them in any order', async () => {
  const { questions, ask, written } = setUp(async () => null);
  await Promise.all([ask('o1'), ask('o2', { tool_use_id: 't2' }), ask('o3')]);
  expect(questions.settle('o2', deny('no', { interrupt: true }))).toBe(true);
  expect(questions.pending.map(({ requestId }) => requestId)).toEqual(['o1', 'o3']);
  expect(written).toEqual([['o2', { behavior: 'deny', message: 'no', interrupt: true, toolUseID: 't2' }]]);
  questions.close();
  expect(answerPermission('o1', allow())).toBe(false);
});

it('lists a question whose callback is at work, and forgets it with the answer', async () => {
  let decide: (value: { behavior: 'allow' }) => void = () => {};
  const { questions, ask } = setUp(() => new Promise((resolve) => (decide = resolve)));
  const answer = ask('w1');
  expect(questions.pending).toHaveLength(1);
  decide({ behavior: 'allow' });
  expect(await answer).toMatchObject({ behavior: 'allow' });
  expect(questions.pending).toEqual([]);
});

it('forgets a question the CLI withdraws', async () => {
  const { questions, ask, controller } = setUp(async () => null);
  await ask('c1');
  controller.abort();
  expect(questions.pending).toEqual([]);
  expect(answerPermission('c1', allow())).toBe(false);
});

it('forgets a withdrawn question at once, although its callback does not return', () => {
  const { questions, ask, controller } = setUp(() => new Promise(() => {}));
  const settled: unknown[] = [];
  void ask('c2');
  questions.watch({ asked: () => {}, settled: (requestId) => settled.push(requestId) });
  controller.abort();
  expect(questions.pending).toEqual([]);
  expect(settled).toEqual(['c2']);
  expect(answerPermission('c2', allow())).toBe(false);
});

it('has nothing open when there is no callback, or it throws', async () => {
  const none = setUp();
  expect(none.ask('n1')).toMatchObject({ behavior: 'deny' });
  expect(none.questions.pending).toEqual([]);
  const throwing = setUp(vi.fn().mockRejectedValue(new Error('down')));
  expect(await throwing.ask('n2')).toMatchObject({
    behavior: 'deny',
    message: 'The permission callback failed, so the call was denied',
  });
  expect(throwing.onFailure).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ message: expect.stringContaining('down') as string }),
  );
  expect(throwing.questions.pending).toEqual([]);
});

it('answers the questions of AskUserQuestion with the input it came with', () => {
  expect(answerQuestions({ questions: [] }, { 'Which?': 'A', 'Which ones?': ['B', 'C'] })).toEqual({
    behavior: 'allow',
    updatedInput: { questions: [], answers: { 'Which?': 'A', 'Which ones?': 'B, C' } },
  });
});

it('shows all that a callback would be told, as data that can be written down', async () => {
  const { questions, ask } = setUp(async () => null);
  const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
  await ask('d1', { display_name: 'Bash', blocked_path: '/x', permission_suggestions: suggestions });
  const [pending] = questions.pending;
  expect(pending).toEqual({
    requestId: 'd1',
    callKey: 'call_t1',
    attempt: 1,
    toolName: 'Bash',
    input: { command: 'ls' },
    toolUseID: 't1',
    displayName: 'Bash',
    blockedPath: '/x',
    suggestions,
    askedAt: expect.any(Number) as number,
  });
  expect(JSON.parse(JSON.stringify(pending))).toEqual(pending);
});

// A database that is away must neither deny a call nor be told to the model.
describe('a callback that cannot answer at the moment', () => {
  const away = (retryAfterMs: number): PermissionUnavailableError =>
    new PermissionUnavailableError('The database is away', { retryAfterMs });

  it('leaves the question open, and is asked again until it answers', async () => {
    let tries = 0;
    const { questions, ask, onUnavailable } = setUp(() => {
      tries += 1;
      // The first time at once, then later.
      if (tries === 1) throw away(0);
      return tries < 4 ? Promise.reject(away(0)) : Promise.resolve(allow());
    });
    const answer = ask('u1') as Promise<unknown>;
    expect(questions.pending).toMatchObject([{ requestId: 'u1' }]);
    expect(await answer).toMatchObject({ behavior: 'allow' });
    expect(tries).toBe(4);
    expect(questions.pending).toEqual([]);
    expect(onUnavailable.mock.calls).toMatchObject([[{ message: 'The database is away' }, 'Bash']]);
  });

  it('is asked again after twice the time, but never more than ten seconds, where its error does not say', async () => {
    const callback = vi.fn<CanUseTool>(() => Promise.reject(new PermissionUnavailableError('Away')));
    const clock = vi.useFakeTimers();
    const { questions, ask } = setUp(callback);
    try {
      const answer = ask('u7') as Promise<unknown>;
      await clock.advanceTimersByTimeAsync(0);
      for (const [tries, ms] of [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000].entries()) {
        await clock.advanceTimersByTimeAsync(ms - 1);
        expect(callback).toHaveBeenCalledTimes(tries + 1);
        await clock.advanceTimersByTimeAsync(1);
        expect(callback).toHaveBeenCalledTimes(tries + 2);
      }
      questions.close();
      expect(await answer).toBe(LEFT_OPEN);
    } finally {
      clock.useRealTimers();
    }
  });

  it('is not asked again, and costs no timer, where its error says never', async () => {
    const callback = vi.fn<CanUseTool>(() => Promise.reject(away(Infinity)));
    const clock = vi.useFakeTimers();
    const { questions, ask } = setUp(callback);
    try {
      const answer = ask('u6') as Promise<unknown>;
      await clock.advanceTimersByTimeAsync(2 ** 32);
      expect(callback).toHaveBeenCalledTimes(1);
      expect(clock.getTimerCount()).toBe(0);
      questions.close();
      expect(await answer).toBe(LEFT_OPEN);
    } finally {
      clock.useRealTimers();
    }
  });

  it('is not asked again once the question was answered by its id', async () => {
    const callback = vi.fn<CanUseTool>(() => Promise.reject(away(Infinity)));
    const { ask, written, onUnavailable } = setUp(callback);
    const answer = ask('u2') as Promise<unknown>;
    await vi.waitFor(() => expect(onUnavailable).toHaveBeenCalled(), PATIENCE_MS);
    expect(answerPermission('u2', deny('no'))).toBe(true);
    expect(await answer).toBe(LEFT_OPEN);
    expect(written).toHaveLength(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it.each(['withdrawn', 'closed'])('is not asked again about a question that was %s', async (how) => {
    const callback = vi.fn<CanUseTool>(() => Promise.reject(away(Infinity)));
    const { questions, ask, controller, onUnavailable } = setUp(callback);
    const answer = ask('u3') as Promise<unknown>;
    await vi.waitFor(() => expect(onUnavailable).toHaveBeenCalled(), PATIENCE_MS);
    if (how === 'closed') questions.close();
    else controller.abort();
    expect(await answer).toBe(LEFT_OPEN);
    expect(questions.pending).toEqual([]);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('denies when it fails in earnest', async () => {
    let tries = 0;
    const { ask } = setUp(() => Promise.reject((tries += 1) === 1 ? away(0) : new Error('broken')));
    expect(await ask('u4')).toMatchObject({ behavior: 'deny' });
  });

  it('may leave the question open at last', async () => {
    let tries = 0;
    const { questions, ask } = setUp(() =>
      (tries += 1) === 1 ? Promise.reject(away(0)) : Promise.resolve(null),
    );
    expect(await ask('u5')).toBe(LEFT_OPEN);
    expect(questions.settle('u5', allow())).toBe(true);
  });
});

it('makes no question for a callback that cannot see it, and a whole one for any other', async () => {
  // Functions of a test may be rewritten on their way here.
  const make = (text: string): CanUseTool => runInThisContext(`(${text})`) as CanUseTool;
  const countReads = async (canUseTool: CanUseTool): Promise<number> => {
    let reads = 0;
    const asked = Object.defineProperty(question(), 'title', { get: () => (reads += 1) });
    const { signal } = new AbortController();
    const { questions } = setUp(canUseTool);
    expect(await questions.answer(asked, { requestId: 'r1', signal })).toMatchObject({ behavior: 'allow' });
    return reads;
  };
  expect(await countReads(make(`async (name, input) => ({ behavior: 'allow' })`))).toBe(0);
  const whole = `async function (name, input) { return { behavior: arguments[2].title ? 'allow' : 'deny' } }`;
  expect(await countReads(make(whole))).toBe(1);
});
