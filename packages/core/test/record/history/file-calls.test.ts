import { execFileSync } from 'node:child_process';
import fs, { renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  FileReads,
  readOneFile,
  type FileCalls,
  type FileWorkOn,
} from '../../../src/record/history/folders/file-calls.js';
import { getSessionInfo, listSessions } from '../../../src/record/history/sessions/list-sessions.js';
import { readBothEnds, readFileEnds } from '../../../src/record/history/transcript/transcript-ends.js';
import { useConfigFolders } from './support/config-folder.js';
import { idOf, textOf, user } from './support/entries.js';

const createConfigFolder = useConfigFolders();

let now = 0;

/** Says which calls it was given, after so many milliseconds. */
const ask: FileWorkOn<number, 'd' | 't'> = function* (calls, ms) {
  const given = calls.stat(process.execPath);
  yield given;
  now += ms;
  return given instanceof Promise ? 't' : 'd';
};

/** What became of files that take so long: d is directly, t by other threads. */
const askAll = async (times: readonly number[], reads = new FileReads()): Promise<string> =>
  (await reads.map(times, ask)).join('');

const repeat = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

let preemptions = 0;

/** The test controls the clock, and decides when other processes take the processor. */
function useClock(): void {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const usage = process.resourceUsage();
  vi.spyOn(process, 'resourceUsage').mockImplementation(() => ({
    ...usage,
    involuntaryContextSwitches: preemptions,
  }));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('questions about many files', () => {
  /** Counts the turns of the event loop during some work, and the longest time in between, on the clock of the test. */
  async function watchTurns(work: Promise<unknown>): Promise<{ turns: number; longest: number }> {
    let [turns, longest, last] = [0, 0, now];
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted) {
        await nextTurn();
        turns += 1;
        longest = Math.max(longest, now - last);
        last = now;
      }
    })();
    await work;
    over.abort();
    await others;
    return { turns, longest };
  }

  it('are asked directly, and others have their turn after four milliseconds', async () => {
    useClock();
    const { turns, longest } = await watchTurns(askAll(repeat(40, 1)));
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(longest).toBeLessThanOrEqual(4);
  });

  it('leave others their turn just as often when several ask at once', async () => {
    useClock();
    const many = Array.from({ length: 5 }, () => askAll(repeat(16, 1)));
    const { turns, longest } = await watchTurns(Promise.all(many));
    expect(turns).toBeGreaterThanOrEqual(20);
    expect(longest).toBeLessThanOrEqual(4);
  });

  it('go to other threads after one that took long, and are tried again after some', async () => {
    useClock();
    expect(await askAll([0, 30, ...repeat(40, 0)])).toBe(`dd${'t'.repeat(32)}${'d'.repeat(8)}`);
    // Each list of files begins anew, and what belongs together learns together.
    const reads = new FileReads();
    expect(await askAll([30, 0], reads)).toBe('dt');
    expect(await askAll(repeat(32, 0), reads)).toBe(`${'t'.repeat(31)}d`);
    expect(await askAll([0])).toBe('d');
  });

  it('go there after three in a row that took rather long, and not after one', async () => {
    useClock();
    expect(await askAll([8, 8, 0, 8, 8, 0])).toBe('dddddd');
    expect(await askAll([8, 8, 8, 0])).toBe('dddt');
  });

  it('stay here when a file was slow because others had the processor', async () => {
    useClock();
    const reads = new FileReads();
    const seen = await reads.map([0, 0, 0, 30, 0], function* (calls, ms) {
      if (ms === 0) preemptions += 1;
      now += ms === 0 ? 40 : ms;
      return yield* ask(calls, 0);
    });
    expect(seen.join('')).toBe('ddddt');
  });

  it('are hardly tried directly on a disk that stays slow, and soon again on one that does not', async () => {
    useClock();
    // On 5,000 files of a disk that is far away, eight wait in this thread.
    const far = await askAll(repeat(5000, 100));
    expect(far.replaceAll('t', '')).toBe('d'.repeat(8));
    const reads = new FileReads();
    expect(await askAll([30, ...repeat(32, 0), ...repeat(64, 0), 30], reads)).toBe(
      `d${'t'.repeat(32)}${'d'.repeat(65)}`,
    );
    expect(await askAll(repeat(33, 0), reads)).toBe(`${'t'.repeat(32)}d`);
  });

  it('keep their order, whichever way they went', async () => {
    useClock();
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    const seen = await new FileReads().map(numbers, function* (calls, number) {
      yield calls.stat(process.execPath);
      now += number === 50 ? 100 : 0;
      return number;
    });
    expect(seen).toEqual(numbers);
  });

  it('about one file never hold this thread', async () => {
    const given = await readOneFile(function* (calls) {
      const answer = calls.stat(process.execPath);
      yield answer;
      return answer instanceof Promise;
    });
    expect(given).toBe(true);
  });

  it('fail in both ways alike', async () => {
    useClock();
    const fail: FileWorkOn<string, string> = function* (calls, path) {
      now += 100;
      try {
        yield calls.open(path);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? '';
      }
      return 'opened';
    };
    const nowhere = ['/nowhere/at/all', '/nowhere/either'];
    expect(await new FileReads().map(nowhere, fail)).toEqual(['ENOENT', 'ENOENT']);
    const reject: FileWorkOn<string, never> = function* (calls) {
      yield calls.stat(process.execPath);
      throw new Error('no file');
    };
    const reads = new FileReads();
    await expect(reads.map(nowhere, reject)).rejects.toThrow('no file');
    await reads.map([30], ask);
    await expect(reads.map(nowhere, reject)).rejects.toThrow('no file');
  });

  it.runIf(process.platform !== 'win32')('are not held by a pipe that nobody writes to', async () => {
    const pipe = join(createConfigFolder({}).root, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    expect(await readFileEnds(pipe)).toBeUndefined();
    expect(await new FileReads().map([pipe], readBothEnds)).toEqual([undefined]);
  });
});

