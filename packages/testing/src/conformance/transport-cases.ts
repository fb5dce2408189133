// Conformance cases for transports, run against a peer that echoes lines.
import assert from 'node:assert/strict';
import { TransportWitness, type TransportCheck } from './transport-check.js';

const MEGABYTE = 1024 * 1024;

/** Cases about lines, in both directions. */
export const LINE_CASES: readonly TransportCheck[] = [
  {
    name: 'delivers lines whole and in order, also those written before open',
    async run(transport) {
      transport.write('0');
      transport.write('1');
      const witness = TransportWitness.open(transport);
      for (let index = 2; index < 1000; index += 1) transport.write(String(index));
      await witness.receive(1000);
      assert.deepEqual(
        witness.lines,
        Array.from({ length: 1000 }, (_, index) => String(index)),
      );
      return witness;
    },
  },
  {
    name: 'delivers nothing while open or write runs',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      for (let index = 0; index < 20; index += 1) {
        witness.undisturbed(() => transport.write(String(index)));
        await Promise.resolve();
      }
      await witness.receive(20);
      return witness;
    },
  },
  {
    name: 'lets an answer be written from within a line',
    async run(transport) {
      const witness = TransportWitness.open(transport, (line) => {
        if (line === 'ping') transport.write('pong');
      });
      transport.write('ping');
      await witness.receive(2);
      assert.deepEqual(witness.lines, ['ping', 'pong']);
      return witness;
    },
  },
  {
    name: 'carries every character, and lines of megabytes',
    async run(transport) {
      const lines = [
        'ä ß € \u{1f600} \u2028 \u2029 \u0000 \ufeff end',
        '\u{1f600}'.repeat(MEGABYTE / 4),
        'x'.repeat(4 * MEGABYTE),
        'last',
      ];
      const witness = TransportWitness.open(transport);
      for (const line of lines) transport.write(line);
      await witness.receive(lines.length);
      assert.deepEqual(
        witness.lines.map((line) => line.length),
        lines.map((line) => line.length),
      );
      assert.ok(
        lines.every((line, index) => line === witness.lines[index]),
        'a line was changed on its way',
      );
      return witness;
    },
  },
  {
    name: 'reports when it is full, and when there is room again',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      const line = 'x'.repeat(64 * 1024);
      for (let index = 0; index < 200; index += 1) {
        if (!transport.write(line)) await transport.drained();
      }
      await witness.receive(200);
      await transport.drained();
      return witness;
    },
  },
];

/** Cases about how a transport ends. */
export const TRANSPORT_END_CASES: readonly TransportCheck[] = [
  {
    name: 'ends the input after what was written, once, and drops what is written later',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      transport.write('1');
      transport.write('2');
      transport.endInput();
      transport.endInput();
      transport.write('too late');
      const end = await witness.end();
      assert.deepEqual(witness.lines, ['1', '2']);
      assert.equal(end.error, undefined, 'an end that was asked for is no error');
      transport.endInput();
      assert.equal(transport.write('much too late'), true, 'a closed transport is never full');
      await transport.drained();
    },
  },
  {
    name: 'reports the end exactly once, after the last line',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      const count = 2000;
      for (let index = 0; index < count; index += 1) transport.write(`${index} ${'x'.repeat(100)}`);
      transport.endInput();
      await witness.end();
      assert.equal(witness.lines.length, count, 'lines were lost at the end');
      await transport.terminate();
      assert.equal(witness.ends.length, 1);
    },
  },
  {
    name: 'lets an obedient peer leave by itself',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      await transport.terminate({ graceMs: 600_000 });
      const { signal } = await witness.end();
      assert.equal(signal, null, 'it was ended by a signal, and would have left by itself');
    },
  },
  {
    name: 'ends a peer that is deaf to the end of its input',
    manner: 'deaf',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      await witness.receive(1);
      await transport.terminate({ graceMs: 10 });
      await witness.end();
    },
  },
  {
    name: 'also ends a stubborn peer, and a second call can hurry it',
    manner: 'stubborn',
    async run(transport) {
      const witness = TransportWitness.open(transport);
      await witness.receive(1);
      const first = transport.terminate({ graceMs: 600_000 });
      await transport.terminate({ graceMs: 0, killMs: 0 });
      await first;
      await witness.end();
      await transport.terminate();
    },
  },
  {
    name: 'terminated before open, reports an end when opened, and delivers nothing',
    async run(transport) {
      transport.write('never');
      await transport.terminate();
      const witness = TransportWitness.open(transport);
      await witness.end();
      assert.deepEqual(witness.lines, []);
      await transport.terminate();
    },
  },
];
