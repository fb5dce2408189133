// The questions of one chat: how long callers wait for them, and what is left when they are over.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApprovals, allow } from '@inboard/inboard/index.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { ChatAnswers } from '../src/chat/chat-answers.js';
import { ChatQuestions } from '../src/chat/chat-questions.js';
import { badRequest } from '../src/chat/chat-refusal.js';

function open() {
  const approvals = createApprovals();
  const listener = { asked: vi.fn(), answered: vi.fn(), withdrawn: vi.fn() };
  const questions = new ChatQuestions(approvals, { listener, isOurs: () => true });
  const ask = (callKey: string, signal = new AbortController().signal) =>
    questions.canUseTool('ship', {}, { callKey, requestId: `r ${callKey}`, toolUseID: 't', signal });
  return { approvals, listener, questions, ask };
}

describe('a caller that waits for a question', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('goes on when it is asked, when the time is over, or when the answer is, and leaves no timer', async () => {
    const { questions, ask, approvals } = open();
    const never = new Promise<void>(() => {});
    const over = createDeferred<void>();
    const waits = [
      questions.whenAsked('q', { withinMs: 1000, over: never }),
      questions.whenAsked('late', { withinMs: 50, over: never }),
      questions.whenAsked('gone', { withinMs: 1000, over: over.promise }),
    ];
    expect(vi.getTimerCount()).toBe(3);
    const asked = ask('q');
    expect(await waits[0]).toBe(true);
    over.resolve();
    expect(await waits[2]).toBe(false);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(50);
    expect(await waits[1]).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    await approvals.answer('q', allow());
    await asked;
    approvals.close();
  });
});

describe('a question', () => {
  it('is told as answered once, and not after the chat is closed', async () => {
    const { questions, ask, approvals, listener } = open();
    const asked = [ask('one'), ask('two')];
    await vi.waitFor(async () => expect(await approvals.list()).toHaveLength(2));
    await approvals.answer('one', allow(), { by: 'ann' });
    expect(await asked[0]).toEqual(allow());
    expect(questions.endingOf('one')).toMatchObject({ how: 'answered', by: 'ann' });
    questions.close();
    await approvals.answer('two', allow());
    expect(await asked[1]).toEqual(allow());
    expect(listener.answered).toHaveBeenCalledOnce();
    expect([questions.list(), questions.endingOf('two')]).toEqual([[], undefined]);
    approvals.close();
  });
});

describe('a decision that was kept for a question', () => {
  it('is tried until its store has it, and no more if its input is not accepted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      for (const isAccepted of [true, false]) {
        const { questions, ask, approvals } = open();
        const checks = vi.fn(async () => {
          if (!isAccepted) throw badRequest('input of q', 'there is no such order');
          if (checks.mock.calls.length < 3) throw new Error('The store is away');
        });
        const answers = new ChatAnswers(questions, { approvals, checkInput: checks });
        const run = { isOver: false, isStopped: false, isContinued: true };
        const decision = { approvalId: 'q', approved: true, input: { order: '8' } };
        expect(await answers.take(decision as never, run)).toBe('kept');
        const asked = ask('q');
        await vi.waitFor(async () => expect(await approvals.list()).toHaveLength(1));
        answers.asked('q');
        await vi.advanceTimersByTimeAsync(1000);
        expect(checks).toHaveBeenCalledTimes(isAccepted ? 3 : 1);
        expect(await approvals.list()).toHaveLength(isAccepted ? 0 : 1);
        if (!isAccepted) await approvals.answer('q', allow());
        expect(await asked).toEqual(allow(isAccepted ? { input: { order: '8' } } : {}));
        approvals.close();
      }
    } finally {
      vi.useRealTimers();
    }
  });
});
