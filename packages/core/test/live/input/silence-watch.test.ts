// What counts as silence of the CLI and what does not, on a clock of the test's own.
import { describe, expect, it, vi } from 'vitest';
import { StalledError } from '../../../src/errors.js';
import type { SDKUserMessage } from '../../../src/wire/protocol/messages/messages.js';
import { SilenceWatch, type WatchClock } from '../../../src/live/input/silence-watch.js';
import { elapse, useVirtualClock } from '../../../../../test/support/virtual-clock.js';

const LIMIT_MS = 10_000;
const PROMPT: SDKUserMessage = {
  type: 'user',
  message: { role: 'user', content: 'hi' },
  parent_tool_use_id: null,
};
const INIT = { type: 'system', subtype: 'init' };
const RESULT = { type: 'result', subtype: 'success' };

function call(id: string, name = 'Bash'): Record<string, unknown> {
  return { type: 'assistant', message: { content: [{ type: 'tool_use', id, name }] } };
}

function callResult(id: string): Record<string, unknown> {
  return { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id }] } };
}

function says(text: string): Record<string, unknown> {
  return { type: 'assistant', message: { content: [{ type: 'text', text }] } };
}

function setUp({ idleTimeoutMs }: { idleTimeoutMs: number | undefined } = { idleTimeoutMs: LIMIT_MS }) {
  const busy = { now: false };
  const onStall = vi.fn<(error: StalledError) => void>();
  const watch = new SilenceWatch({ idleTimeoutMs, isBusy: () => busy.now, onStall });
  const stalls = (): number => onStall.mock.calls.length;
  return { watch, busy, onStall, stalls };
}

/** A watch in the middle of a turn. */
function setUpTurn() {
  const scene = setUp();
  scene.watch.ready();
  scene.watch.wrote(PROMPT);
  scene.watch.observe(INIT);
  return scene;
}

describe('silence', () => {
  useVirtualClock();

  it('in a turn ends in one error that says how long and after what', async () => {
    const { watch, onStall, stalls } = setUpTurn();
    await elapse(4_000);
    watch.observe(says('hm'));
    await elapse(LIMIT_MS - 1);
    expect(stalls()).toBe(0);
    await elapse(1);
    const error = onStall.mock.calls[0]?.[0];
    expect(error).toBeInstanceOf(StalledError);
    expect(error).toMatchObject({ code: 'STALLED', silentMs: LIMIT_MS, lastEvent: 'assistant (text)' });
    await elapse(10 * LIMIT_MS);
    watch.observe(says('too late'));
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is broken by any message', async () => {
    const { watch, stalls } = setUpTurn();
    for (let count = 0; count < 10; count += 1) {
      await elapse(LIMIT_MS - 1);
      if (count % 3 === 0) watch.observe({ type: 'stream_event', event: { type: 'ping' } });
      else watch.heard();
    }
    expect(stalls()).toBe(0);
  });

  it('is not broken by what we write into a turn', async () => {
    const { watch, stalls } = setUpTurn();
    await elapse(LIMIT_MS - 1);
    watch.wrote(PROMPT);
    await elapse(1);
    expect(stalls()).toBe(1);
  });

  it('is noticed when a turn never begins', async () => {
    const { watch, onStall } = setUp();
    watch.ready();
    watch.wrote(PROMPT);
    await elapse(LIMIT_MS);
    expect(onStall.mock.calls[0]?.[0].lastEvent).toBe('nothing yet');
  });
});

