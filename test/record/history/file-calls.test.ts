import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FileReads, type FileWork } from '../../../src/record/history/folders/file-calls.js';
import { readFileEnds } from '../../../src/record/history/transcript/transcript-ends.js';
import { useConfigFolders } from './support/config-folder.js';

const createConfigFolder = useConfigFolders();

/** Says which calls it was given. */
const askOnce: FileWork<'directly' | 'by threads'> = function* (calls) {
  const given = calls.stat(process.execPath);
  yield given;
  return given instanceof Promise ? 'by threads' : 'directly';
};

describe('questions about many files', () => {
  let now = 0;
  const useClock = (): void => {
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  };
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('are asked directly, and others have their turn after four milliseconds', async () => {
    useClock();
    const reads = new FileReads();
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await nextTurn();
        turns += 1;
      }
    })();
    for (let count = 0; count < 40; count += 1) {
      expect(await reads.do(askOnce)).toBe('directly');
      now += 1;
    }
    isOver = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('go to other threads after one that took long', async () => {
    useClock();
    const reads = new FileReads();
    const askSlowly: FileWork<string> = function* (calls) {
      now += 100;
      return yield* askOnce(calls);
    };
    expect(await reads.do(askSlowly)).toBe('directly');
    expect(await reads.do(askOnce)).toBe('by threads');
    expect(await new FileReads().do(askOnce)).toBe('directly');
  });

  it('fail in both ways alike', async () => {
    useClock();
    const reads = new FileReads();
    const fail: FileWork<string> = function* (calls) {
      now += 100;
      try {
        yield calls.open('/nowhere/at/all');
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? '';
      }
      return 'opened';
    };
    expect([await reads.do(fail), await reads.do(fail)]).toEqual(['ENOENT', 'ENOENT']);
    const reject: FileWork<never> = function* () {
      throw new Error('no file');
    };
    await expect(reads.do(reject)).rejects.toThrow('no file');
    await expect(new FileReads().do(reject)).rejects.toThrow('no file');
  });

  it.runIf(process.platform !== 'win32')('are not held by a pipe that nobody writes to', async () => {
    const pipe = join(createConfigFolder({}).root, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    expect(await readFileEnds(pipe)).toBeUndefined();
  });
});
