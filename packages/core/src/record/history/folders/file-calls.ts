// Questions about many files. A call to the system takes a few microseconds when it is made directly, and ten times as long when it
// goes to another thread and back: so they are made directly, a few milliseconds at a time. On a disk that is far away the whole
// process would wait for each answer: there they go to other threads, which ask for several files at once.
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { mapConcurrently } from '../../../util/map-concurrently.js';
import { toRawText } from '../transcript/raw-fields.js';

/** After so many milliseconds everybody else has a turn. */
const SLICE_MS = 4;
/** A file on a disk of this machine takes less, unless the process itself had to wait. */
const SLOW_MS = 25;
/** And hardly ever this long several times in a row. */
const RATHER_SLOW_MS = 5;
const RATHER_SLOW_FILES = 3;
/** How many files go to other threads after slow ones, at first; twice as many each time that it was slow again. */
const FIRST_STRETCH = 32;
/** How many are asked for at a time there. */
const CONCURRENCY = 16;
// A pipe that nobody writes to would hold whoever opens it.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What is asked of the system. Each gives its value, or a promise of it. */
export interface FileCalls<File = unknown> {
  /** Of what is at a path; may be undefined where there is nothing. */
  stat(path: string): Stats | undefined | Promise<Stats>;
  open(path: string): File | Promise<File>;
  statOpen(file: File): Stats | Promise<Stats>;
  /** Gives at most so many bytes as raw text. */
  readText(file: File, position: number, length: number): string | Promise<string>;
  close(file: File): void | Promise<void>;
}

/** Work that yields what it asks of the system, and is given the answers. */
export type FileWork<Out> = (calls: FileCalls) => Generator<unknown, Out>;

/** Such work for each of a list. */
export type FileWorkOn<In, Out> = (calls: FileCalls, item: In) => Generator<unknown, Out>;

let shared = Buffer.alloc(0);

const DIRECT: FileCalls<number> = {
  stat: (path) => statSync(path, { throwIfNoEntry: false }),
  open: (path) => openSync(path, FLAGS),
  statOpen: (file) => fstatSync(file),
  readText: (file, position, length) => {
    // Nobody else uses it before its text is made: a new one for each file is most of what would have to be collected.
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

/** Does work on one file: nobody waits for it in this thread. */
export async function readOneFile<Out>(work: FileWork<Out>): Promise<Out> {
  return await doByThreads(work(BY_THREADS as FileCalls));
}

/** Does work on many files, one after another; one object for all that belongs together, which learns how quick their disk is. */
export class FileReads {
  /** How many of the next files go to other threads. */
  #spared = 0;
  #stretch = FIRST_STRETCH;
  #quickInRow = 0;
  #slowInRow = 0;

  /** Keeps the order; rejects with what the work on one of them throws. */
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

  /** Until the slice is over, or a slow file shows that threads are better. */
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
        // Others had the processor meanwhile: that tells nothing of the disk.
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
      // It was slow once: a disk that woke up, or a process that had to wait for others.
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

/** How often this process had to stop although it waited for nothing; always 0 where the system does not tell. */
function countPreemptions(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}

const waiting: (() => void)[] = [];
// As it is when this is loaded: a test that plays with timers would hold up every list that comes after it.
const afterOthers = setImmediate;

/** One after another, however many ask: so nobody else waits for more than one slice. */
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
