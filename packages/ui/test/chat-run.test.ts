// One answer of a chat, with a turn whose messages come when the test says so.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import { LogFolder } from '@inboard/core/wire/process/log-folder.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { CutOffAnswer } from '../src/history/recorded-answer.js';
import { ChatRun } from '../src/chat/chat-run.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const SETTLE_MS = 30;
const ASKED = { toolName: 'ship', input: {}, descriptor: { kind: 'permission' } };

function begin(before?: CutOffAnswer) {
  const ended = createDeferred<void>();
  const turn = {
    uuid: 'u',
    [Symbol.asyncIterator]: () => ({
      next: () => ended.promise.then(() => ({ done: true, value: undefined })),
    }),
    outcome: () => Promise.reject(new Error('The turn is over')),
  } as unknown as Turn;
  const folder = new LogFolder('chat');
  const run = new ChatRun({
    turn,
    userMessageId: 'm',
    stop: () => {},
    settleMs: SETTLE_MS,
    before,
    folder,
    onLost: (cause) => {
      throw cause;
    },
    options: {},
  });
  onTestFinished(async () => {
    ended.resolve();
    await run.over;
    run.remove();
    folder.close();
  });
  const ask = (approvalId = 'q', toolCallId = 'call'): void =>
    run.ask({ ...ASKED, approvalId, toolCallId } as Parameters<ChatRun['ask']>[0]);
  return { run, ask, ended };
}

describe('an answer with an open question', () => {
  it('waits after a moment of quiet, and no more once something comes', () => {
    const { run, ask } = begin();
    ask();
    expect(run.isWaiting).toBe(false);
    vi.advanceTimersByTime(SETTLE_MS);
    expect(run.isWaiting).toBe(true);
    ask('r', 'other');
    vi.advanceTimersByTime(1);
    expect(run.isWaiting).toBe(false);
    vi.advanceTimersByTime(SETTLE_MS);
    expect(run.isWaiting).toBe(true);
    run.withdrawn('q');
    expect(run.isWaiting).toBe(false);
    vi.advanceTimersByTime(SETTLE_MS);
    expect(run.isWaiting).toBe(true);
    run.withdrawn('r');
    vi.advanceTimersByTime(1000);
    expect([run.isWaiting, vi.getTimerCount()]).toEqual([false, 0]);
  });

  it('is over once its turn is, and takes no question after that', async () => {
    const { run, ask, ended } = begin();
    ask();
    vi.advanceTimersByTime(SETTLE_MS);
    ended.resolve();
    await run.over;
    const { last } = run.log;
    ask('r', 'other');
    vi.advanceTimersByTime(1000);
    expect([run.isOver, run.isWaiting, run.log.last, vi.getTimerCount()]).toEqual([true, false, last, 0]);
  });
});

describe('a page that goes on with an answer', () => {
  it('gets what follows a restart if it knows a question of before, and all if it knows none', () => {
    const before = new CutOffAnswer('u', {
      messages: [],
      calls: [],
      questions: [],
    });
    before.tell = ({ calls }) => calls.ask({ ...ASKED, approvalId: 'old', toolCallId: 'old' } as never);
    const { run, ask } = begin(before);
    const { last } = run.log;
    expect(last).toBeGreaterThan(0);
    ask();
    vi.advanceTimersByTime(SETTLE_MS);
    expect(run.placeBehind(['old'])).toBe(last);
    expect(run.placeBehind([])).toBe(0);
  });

  it('gets all of it if it knows no question, and what follows those that it knows', () => {
    const { run, ask } = begin();
    ask();
    vi.advanceTimersByTime(SETTLE_MS);
    const afterFirst = run.log.last;
    ask('r', 'other');
    vi.advanceTimersByTime(SETTLE_MS);
    expect(run.log.last).toBeGreaterThan(afterFirst);
    expect(run.placeBehind([])).toBe(0);
    expect(run.placeBehind(['q'])).toBe(afterFirst);
    expect(run.placeBehind(['r', 'q'])).toBe(run.log.last);
  });
});
