// Reads many files. A direct system call takes a few microseconds, and ten times as long through another thread. So the
// calls are made directly, for a few milliseconds at a time. On a remote disk, each direct call would block the whole
// process. There the calls go to other threads, for several files at once.
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { mapConcurrently } from '../../../util/map-concurrently.js';
import { toRawText } from '../transcript/raw-fields.js';

/** The milliseconds of one slice. After it, other work of the process gets its turn. */
const SLICE_MS = 4;
/** One file that takes longer than this shows a slow disk, unless the process was interrupted. */
const SLOW_MS = 25;
/** Several files in a row that take longer than this show a slow disk as well. */
const RATHER_SLOW_MS = 5;
const RATHER_SLOW_FILES = 3;
/** How many files go to other threads after the disk was slow. The number doubles each time it is slow again. */
const FIRST_STRETCH = 32;
/** How many files the other threads read at a time. */
const CONCURRENCY = 16;
// Opening a pipe without a writer would block the process.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The calls to the system. Each returns its value, or a promise of it. */
export interface FileCalls<File = unknown> {
  /** The facts of the file at a path. May be undefined where there is none. */
  stat(path: string): Stats | undefined | Promise<Stats>;
  open(path: string): File | Promise<File>;
  statOpen(file: File): Stats | Promise<Stats>;
  /** Reads at most `length` bytes as raw text. */
  readText(file: File, position: number, length: number): string | Promise<string>;
  close(file: File): void | Promise<void>;
}

/** Work that yields its calls to the system, and receives their results. */
export type FileWork<Out> = (calls: FileCalls) => Generator<unknown, Out>;

/** Like `FileWork`, for one item of a list. */
export type FileWorkOn<In, Out> = (calls: FileCalls, item: In) => Generator<unknown, Out>;

let shared = Buffer.alloc(0);

const DIRECT: FileCalls<number> = {
  stat: (path) => statSync(path, { throwIfNoEntry: false }),
  open: (path) => openSync(path, FLAGS),
  statOpen: (file) => fstatSync(file),
  readText: (file, position, length) => {
    // The buffer is free again once its text is made. A new buffer for each file would be most of the garbage.
    if (shared.length < length) shared = Buffer.allocUnsafeSlow(length);
    return toRawText(shared, 0, readSync(file, shared, 0, length, position));
  },
  close: (file) => closeSync(file),
};

const BY_THREADS: FileCalls<FileHandle> = {
  stat: async (path) => await stat(path),
  open: async (path) => await open(path, FLAGS),
  statOpen: async (file) => await file.stat(),
  readText: async (file, position, length) => {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    return toRawText(buffer, 0, bytesRead);
  },
  close: async (file) => await file.close(),
};

/** Does work on one file in other threads, so that this thread never blocks. */
export async function readOneFile<Out>(work: FileWork<Out>): Promise<Out> {
  return await doByThreads(work(BY_THREADS as FileCalls));
}

/** Does work on many files. Use one object for the files of one disk, because it learns how quick the disk is. */
export class FileReads {
  /** How many of the next files go to other threads. */
  #spared = 0;
  #stretch = FIRST_STRETCH;
  #quickInRow = 0;
  #slowInRow = 0;

  /** Returns the results in order. Rejects with the error of the first work that fails. */
  async map<In, Out>(list: readonly In[], work: FileWorkOn<In, Out>): Promise<Out[]> {
    const results: Out[] = [];
    while (results.length < list.length) {
      if (this.#spared === 0) {
        await nextSlice();
        this.#workDirectly(list, work, results);
        continue;
      }
      const some = list.slice(results.length, results.length + this.#spared);
      this.#spared -= some.length;
      const answers = await mapConcurrently(some, CONCURRENCY, async (item) => {
        return await doByThreads(work(BY_THREADS as FileCalls, item));
      });
      for (const answer of answers) results.push(answer);
    }
    return results;
  }

  /** Works directly until the slice is over, or a slow file shows that threads are better. */
  #workDirectly<In, Out>(list: readonly In[], work: FileWorkOn<In, Out>, results: Out[]): void {
    let now = performance.now();
    const end = now + SLICE_MS;
    let preemptions = countPreemptions();
    while (results.length < list.length && now < end && this.#spared === 0) {
      const begun = now;
      results.push(doDirectly(work(DIRECT as FileCalls, list[results.length] as In)));
      now = performance.now();
      const ms = now - begun;
      if (ms > RATHER_SLOW_MS) {
        // If another process had the processor in the meantime, the time says nothing of the disk.
        const before = preemptions;
        preemptions = countPreemptions();
        if (preemptions !== before) continue;
      }
      this.#judge(ms);
    }
  }

  #judge(ms: number): void {
    if (ms <= RATHER_SLOW_MS) {
      this.#slowInRow = 0;
      this.#quickInRow += 1;
      // After so many quick files, the disk was only slow for a moment: it woke up, or the process had to wait.
      if (this.#quickInRow >= this.#stretch) this.#stretch = FIRST_STRETCH;
      return;
    }
    this.#quickInRow = 0;
    this.#slowInRow += 1;
    if (ms <= SLOW_MS && this.#slowInRow < RATHER_SLOW_FILES) return;
    this.#slowInRow = 0;
    this.#spared = this.#stretch;
    this.#stretch *= 2;
  }
}

/** How often the system took the processor from this process while it was working; 0 if the system does not count that. */
function countPreemptions(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}

const waiting: (() => void)[] = [];
// The function is taken when this file is loaded. Otherwise a test with fake timers would block every later list.
const afterOthers = setImmediate;

/** Grants slices one after another to all callers, so that other work waits for at most one slice. */
function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) afterOthers(grantSlice);
  });
}

function grantSlice(): void {
  waiting.shift()?.();
  if (waiting.length > 0) afterOthers(grantSlice);
}

function doDirectly<Out>(steps: Generator<unknown, Out>): Out {
  for (let step = steps.next(); ; step = steps.next(step.value)) if (step.done) return step.value;
}

async function doByThreads<Out>(steps: Generator<unknown, Out>): Promise<Out> {
  let step = steps.next();
  while (!step.done) {
    const answer = await Promise.resolve(step.value).then(
      (value) => () => steps.next(value),
      (error: unknown) => () => steps.throw(error),
    );
    step = answer();
  }
  return step.value;
}
