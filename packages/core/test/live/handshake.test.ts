import { describe, expect, it, vi } from 'vitest';
import { HandshakeError } from '../../src/errors.js';
import { HandshakeWatch } from '../../src/live/handshake.js';
import { elapse, useVirtualClock } from '../../../../test/support/virtual-clock.js';

useVirtualClock();

function setUp(timeoutMs: number | undefined) {
  const busy = { now: false };
  const onTimeout = vi.fn<(error: HandshakeError) => void>();
  const watch = new HandshakeWatch({ timeoutMs, isBusy: () => busy.now, onTimeout });
  return { watch, busy, onTimeout };
}

describe('the clock of the handshake', () => {
  it('tells of the timeout once, with the limit and what to do', async () => {
    const { watch, onTimeout } = setUp(1000);
    watch.start();
    await elapse(999);
    expect(onTimeout).not.toHaveBeenCalled();
    await elapse(5000);
    expect(onTimeout).toHaveBeenCalledTimes(1);
    const error = onTimeout.mock.calls[0]?.[0];
    expect(error).toBeInstanceOf(HandshakeError);
    expect(error).toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
      phase: 'handshake',
      errorClass: 'initialize_timeout',
      retryable: true,
    });
    expect(error?.message).toMatch(/1000 ms.*handshakeTimeoutMs/);
  });

  it('waits a minute when nothing else is said', async () => {
    const { watch, onTimeout } = setUp(undefined);
    watch.start();
    await elapse(59_999);
    expect(onTimeout).not.toHaveBeenCalled();
    await elapse(1);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  it('waits for ever with 0', async () => {
    const { watch, onTimeout } = setUp(0);
    watch.start();
    await elapse(10_000_000);
    expect(onTimeout).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is silent once stopped, and can be stopped again', async () => {
    const { watch, onTimeout } = setUp(1000);
    watch.start();
    await elapse(500);
    watch.stop();
    watch.stop();
    await elapse(10_000);
    expect(onTimeout).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not hold the time against the CLI in which it waits for us', async () => {
    const { watch, busy, onTimeout } = setUp(1000);
    watch.start();
    busy.now = true;
    await elapse(10_000);
    expect(onTimeout).not.toHaveBeenCalled();
    busy.now = false;
    await elapse(1000);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  it('gives the CLI all of its time again after an answer of ours', async () => {
    const { watch, onTimeout } = setUp(1000);
    watch.start();
    await elapse(990);
    watch.restart();
    await elapse(999);
    expect(onTimeout).not.toHaveBeenCalled();
    await elapse(1);
    expect(onTimeout).toHaveBeenCalledTimes(1);
  });

  it('is not started again by an answer after its end', async () => {
    const { watch, onTimeout } = setUp(1000);
    watch.restart();
    watch.start();
    watch.stop();
    watch.restart();
    await elapse(10_000);
    expect(onTimeout).not.toHaveBeenCalled();
  });
});
