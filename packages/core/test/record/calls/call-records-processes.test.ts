// Call records in files with real processes: many that want the claim, one that is killed, one that is stopped.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFileCallRecords } from '../../../src/record/calls/file/file-call-records.js';
import { foldFacts } from '../../../src/record/calls/fold-facts.js';
import { buildSource, type BuiltSource } from '../../../../../test/support/build-source.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';

const PROGRAM = fileURLToPath(new URL('support/claimer.mjs', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1000;
const TIMEOUT_MS = 90_000;

let built: BuiltSource;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(() => void (built = buildSource('core/src/record/calls/file/file-call-records.ts')), TIMEOUT_MS);
afterAll(() => built.remove());
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'claim-'))));
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  rmSync(folder, { recursive: true, force: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A process with the records. */
async function start() {
  const child = spawn(process.execPath, [PROGRAM, built.file, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<string> => String((await lines.next()).value);
  expect(await read()).toBe('ready');
  return {
    child,
    name: `process ${child.pid}`,
    tell: (line: string): void => void child.stdin.write(`${line}\n`),
    ask: async (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      return await read();
    },
  };
}

describe('the claim', () => {
  it(
    'goes to one of 16 processes',
    async () => {
      const all = await Promise.all(Array.from({ length: 16 }, start));
      const answers = await Promise.all(all.map(({ ask }) => ask(`claim ${DAY_MS}`)));
      const winner = all[answers.indexOf('taken')];
      const expected = all.map((each) => (each === winner ? 'taken' : `held by ${winner?.name}`));
      expect(answers).toEqual(expected);
      expect(await winner?.ask('renew')).toBe('true');
    },
    TIMEOUT_MS,
  );

  it(
    'of a process that was killed goes to one of many others, at once',
    async () => {
      const holder = await start();
      expect(await holder.ask(`claim ${DAY_MS}`)).toBe('taken');
      const others = await Promise.all(Array.from({ length: 8 }, start));
      expect(await others[0]?.ask(`claim ${DAY_MS}`)).toBe(`held by ${holder.name}`);
      await kill(holder.child);
      const answers = await Promise.all(others.map(({ ask }) => ask(`claim ${DAY_MS}`)));
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    'of a process that was stopped goes to another when it has run out, and the first finds out when it wakes',
    async () => {
      const stopped = await start();
      const other = await start();
      expect(await stopped.ask('claim 300')).toBe('taken');
      stopped.child.kill('SIGSTOP');
      await waitUntil(async () => (await other.ask(`claim ${DAY_MS}`)) === 'taken');
      stopped.child.kill('SIGCONT');
      expect(await stopped.ask('renew')).toBe('false');
      expect(await stopped.ask('release')).toBe('undefined');
      expect(await other.ask('renew')).toBe('true');
    },
    TIMEOUT_MS,
  );

  it(
    'of a process that is only stopped stays its own until it has run out',
    async () => {
      const stopped = await start();
      expect(await stopped.ask(`claim ${DAY_MS}`)).toBe('taken');
      stopped.child.kill('SIGSTOP');
      const records = createFileCallRecords({ folder });
      expect(await records.claim({ owner: 'other', ttlMs: 1000 })).toMatchObject({ heldBy: stopped.name });
      stopped.child.kill('SIGCONT');
      expect(await stopped.ask('renew')).toBe('true');
    },
    TIMEOUT_MS,
  );
});

describe('facts', () => {
  it(
    'of processes that are killed while they write are all there, up to the last that was added',
    async () => {
      const records = createFileCallRecords({ folder });
      const said = new Map<string, number>();
      for (let round = 0; round < 3; round += 1) {
        const writers = await Promise.all(Array.from({ length: 3 }, start));
        for (const { child, name, tell } of writers) {
          said.set(name, -1);
          child.stdout?.on('data', (chunk: Buffer) => {
            const numbers = chunk
              .toString()
              .split('\n')
              .filter((line) => /^\d+$/.test(line))
              .map(Number);
            // The number at the end of a piece may be cut; the one before it is whole.
            const last = chunk.toString().endsWith('\n') ? numbers.at(-1) : numbers.at(-2);
            if (last !== undefined) said.set(name, last);
          });
          tell('add');
        }
        await waitUntil(() => writers.every(({ name }) => (said.get(name) ?? -1) > 20));
        await Promise.all(writers.map(({ child }) => kill(child)));
      }
      const facts = await records.load();
      const calls = foldFacts(facts);
      for (const [name, last] of said) {
        const own = facts.filter((fact) => 'callKey' in fact && fact.callKey.startsWith(`${name} `));
        expect(own.map(({ at }) => at)).toEqual(own.map((_, at) => at));
        expect(own.length).toBeGreaterThan(last);
        expect(calls.get(`${name} ${last}`)?.begun?.owner).toBe(name);
      }
      expect(said.size).toBe(9);
    },
    TIMEOUT_MS,
  );
});