describe('no silence is', () => {
  useVirtualClock();

  it('the time before the handshake or before a prompt', async () => {
    const early = setUp();
    early.watch.wrote(PROMPT);
    await elapse(10 * LIMIT_MS);
    expect(early.stalls()).toBe(0);
    early.watch.ready();
    await elapse(LIMIT_MS);
    expect(early.stalls()).toBe(1);

    const quiet = setUp();
    quiet.watch.ready();
    await elapse(10 * LIMIT_MS);
    expect(quiet.stalls()).toBe(0);
  });

  it('the time after a message that asks for no answer', async () => {
    const { watch, stalls } = setUp();
    watch.ready();
    watch.wrote({ ...PROMPT, shouldQuery: false });
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(0);
  });

  it('the time between turns; the next turn has all of its own', async () => {
    const { watch, stalls } = setUpTurn();
    await elapse(LIMIT_MS - 1);
    watch.observe(RESULT);
    await elapse(10 * LIMIT_MS);
    expect(vi.getTimerCount()).toBe(0);
    watch.wrote(PROMPT);
    await elapse(LIMIT_MS - 1);
    expect(stalls()).toBe(0);
    await elapse(1);
    expect(stalls()).toBe(1);
  });

  it('a tool at work, and another beside it', async () => {
    const { watch, stalls } = setUpTurn();
    watch.observe(call('a'));
    watch.observe(call('b', 'Agent'));
    await elapse(10 * LIMIT_MS);
    watch.observe(callResult('a'));
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(0);
    watch.observe(callResult('b'));
    await elapse(LIMIT_MS - 1);
    expect(stalls()).toBe(0);
    await elapse(1);
    expect(stalls()).toBe(1);
  });

  it('a tool of a turn that was broken off; the next turn is watched again', async () => {
    const { watch, stalls } = setUpTurn();
    watch.observe(call('a'));
    watch.observe(RESULT);
    watch.wrote(PROMPT);
    await elapse(LIMIT_MS);
    expect(stalls()).toBe(1);
  });

  it('a hook of the settings at work', async () => {
    const { watch, stalls } = setUpTurn();
    watch.observe({ type: 'system', subtype: 'hook_started', hook_id: 'h' });
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(0);
    watch.observe({ type: 'system', subtype: 'hook_response', hook_id: 'h' });
    await elapse(LIMIT_MS);
    expect(stalls()).toBe(1);
  });

  it('a request that waits for one of us; counting begins anew when it is settled', async () => {
    const { watch, busy, stalls } = setUpTurn();
    busy.now = true;
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(0);
    busy.now = false;
    watch.settled();
    await elapse(LIMIT_MS - 1);
    expect(stalls()).toBe(0);
    await elapse(1);
    expect(stalls()).toBe(1);
  });

  it('a turn that waits for the host', async () => {
    const { watch, stalls } = setUpTurn();
    const state = (word: string) => ({ type: 'system', subtype: 'session_state_changed', state: word });
    watch.observe(state('requires_action'));
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(0);
    watch.observe(state('running'));
    await elapse(LIMIT_MS);
    expect(stalls()).toBe(1);
  });

  it('a wait that the CLI announced', async () => {
    const { watch, stalls } = setUpTurn();
    watch.observe({ type: 'system', subtype: 'api_retry', retry_delay_ms: 60_000 });
    await elapse(60_000 + LIMIT_MS - 1);
    expect(stalls()).toBe(0);
    await elapse(1);
    expect(stalls()).toBe(1);
  });

  it('the sleep of the machine', () => {
    const late = { now: 0, fire: (): void => {} };
    const clock: WatchClock = {
      now: () => late.now,
      schedule: (callback) => {
        late.fire = callback;
        return () => {};
      },
    };
    const onStall = vi.fn();
    const watch = new SilenceWatch({ idleTimeoutMs: LIMIT_MS, isBusy: () => false, onStall, clock });
    watch.ready();
    watch.wrote(PROMPT);
    late.now = 8 * 3_600_000;
    late.fire();
    expect(onStall).not.toHaveBeenCalled();
    late.now += LIMIT_MS;
    late.fire();
    expect(onStall).toHaveBeenCalledTimes(1);
  });
});

describe('the watch', () => {
  useVirtualClock();

  it.each([undefined, 0])('does nothing when the limit is %s', async (idleTimeoutMs) => {
    const { watch, stalls } = setUp({ idleTimeoutMs });
    watch.ready();
    watch.wrote(PROMPT);
    watch.observe(INIT);
    await elapse(1e9);
    expect(stalls()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind when it is stopped', async () => {
    const { watch, stalls } = setUpTurn();
    watch.stop();
    watch.stop();
    watch.settled();
    watch.observe(INIT);
    expect(vi.getTimerCount()).toBe(0);
    await elapse(10 * LIMIT_MS);
    expect(stalls()).toBe(0);
  });

  it('sets one timer however much is said', () => {
    const { watch } = setUpTurn();
    for (let count = 0; count < 1000; count += 1) watch.observe(says('.'));
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe('the last event', () => {
  useVirtualClock();

  it.each<[Record<string, unknown>, string]>([
    [{ type: 'assistant', message: { content: [{ type: 'a', name: 'b' }] } }, 'assistant (a b)'],
    [says('hm'), 'assistant (text)'],
    [{ type: 'stream_event', event: { type: 'message_start' } }, 'stream_event (message_start)'],
    [{ type: 'system', subtype: 'status' }, 'system (status)'],
    [{ type: 'assistant' }, 'assistant'],
    // A wait is announced by one kind of message only.
    [{ type: 'assistant', subtype: 'api_retry', retry_delay_ms: 1e6 }, 'assistant (api_retry)'],
    [{ type: 'system', subtype: 'status', retry_delay_ms: 1e6 }, 'system (status)'],
    [{ type: 'system', subtype: 'api_retry', retry_delay_ms: -5000 }, 'system (api_retry)'],
    [{ type: 'system', subtype: 'api_retry', retry_delay_ms: '9999' }, 'system (api_retry)'],
  ])('of %o is named, and nothing prolongs the wait', async (message, lastEvent) => {
    // Not told that the CLI is ready: what it says shows it.
    const { watch, onStall } = setUp();
    watch.wrote(PROMPT);
    watch.observe(message);
    await elapse(LIMIT_MS + 1);
    expect(onStall.mock.calls[0]?.[0]).toMatchObject({ lastEvent });
    watch.stop();
  });
});
