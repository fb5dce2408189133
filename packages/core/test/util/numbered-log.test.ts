// Numbered entries from the first to the last, with the latest in memory and the rest in a file.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogFolder } from '../../src/wire/process/log-folder.js';
import { NumberedLog } from '../../src/util/queues/numbered-log.js';
import { OWNED_FOLDER } from '../../src/wire/process/owned-folder.js';

let folder = new LogFolder('inspect');
afterEach(() => {
  folder.close();
  folder = new LogFolder('inspect');
});

function createLog(losses: unknown[] = []): NumberedLog {
  return new NumberedLog(folder, 's1', (cause) => losses.push(cause));
}

const jsonOf = (n: number): string => JSON.stringify({ type: 'warning', t: n, code: 'X', message: `é ${n}` });

async function readAll(log: NumberedLog, limit: number): Promise<number[]> {
  const numbers: number[] = [];
  for (let after = 0; ;) {
    const { events } = await log.read(after, limit);
    if (events.length === 0) return numbers;
    for (const { n, json } of events) {
      if (json !== jsonOf(n)) throw new Error(`Event ${n} is ${json}`);
      numbers.push(n);
    }
    after = numbers.at(-1) ?? 0;
  }
}

describe('the log of a session', () => {
  it('gives 100,000 events again, in order, from any number, and keeps 256 kB of them in memory', async () => {
    const log = createLog();
    let most = 0;
    // Numbers have gaps, as other sessions have the ones between.
    for (let index = 1; index <= 100_000; index += 1) {
      log.append(index * 3, jsonOf(index * 3));
      most = Math.max(most, log.restingCharacters);
    }
    expect(log.size).toBe(100_000);
    expect(most).toBeLessThan(257 * 1024);
    const numbers = await readAll(log, 5_000);
    expect(numbers).toHaveLength(100_000);
    expect(numbers.every((n, index) => n === (index + 1) * 3)).toBe(true);
    expect((await log.read(150_000, 2)).events.map(({ n }) => n)).toEqual([150_003, 150_006]);
    expect(await log.find(150_003)).toBe(jsonOf(150_003));
    expect(await log.find(150_004)).toBeUndefined();
    expect(await log.find(300_000)).toBe(jsonOf(300_000));
  });

  it('reads on while events move to the file', async () => {
    const log = createLog();
    for (let n = 1; n <= 3_000; n += 1) log.append(n, jsonOf(n));
    const reading = log.read(0, 10_000);
    for (let n = 3_001; n <= 20_000; n += 1) log.append(n, jsonOf(n));
    const { events } = await reading;
    expect(events.map(({ n }) => n)).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
  });

  it('gives an answer of some megabytes at a time, and a longer event alone', async () => {
    const log = createLog();
    const long = JSON.stringify({ type: 'warning', message: 'x'.repeat(3 * 1024 * 1024) });
    for (const n of [1, 2, 3]) log.append(n, long);
    expect((await log.read(0, 10)).events.map(({ n }) => n)).toEqual([1, 2]);
    expect((await log.read(2, 10)).events.map(({ n }) => n)).toEqual([3]);
    expect(await log.find(2)).toBe(long);
  });

  it('says once that events are lost where none can be written, and goes on with those that follow', async () => {
    const losses: unknown[] = [];
    const log = createLog(losses);
    folder.close();
    for (let n = 1; n <= 20_000; n += 1) log.append(n, jsonOf(n));
    expect(losses).toHaveLength(1);
    const { events, lostUntil } = await log.read(0, 100_000);
    expect(lostUntil).toBe((events[0]?.n ?? 0) - 1);
    expect(events.at(-1)?.n).toBe(20_000);
    expect(log.restingCharacters).toBeLessThan(257 * 1024);
  });

  it('keeps its file from others, and leaves nothing behind', async () => {
    // In a place of its own: inspectors of other test files come and go in the common one.
    const place = mkdtempSync(join(tmpdir(), 'log-test-'));
    vi.stubEnv('TMPDIR', place);
    vi.stubEnv('TEMP', place);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(place, { recursive: true, force: true });
    });
    const log = createLog();
    for (let n = 1; n <= 10_000; n += 1) log.append(n, jsonOf(n));
    log.rest();
    const [made = '', ...others] = readdirSync(place);
    expect(others).toEqual([]);
    expect(made).toMatch(/^inboard-inspect-/);
    expect(OWNED_FOLDER.test(made)).toBe(true);
    const path = join(place, made);
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o077).toBe(0);
      expect(statSync(join(path, 's1.jsonl')).mode & 0o077).toBe(0);
    }
    expect(await readAll(log, 5_000)).toHaveLength(10_000);
    log.remove();
    folder.close();
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(place)).toEqual([]);
  });
});
