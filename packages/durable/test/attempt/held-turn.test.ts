// A turn in its session: how it is stopped at every moment, and what it costs, on a session that plays what the test says.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { SDKUserMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { HeldTurn } from '../../src/attempt/held-turn.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const noEnd = (): Promise<undefined> => Promise.resolve(undefined);

function play({ isCancelled = false } = {}) {
  const launched = createDeferred<boolean>();
  const continued = createDeferred<Turn | undefined>();
  const cancel = vi.fn(async () => isCancelled);
  const interrupt = vi.fn(async () => {});
  const turn = { cancel } as unknown as Turn;
  const spent = { usd: 0 };
  const session = {
    send: () => turn,
    get continued() {
      return continued.promise;
    },
    interrupt,
    async *events() {
      if (await launched.promise) yield { type: 'ready' };
    },
    usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: async () => ({
      session: { total_cost_usd: spent.usd },
    }),
  } as unknown as Session;
  const onStopped = vi.fn();
  return {
    held: new HeldTurn({ onStopped }),
    launched,
    continued,
    cancel,
    interrupt,
    turn,
    spent,
    session,
    onStopped,
  };
}

describe('a turn that is stopped', () => {
  it('is left before it has a session', () => {
    const { held, onStopped } = play();
    held.stop();
    expect(onStopped).toHaveBeenCalledOnce();
  });

  it('is withdrawn, or its CLI is interrupted', async () => {
    for (const isCancelled of [true, false]) {
      const { held, session, onStopped, interrupt } = play({ isCancelled });
      held.open(session, 'new');
      held.send(session, {} as SDKUserMessage);
      held.stop();
      await settle();
      expect([onStopped.mock.calls.length, interrupt.mock.calls.length]).toEqual(
        isCancelled ? [1, 0] : [0, 1],
      );
      held.end();
    }
  });

  it('is left if its CLI does not end it within ten seconds', async () => {
    const { held, session, onStopped } = play();
    held.open(session, 'new');
    held.send(session, {} as SDKUserMessage);
    held.stop();
    await vi.advanceTimersByTimeAsync(9999);
    expect(onStopped).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onStopped).toHaveBeenCalledOnce();
  });

  it('is stopped again once it has a CLI, if that was asked while its calls were being completed', async () => {
    const { held, session, launched, continued, turn, cancel, interrupt } = play();
    held.open(session, 'continued');
    const going = held.continue(session, noEnd);
    held.stop();
    await settle();
    expect([cancel.mock.calls.length, interrupt.mock.calls.length]).toEqual([0, 1]);
    // The session tells of the turn while its calls wait for people.
    continued.resolve(turn);
    await going;
    expect([held.hasCli, held.isUnderWay]).toEqual([false, true]);
    launched.resolve(true);
    await settle();
    expect([cancel.mock.calls.length, interrupt.mock.calls.length]).toEqual([1, 2]);
    held.end();
  });
});

describe('a turn that is continued', () => {
  it('costs what its CLI has spent since it was there', async () => {
    const { held, session, launched, continued, turn, spent } = play();
    held.open(session, 'continued');
    const going = held.continue(session, noEnd);
    continued.resolve(turn);
    await going;
    spent.usd = 3;
    expect(await held.readCost()).toBe(0);
    spent.usd = 5;
    launched.resolve(true);
    await settle();
    spent.usd = 7;
    expect(await held.readCost()).toBe(2);
  });

  it('has ended as the transcript says, or was not continued', async () => {
    const { held, session, continued } = play();
    continued.resolve(undefined);
    expect(await held.continue(session, async () => 'denied')).toEqual({ end: 'denied' });
    await expect(held.continue(session, noEnd)).rejects.toThrow('did not continue');
  });
});
