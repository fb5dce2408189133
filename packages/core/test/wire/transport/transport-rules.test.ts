// The rules every transport keeps, checked on each kind with the same body.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';
import { createProcessTransport } from '../../../src/wire/transport/process-transport.js';
import type { Transport } from '../../../src/wire/transport/transport.js';
import { TransportLog } from '../../../../../test/support/transport-log.js';

/** Gives every line back; `stubborn` says "ready" first and minds neither the end of input nor SIGTERM. */
interface Echo {
  create(manner: 'obedient' | 'deaf to the end of input' | 'stubborn'): Transport;
}

const inMemory: Echo = {
  create(manner) {
    const { transport, peer } = createMemoryTransport({
      leavesAtEndOfInput: manner === 'obedient',
      ignoresTerm: manner === 'stubborn',
    });
    peer.onLine((line) => peer.send(line));
    if (manner !== 'obedient') peer.send('ready');
    return transport;
  },
};

const inProcess: Echo = {
  create(manner) {
    const trap = manner === 'stubborn' ? `trap '' TERM;` : '';
    const stay = 'echo ready; cat; while :; do sleep 0.05; done';
    const script = manner === 'obedient' ? 'exec cat' : `${trap} ${stay}`;
    const transport = createProcessTransport({ command: '/bin/sh', args: ['-c', script], env: process.env });
    onTestFinished(() => transport.terminate({ graceMs: 0, killMs: 0 }));
    return transport;
  },
};

describe.each([
  ['memory', inMemory],
  ['process', inProcess],
])('a %s transport', (_, echo) => {
  it('delivers lines in order, those written before open too, and nothing while open runs', async () => {
    const transport = echo.create('obedient');
    transport.write('1');
    transport.write('2');
    const log = TransportLog.open(transport);
    transport.write('3');
    transport.endInput();
    transport.endInput();
    transport.write('after the end');
    expect(await log.end).toEqual({ exitCode: 0, signal: null, stderrTail: '' });
    expect(log.lines).toEqual(['1', '2', '3']);
    expect(log.ends).toBe(1);
  });

  it('never delivers while write runs', async () => {
    let isWriting = false;
    const transport = echo.create('obedient');
    const log = TransportLog.open(transport, () => {
      if (isWriting) throw new Error('re-entered');
    });
    for (let index = 0; index < 20; index += 1) {
      isWriting = true;
      transport.write(String(index));
      isWriting = false;
      await Promise.resolve();
    }
    await log.waitForLines(20);
    await transport.terminate();
  });

  it('lets an answer be written from within a line', async () => {
    const transport = echo.create('obedient');
    const log = TransportLog.open(transport, (line) => {
      if (line === 'ping') transport.write('pong');
    });
    transport.write('ping');
    await log.waitForLines(2);
    expect(log.lines).toEqual(['ping', 'pong']);
    await transport.terminate();
    expect(log.ends).toBe(1);
  });

  it('ends an obedient peer by the end of its input alone', async () => {
    const transport = echo.create('obedient');
    const log = TransportLog.open(transport);
    await transport.terminate({ graceMs: 600_000 });
    expect(await log.end).toMatchObject({ exitCode: 0, signal: null });
  });

  it('ends a deaf one by SIGTERM and a stubborn one by SIGKILL', async () => {
    // The deaf one has all the time it wants: on a busy machine a signal may take longer than a few milliseconds.
    for (const [manner, signal, killMs] of [
      ['deaf to the end of input', 'SIGTERM', 600_000],
      ['stubborn', 'SIGKILL', 10],
    ] as const) {
      const transport = echo.create(manner);
      const log = TransportLog.open(transport);
      await log.waitForLines(1);
      await transport.terminate({ graceMs: 10, killMs });
      expect(await log.end).toEqual({ exitCode: null, signal, stderrTail: '' });
    }
  });

  it('has one ending, which a later call may hurry', async () => {
    const transport = echo.create('stubborn');
    const log = TransportLog.open(transport);
    await log.waitForLines(1);
    const first = transport.terminate({ graceMs: 600_000 });
    expect(transport.terminate({ graceMs: 0, killMs: 0 })).toBe(first);
    await first;
    expect(transport.terminate()).toBe(first);
    expect(log.ends).toBe(1);
    expect(transport.write('late')).toBe(true);
    await transport.drained();
  });

  it('terminated before open starts nothing and tells an end', async () => {
    const transport = echo.create('obedient');
    await transport.terminate();
    const log = TransportLog.open(transport);
    expect(await log.end).toEqual({ exitCode: null, signal: null, stderrTail: '' });
    await transport.terminate();
  });

  it('is opened once', async () => {
    const transport = echo.create('obedient');
    const log = TransportLog.open(transport);
    expect(() => transport.open(log)).toThrow(expect.objectContaining({ code: 'ALREADY_OPEN' }));
    await transport.terminate();
  });
});
