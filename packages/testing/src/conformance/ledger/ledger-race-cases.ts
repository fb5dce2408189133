// Conformance cases for ledgers: nothing is written once a newer attempt has the conversation, however the writes and the taking
// meet. In one case, a process is stopped in the middle of its writes, and goes on after a newer attempt took the conversation.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createLedgerEntry,
  createLedgerFact,
  uniqueKey,
  type HeldConversation,
  type LedgerBench,
  type LedgerCheck,
} from './ledger-check.js';

const ROUNDS = 10;
const WRITES_AT_ONCE = 8;
const PATIENCE_MS = 30_000;

export const RACE_CASES: readonly LedgerCheck[] = [
  {
    name: 'lets no write through that ends after a newer attempt has the conversation',
    async run(bench) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = uniqueKey();
        const old = await bench.take(name);
        const records = old.store.calls(old.key);
        const writes = Array.from({ length: WRITES_AT_ONCE }, async (_, at) => {
          // Some begin before the conversation is taken, some during that, and some after it.
          for (let turns = 0; turns < at; turns += 1) await new Promise((resolve) => setImmediate(resolve));
          await (at % 2 === 0
            ? old.store.append(old.key, [createLedgerEntry()])
            : records.add(createLedgerFact()));
        });
        const writing = Promise.allSettled(writes);
        const newer = await bench.take(name, bench.other);
        const before = await bench.read(newer);
        const results = await writing;
        assert.deepEqual(
          await bench.read(newer),
          before,
          'a write took effect after the conversation was taken',
        );
        for (const result of results)
          if (result.status === 'rejected')
            assert.equal(
              (result.reason as { fatal?: unknown }).fatal,
              true,
              'a refused write must say "fatal: true"',
            );
      }
    },
  },
];

/** Only for ledgers that several processes share. */
export const STOPPED_CASES: readonly LedgerCheck[] = [
  {
    name: 'lets nothing through from a process that was stopped in the middle of a write and wakes too late',
    async run(bench) {
      const { program } = bench;
      assert.ok(
        program !== undefined,
        'this case stops a process: return a "program" with the ledger, the URL of a module that exports openLedger(), or give ' +
          'describeLedger "stopsProcess: false" if the ledger lives in one process',
      );
      for (let round = 0; round < ROUNDS; round += 1) await stopAndWake(bench, program, round);
    },
  },
];

async function stopAndWake(bench: LedgerBench, program: string, round: number): Promise<void> {
  const name = uniqueKey();
  const old = await bench.take(name);
  const writer = startWriter(program, old);
  try {
    // In each round the process is stopped after another number of writes, so at another moment of a write.
    await writer.untilWritten(2 + round);
    writer.child.kill('SIGSTOP');
    await untilStopped(writer.child);
    const newer = await bench.take(name);
    const before = await bench.read(newer);
    writer.child.kill('SIGCONT');
    assert.equal(await writer.ended, 'fatal', 'the process that woke must be told that it lost its fence');
    assert.deepEqual(await bench.read(newer), before, 'the process that woke wrote something');
  } finally {
    writer.child.kill('SIGKILL');
  }
}

/** Writes entries and facts under a fence, one after the other, until a write is refused. */
const WRITER = `
  const [program, text] = process.argv.slice(1);
  const { fence, key } = JSON.parse(text);
  const { openLedger } = await import(program);
  const ledger = await openLedger();
  const store = ledger.store(fence);
  const records = store.calls(key);
  let end = 'written';
  for (let at = 0; end === 'written'; at += 1) {
    try {
      if (at % 2 === 0) await store.append(key, [{ type: 'user', uuid: crypto.randomUUID(), at }]);
      else await records.add({ type: 'waiting', callKey: 'call-' + at, at });
    } catch (error) {
      end = error?.fatal === true ? 'fatal' : 'failed: ' + String(error);
    }
    process.stdout.write(end + '\\n');
  }
  process.exit();
`;

interface Writer {
  readonly child: ChildProcess;
  /** What it said at its end. */
  readonly ended: Promise<string>;
  untilWritten(count: number): Promise<void>;
}

function startWriter(program: string, { fence, key }: HeldConversation): Writer {
  const args = ['--input-type=module', '-e', WRITER, program, JSON.stringify({ fence, key })];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exited = once(child, 'close');
  return {
    child,
    ended: exited.then(() => said.trim().split('\n').at(-1) ?? ''),
    untilWritten: (count) =>
      until(`a process has written ${count} times`, () => {
        assert.equal(child.exitCode, null, `the program that opens the ledger has ended: ${said}${errors}`);
        return said.split('written\n').length > count;
      }),
  };
}

/** A signal takes effect a moment after it was sent. Where the state of a process cannot be read, time has to do. */
async function untilStopped({ pid }: ChildProcess): Promise<void> {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) {
    await delay(200);
    return;
  }
  await until('the process is stopped', () => /\) [Tt] /.test(readFileSync(path, 'utf8')));
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    assert.ok(performance.now() < end, `gave up after ${PATIENCE_MS / 1000} s of waiting until ${what}`);
    await delay(1);
  }
}
