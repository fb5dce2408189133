// What attemptTurn refuses, before it takes anything.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { attemptTurn } from '../../src/attempt/attempt-turn.js';
import type { AttemptContext, AttemptTurnInput } from '../../src/attempt/attempt-input.js';
import { createMemoryLedger } from '../../src/ledger/memory-ledger.js';

const ledger = createMemoryLedger();
const right: AttemptTurnInput = {
  ledger,
  conversation: 'chat',
  turn: { id: '1', content: 'Hello' },
  agent: {},
};

describe('attemptTurn', () => {
  it.each<[string, object | undefined, RegExp]>([
    ['no input', undefined, /takes an object/],
    ['an unknown option', { ...right, ansers: [] }, /Did you mean "answers"/],
    ['no ledger', { ...right, ledger: {} }, /no method "take"/],
    ['no conversation', { ...right, conversation: '' }, /"conversation" must be/],
    ['no turn', { ...right, turn: 'Hello' }, /"turn" must be/],
    ['a turn without an id', { ...right, turn: { content: 'Hello' } }, /"turn.id" must be/],
    ['a turn without content', { ...right, turn: { id: '1', content: '' } }, /"turn.content" must be/],
    ['no agent', { ...right, agent: undefined }, /"agent" must be/],
    ['answers that are none', { ...right, answers: [{ id: 'a', result: true }] }, /"answers" must be/],
    ['a wrong time', { ...right, suspendAfterMs: -1 }, /"suspendAfterMs" must be/],
    ['no signal', { ...right, signal: {} }, /"signal" must be an AbortSignal/],
    ['an interruption that is none', { ...right, interrupt: true }, /"interrupt" must be an AbortSignal/],
  ])('refuses %s', async (_title, input, message) => {
    await expect(attemptTurn(input as AttemptTurnInput)).rejects.toThrow(message);
  });

  it('refuses options of the agent that only the attempt may set', async () => {
    const attempt = attemptTurn({ ...right, agent: { resume: 'x', persistSession: false } });
    await expect(attempt).rejects.toThrow(/"resume", "persistSession"/);
    await expect(attemptTurn({ ...right, agent: () => 'x' as never })).rejects.toThrow(
      /must return an object/,
    );
  });

  it('fails if the agent returns no options within a minute, and tells the agent', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked = createDeferred<AbortSignal>();
    const agent = ({ signal }: AttemptContext): Promise<never> => (
      asked.resolve(signal),
      new Promise(() => {})
    );
    const attempt = attemptTurn({ ...right, agent });
    attempt.catch(() => {});
    const signal = await asked.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(attempt).rejects.toThrow('The agent returned no options within 60000 ms');
    expect(signal.aborted).toBe(true);
  });

  it('passes on when the ledger is busy, without asking the agent', async () => {
    const agent = vi.fn();
    const busy = { ...ledger, take: async () => ({ busyUntil: 7 }) };
    expect(await attemptTurn({ ...right, ledger: busy, agent })).toEqual({ state: 'busy', until: 7 });
    expect(agent).not.toHaveBeenCalled();
  });

  it('takes nothing if it is aborted before it begins', async () => {
    const take = vi.fn();
    const attempt = attemptTurn({ ...right, ledger: { ...ledger, take }, signal: AbortSignal.abort() });
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
    expect(take).not.toHaveBeenCalled();
  });

  it('does not ask the agent if the turn was stopped before', async () => {
    const agent = vi.fn();
    const stopped = attemptTurn({ ...right, conversation: 'stopped', agent, interrupt: AbortSignal.abort() });
    expect(await stopped).toMatchObject({ state: 'ended', outcome: { ok: false, kind: 'interrupted' } });
    expect(agent).not.toHaveBeenCalled();
  });

  it('ends if the turn is stopped while the agent is asked, and tells the agent', async () => {
    const controller = new AbortController();
    let asked: AbortSignal | undefined;
    const agent: AttemptTurnInput['agent'] = ({ signal }) => {
      asked = signal;
      controller.abort();
      return new Promise(() => {});
    };
    const stopped = attemptTurn({ ...right, conversation: 'stopping', agent, interrupt: controller.signal });
    expect(await stopped).toMatchObject({ state: 'ended', outcome: { kind: 'interrupted' } });
    expect(asked?.aborted).toBe(true);
  });

  it('is left if the caller gives up as well', async () => {
    const aborted = AbortSignal.abort();
    const stopped = attemptTurn({ ...right, signal: aborted, interrupt: aborted });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is lost if a newer attempt takes the conversation while the agent is asked, and tells the agent', async () => {
    let asked: AbortSignal | undefined;
    const first = attemptTurn({
      ...right,
      agent: ({ signal }) => {
        asked = signal;
        return new Promise(() => {});
      },
    });
    await vi.waitFor(() => expect(asked).toBeDefined());
    await expect(attemptTurn({ ...right, agent: () => Promise.reject(new Error('mine')) })).rejects.toThrow(
      'mine',
    );
    expect(await first).toEqual({ state: 'lost' });
    expect(asked?.aborted).toBe(true);
  });
});