describe('both ends of a file', () => {
  /** Reads a file in both ways; `meddle` is called once it has been read, before its state is asked for. */
  async function readMeddled(content: string, meddle: (path: string) => void): Promise<unknown[]> {
    const path = join(createConfigFolder({}).root, 'file');
    const read = async (reads: FileReads): Promise<unknown> => {
      writeFileSync(path, content);
      let isDone = false;
      const ends = await reads.map([path], (calls, file) => {
        const meddling: FileCalls = {
          ...calls,
          statOpen: (opened) => {
            if (!isDone) meddle(path);
            isDone = true;
            return calls.statOpen(opened);
          },
        };
        const stats = fs.statSync(file);
        return readBothEnds(meddling, file, {
          dev: stats.dev,
          ino: stats.ino,
          size: stats.size,
          mtimeMs: stats.mtimeMs,
          ctimeMs: stats.ctimeMs,
        });
      });
      return ends[0];
    };
    // After a file that was slow, the next goes to other threads.
    const slowed = new FileReads();
    useClock();
    expect(await askAll([30, 0], slowed)).toBe('dt');
    return [await read(new FileReads()), await read(slowed)];
  }

  it('are read again when it grew meanwhile, so that they are of one state', async () => {
    for (const ends of await readMeddled('one', (path) => writeFileSync(path, 'one and two')))
      expect(ends).toMatchObject({ head: 'one and two', size: 11, stamp: { size: 11 } });
  });

  it('are those of the file that was opened, when another took its place or it was removed', async () => {
    const replace = (path: string): void => {
      writeFileSync(`${path}.new`, 'two');
      renameSync(`${path}.new`, path);
    };
    for (const meddle of [replace, (path: string) => rmSync(path)])
      for (const ends of await readMeddled('one', meddle)) expect(ends).toMatchObject({ head: 'one' });
  });

  it('are none when it became empty', async () => {
    for (const ends of await readMeddled('one', (path) => writeFileSync(path, '')))
      expect(ends).toBeUndefined();
  });
});

describe('without a descriptor that is free', () => {
  /** Every file or folder fails with this code to be opened. */
  function refuseToOpen(code: string): void {
    const refusal = Object.assign(new Error(`${code}: too many open files`), { code, syscall: 'open' });
    const spies = [
      vi.spyOn(fs, 'openSync').mockImplementation(() => {
        throw refusal;
      }),
      vi.spyOn(fs.promises, 'open').mockRejectedValue(refusal),
    ];
    syncBuiltinESMExports();
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
      syncBuiltinESMExports();
    });
  }

  it.each(['EMFILE', 'ENFILE'])('(%s) no session is left out of a list in silence', async (code) => {
    createConfigFolder({ [`-p/${idOf(1)}.jsonl`]: [user(2, 'one')] });
    refuseToOpen(code);
    await expect(listSessions()).rejects.toMatchObject({ code });
    await expect(getSessionInfo(idOf(1))).rejects.toMatchObject({ code });
  });

  it('a folder that cannot be read is no empty one', async () => {
    createConfigFolder({ [`-p/${idOf(1)}.jsonl`]: [user(2, 'one')] });
    const refusal = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    const spy = vi.spyOn(fs.promises, 'readdir').mockRejectedValue(refusal);
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    await expect(listSessions()).rejects.toThrow('EMFILE');
    await expect(listSessions({ dir: '/work' })).rejects.toThrow('EMFILE');
  });

  it('a file that may not be read is left out, as before', async () => {
    const { root } = createConfigFolder({ [`-p/${idOf(1)}.jsonl`]: [user(2, 'one')] });
    writeFileSync(join(root, 'projects', '-p', `${idOf(2)}.jsonl`), textOf([user(2, 'two')]));
    refuseToOpen('EACCES');
    expect(await listSessions()).toEqual([]);
  });
});
