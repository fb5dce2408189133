import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/errors.js';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';
import { TransportLog } from '../../../../../test/support/transport-log.js';

/** Lets every microtask that is due run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the peer of a memory transport', () => {
  it('delivers while send runs, and what it sent before open afterwards, in order', async () => {
    const { transport, peer } = createMemoryTransport();
    peer.send('early');
    peer.send('also early');
    expect(peer.isOpen).toBe(false);
    const log = TransportLog.open(transport, (line) => {
      if (line === 'early') peer.send('sent from within');
    });
    expect(peer.isOpen).toBe(true);
    expect(log.lines).toEqual([]);
    await settle();
    expect(log.lines).toEqual(['early', 'also early', 'sent from within']);
    peer.send('now');
    expect(log.lines.at(-1)).toBe('now');
    peer.end();
  });

  it('gets lines after write has returned, and remembers them for a late listener', async () => {
    const { transport, peer } = createMemoryTransport();
    const heard: string[] = [];
    transport.write('before open');
    peer.onLine((line) => heard.push(line));
    await settle();
    expect(heard).toEqual([]);
    TransportLog.open(transport);
    transport.write('second');
    expect(heard).toEqual([]);
    await settle();
    expect(heard).toEqual(['before open', 'second']);
    expect(peer.received).toEqual(['before open', 'second']);
    peer.end();
    transport.write('to nobody');
    await settle();
    expect(peer.received).toHaveLength(2);
  });

  it('sees the end of the input after the last line', async () => {
    const { transport, peer } = createMemoryTransport();
    const order: string[] = [];
    peer.onLine((line) => order.push(line));
    TransportLog.open(transport);
    transport.write('last');
    transport.endInput();
    expect(peer.isInputEnded).toBe(true);
    await peer.inputEnded.then(() => order.push('end'));
    expect(order).toEqual(['last', 'end']);
    peer.end();
    expect(peer.isInputEnded).toBe(true);
  });

  it('ends once, as told, and drops what it sends later', async () => {
    const { transport, peer } = createMemoryTransport();
    const log = TransportLog.open(transport);
    await settle();
    peer.send('a');
    peer.end({ exitCode: 2, stderrTail: 'oops' });
    peer.end();
    peer.send('b');
    expect(await log.end).toEqual({ exitCode: 2, signal: null, stderrTail: 'oops' });
    expect(log.lines).toEqual(['a']);
    expect(peer.isOver).toBe(true);
    expect(peer.isInputEnded).toBe(false);
    await peer.inputEnded;
    await transport.terminate();
  });

  it.each([
    [undefined, { exitCode: 0, signal: null }],
    [{ signal: 'SIGKILL' }, { exitCode: null, signal: 'SIGKILL' }],
  ])('that ends with %j has a fitting exit code', async (how, expected) => {
    const { transport, peer } = createMemoryTransport();
    const log = TransportLog.open(transport);
    peer.end(how);
    expect(await log.end).toEqual({ ...expected, stderrTail: '' });
  });

  it('can make the pipe full', async () => {
    const { transport, peer } = createMemoryTransport();
    TransportLog.open(transport);
    expect(transport.write('fits')).toBe(true);
    await transport.drained();
    peer.setFull(true);
    expect(transport.write('too much')).toBe(false);
    let isDrained = false;
    const drained = transport.drained().then(() => {
      isDrained = true;
    });
    await settle();
    expect(isDrained).toBe(false);
    peer.setFull(false);
    await drained;
    peer.setFull(true);
    const other = transport.drained();
    peer.end();
    await other;
    expect(transport.write('after')).toBe(true);
  });

  it('can stop reading: one fault, and none at an end that was asked for', async () => {
    const { transport, peer } = createMemoryTransport();
    const log = TransportLog.open(transport);
    peer.breakInput();
    expect(log.faults).toEqual([]);
    transport.write('lost');
    transport.write('lost');
    expect(log.faults).toEqual([]);
    await settle();
    expect(log.faults).toHaveLength(1);
    expect(log.faults[0]).toBeInstanceOf(WireError);
    expect(log.faults[0]).toMatchObject({ code: 'INPUT_BROKEN' });
    peer.send('still talking');
    expect(log.lines).toEqual(['still talking']);
    expect(peer.received).toEqual([]);
    peer.end();

    const asked = createMemoryTransport();
    const quiet = TransportLog.open(asked.transport);
    asked.peer.breakInput();
    const over = asked.transport.terminate({ graceMs: 0 });
    asked.transport.write('lost');
    await over;
    expect(quiet.faults).toEqual([]);
    expect(asked.peer.signals).toEqual(['SIGTERM']);
  });
});
