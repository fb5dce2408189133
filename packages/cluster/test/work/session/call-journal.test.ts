// Calls of a worker whose whole process is stopped for longer than its lease, as by SIGSTOP: another worker may have run them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AroundTool, AroundToolCall } from '@inboard/core/answer/mcp/tool/tool-events.js';
import { memoryJournal } from '../../../src/journal/memory/memory-journal.js';
import type { Journal } from '../../../src/journal/journal.js';
import type { KnownCall } from '../../../src/journal/records.js';
import { ChangeHub } from '../../../src/work/host/change-hub.js';
import { CallJournal } from '../../../src/work/session/call-journal.js';
import { PendingWaits } from '../../../src/work/session/pending-waits.js';
import { HeldLease } from '../../../src/work/host/held-lease.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { LeaseLostError } from '@inboard/core/errors.js';

const LEASE_MS = 3000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** The process was stopped, and nothing else has run since. */
function pause(): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS);
}

/** Calls whose journal answers as the test says. */
function createCalls(
  beginCall: () => Promise<KnownCall>,
  aroundTool?: AroundTool,
  more: Partial<Journal> = {},
) {
  const lease = new HeldLease({
    fence: { key: 'a', owner: 'me', epoch: 1 },
    ms: LEASE_MS,
    askedAt: performance.now(),
    onTrouble: () => {},
  });
  const journal = memoryJournal();
  journal.beginCall = beginCall;
  journal.endCall = () => Promise.resolve();
  Object.assign(journal, more);
  const emit = vi.fn();
  const turns = { turnId: () => 't', review: vi.fn() };
  const hub = new ChangeHub(journal, () => {});
  const calls = new CallJournal({
    journal,
    lease,
    tenant: undefined,
    sessionId: 's',
    aroundTool,
    turns,
    pendings: new PendingWaits({ journal, lease, hub, turns }),
    emit,
  });
  lease.onLost = () => calls.close();
  return calls;
}

const CALL = { callKey: 'k', toolName: 'pay', input: {}, attempt: 1 } as AroundToolCall;

describe('a call of a worker that was stopped', () => {
  it('runs where the lease still lasts', async () => {
    const run = vi.fn(() => 'paid');
    expect(await createCalls(async () => ({ state: 'new' })).around(CALL, run)).toBe('paid');
    expect(run).toHaveBeenCalledOnce();
  });

  it('does not run when the journal had taken it before, and the answer is read after', async () => {
    const run = vi.fn();
    const calls = createCalls(async () => {
      pause();
      return { state: 'new' };
    });
    await expect(calls.around(CALL, run)).rejects.toThrow(LeaseLostError);
    expect(run).not.toHaveBeenCalled();
  });

  it('does not run when the agent does something around its tools meanwhile', async () => {
    const run = vi.fn();
    const calls = createCalls(
      async () => ({ state: 'new' }),
      async (_call, next) => {
        await Promise.resolve();
        pause();
        return next();
      },
    );
    await expect(calls.around(CALL, run)).rejects.toThrow(LeaseLostError);
    expect(run).not.toHaveBeenCalled();
  });
});

describe('a call whose CLI ended while the journal wrote it down', () => {
  const beginAndEnd = (): { calls: CallJournal } => {
    const held: { calls: CallJournal } = {
      calls: createCalls(async () => {
        held.calls.close();
        return { state: 'new' };
      }),
    };
    return held;
  };

  it('does not run, because the lease may have been given back', async () => {
    const run = vi.fn();
    await expect(beginAndEnd().calls.around(CALL, run)).rejects.toMatchObject({
      code: 'LEASE_LOST',
      reason: 'released',
    });
    expect(run).not.toHaveBeenCalled();
  });

  it("does not run either when the CLI ended within the agent's own callback", async () => {
    const run = vi.fn();
    const calls: CallJournal = createCalls(
      async () => ({ state: 'new' }),
      async (_call, next) => {
        await Promise.resolve();
        calls.close();
        return next();
      },
    );
    await expect(calls.around(CALL, run)).rejects.toThrow(LeaseLostError);
    expect(run).not.toHaveBeenCalled();
  });
});

describe('the result of a call', () => {
  it('is given to the CLI only once it is written down, also where the handler failed', async () => {
    for (const fails of [false, true]) {
      const written = createDeferred<void>();
      const endCall = vi.fn(() => written.promise);
      const calls = createCalls(async () => ({ state: 'new' }), undefined, { endCall });
      let isOver = false;
      const answer = Promise.resolve(
        calls.around(CALL, () => {
          if (fails) throw new Error('no money');
          return 'paid';
        }),
      );
      const over = answer.then(
        () => (isOver = true),
        () => (isOver = true),
      );
      await vi.waitFor(() => expect(endCall).toHaveBeenCalledOnce());
      await new Promise(setImmediate);
      expect(isOver).toBe(false);
      written.resolve();
      expect(await over).toBe(true);
    }
  });
});

describe('a pending call that is made again', () => {
  it('waits for its result, and is at work again while that is written down', async () => {
    const result = { content: [{ type: 'text', text: 'paid' }] };
    const states: unknown[] = [];
    const note = (): unknown => states.push([calls.open.working, calls.open.isWaiting('k')]);
    const question = {
      id: 'pending_k',
      kind: 'pending',
      attempt: 1,
      askedAt: 0,
      input: {},
      pending: { callKey: 'k' },
    };
    const calls: CallJournal = createCalls(async () => ({ state: 'begun', begun: 1 }), undefined, {
      questions: async () => [{ ...question, conversation: 'a', turn: 't' }] as never,
      ask: async () => {
        note();
        return { result: { behavior: 'allow' }, answeredAt: 1, ended: result };
      },
      endCall: async () => void note(),
    });
    const run = vi.fn();
    expect(await calls.around(CALL, run)).toEqual(result);
    expect(states).toEqual([
      [0, true],
      [1, false],
    ]);
    expect(run).not.toHaveBeenCalled();
  });
});
