// Questions about many files. A call to the system takes a few microseconds when it is made directly, and ten times as long when it
// goes to another thread and back: so they are made directly, a few milliseconds at a time. On a disk that is far away one file takes
// long, and the whole process would wait for it: then the rest goes to other threads.
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';

/** After so many milliseconds everybody else has a turn. */
const SLICE_MS = 4;
/** A file on a disk of this machine takes less, however busy that is. */
const SLOW_MS = 25;
// A pipe that nobody writes to would hold whoever opens it.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What is asked of the system. Each gives its value, or a promise of it. */
export interface FileCalls<File = unknown> {
  stat(path: string): BigIntStats | Promise<BigIntStats>;
  open(path: string): File | Promise<File>;
  statOpen(file: File): BigIntStats | Promise<BigIntStats>;
  /** Gives the number of bytes. */
  read(file: File, buffer: Buffer, position: number): number | Promise<number>;
  close(file: File): void | Promise<void>;
}

/** Work that yields what it asks of the system, and is given the answers. */
export type FileWork<Out> = (calls: FileCalls) => Generator<unknown, Out>;

const DIRECT: FileCalls<number> = {
  stat: (path) => statSync(path, { bigint: true }),
  open: (path) => openSync(path, FLAGS),
  statOpen: (file) => fstatSync(file, { bigint: true }),
  read: (file, buffer, position) => readSync(file, buffer, 0, buffer.length, position),
  close: (file) => closeSync(file),
};

const BY_THREADS: FileCalls<FileHandle> = {
  stat: async (path) => await stat(path, { bigint: true }),
  open: async (path) => await open(path, FLAGS),
  statOpen: async (file) => await file.stat({ bigint: true }),
  read: async (file, buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
  close: async (file) => await file.close(),
};

/** Does work on one file after another; one object for all that belongs together. */
export class FileReads {
  #sliceEnd = 0;
  #turn: Promise<void> | undefined;
  #isSlow = false;

  async do<Out>(work: FileWork<Out>): Promise<Out> {
    for (let turn = this.#giveWay(); turn; turn = this.#giveWay()) await turn;
    if (this.#isSlow) return await doByThreads(work);
    const start = performance.now();
    try {
      return doDirectly(work);
    } finally {
      if (performance.now() - start > SLOW_MS) this.#isSlow = true;
    }
  }

  /** Undefined while a slice lasts. */
  #giveWay(): Promise<void> | undefined {
    if (this.#turn) return this.#turn;
    if (this.#isSlow || performance.now() < this.#sliceEnd) return undefined;
    this.#turn = new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        this.#sliceEnd = performance.now() + SLICE_MS;
        resolve();
      });
    });
    return this.#turn;
  }
}

function doDirectly<Out>(work: FileWork<Out>): Out {
  const steps = work(DIRECT as FileCalls);
  for (let step = steps.next(); ; step = steps.next(step.value)) if (step.done) return step.value;
}

async function doByThreads<Out>(work: FileWork<Out>): Promise<Out> {
  const steps = work(BY_THREADS as FileCalls);
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
