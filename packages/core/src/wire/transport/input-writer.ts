// Writes lines to a child's input. The lines of one tick become one chunk. Whatever the other side does to the pipe,
// nothing is thrown, and no error of the stream stays without a listener.
import type { Writable } from 'node:stream';
import { sliceText } from '../../util/text-slices.js';

// The lines of a tick are joined up to this size. Most lines are small answers, and one system call for all answers of a
// tick is much faster than one for each. Joining more would only take memory.
const BATCH_CHARACTERS = 64 * 1024;
// A longer text is written in slices of this size, each after the one before was written, so that the host can do other
// things in between. A stream encodes a text as a whole, which takes half a second for 48 MB on a busy machine.
const SLICE_CHARACTERS = 1024 * 1024;

/** Takes lines for the child. It can be used before the pipe exists, and until the pipe is closed. */
export class InputWriter {
  readonly #onBroken: (cause: unknown) => void;
  #stream: Writable | undefined;
  #batch = '';
  /** The slices of a long text, and the lines that were written after it. */
  #slices: string[] = [];
  #isFlushDue = false;
  #isEnded = false;
  #isClosed = false;
  #waiters: Array<() => void> = [];

  /** `onBroken` is called once, when lines no longer reach the other side. It is never called while a method runs. */
  constructor(onBroken: (cause: unknown) => void) {
    this.#onBroken = onBroken;
  }

  /** Sets the pipe. Lines that were written before are sent now. */
  attach(stream: Writable): void {
    this.#stream = stream;
    stream.on('drain', this.#release);
    stream.on('error', this.#break);
    stream.on('close', this.#release);
    this.#flush();
    if (this.#isEnded && this.#slices.length === 0) stream.end();
  }

  /** Queues one line. False when the pipe is full. A line after the end is dropped. */
  write(line: string): boolean {
    if (this.#isEnded || this.#isClosed) return true;
    this.#batch += `${line}\n`;
    if (this.#batch.length >= BATCH_CHARACTERS) this.#flush();
    else this.#scheduleFlush();
    return !this.#isFull();
  }

  /** Resolves when the pipe has room, or is closed. */
  drained(): Promise<void> {
    this.#flush();
    if (!this.#isFull()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
    });
  }

  /** Ends the input after the queued lines. */
  end(): void {
    if (this.#isEnded) return;
    this.#flush();
    this.#isEnded = true;
    if (!this.#isClosed && this.#slices.length === 0) this.#stream?.end();
  }

  /** Drops the queued lines and releases the pipe, because the other side is gone. */
  close(): void {
    this.#isClosed = true;
    this.#batch = '';
    this.#slices = [];
    const stream = this.#stream;
    if (stream) {
      stream.off('drain', this.#release);
      stream.destroy();
      // The stream may emit errors until it has closed.
      if (stream.closed) this.#detach(stream);
      else stream.once('close', () => this.#detach(stream));
    }
    this.#release();
  }

  #isFull(): boolean {
    if (this.#isClosed) return false;
    if (!this.#stream) return this.#batch.length >= BATCH_CHARACTERS;
    return (this.#stream.writableNeedDrain || this.#slices.length > 0) && !this.#stream.destroyed;
  }

  #scheduleFlush(): void {
    if (this.#isFlushDue || !this.#stream) return;
    this.#isFlushDue = true;
    // This runs after the promise reactions of this tick, so that their answers are in the same chunk.
    process.nextTick(this.#flushDue);
  }

  readonly #flushDue = (): void => {
    this.#isFlushDue = false;
    this.#flush();
  };

  #flush(): void {
    const stream = this.#stream;
    if (!stream || this.#batch === '' || this.#isClosed) return;
    const text = this.#batch;
    this.#batch = '';
    if (stream.destroyed || stream.writableEnded) this.#break(new Error('The pipe is already closed'));
    else if (this.#slices.length === 0 && text.length <= SLICE_CHARACTERS) stream.write(text);
    else {
      const isUnderWay = this.#slices.length > 0;
      for (const slice of sliceText(text, SLICE_CHARACTERS)) this.#slices.push(slice);
      if (!isUnderWay) this.#writeSlice(stream);
    }
  }

  /** Writes the first slice. It stays in the list until it is written, so that later lines are put after it. */
  #writeSlice(stream: Writable): void {
    stream.write(this.#slices[0] ?? '', () => {
      this.#slices.shift();
      if (this.#isClosed || stream.destroyed) return;
      if (this.#slices.length > 0) {
        this.#writeSlice(stream);
        return;
      }
      if (this.#isEnded) stream.end();
      if (!stream.writableNeedDrain) this.#release();
    });
  }

  readonly #break = (cause: unknown): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#batch = '';
    this.#slices = [];
    this.#release();
    queueMicrotask(() => this.#onBroken(cause));
  };

  readonly #release = (): void => {
    // While slices wait, the pipe counts as full.
    if (this.#slices.length > 0 && !this.#isClosed && !this.#stream?.destroyed) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  };

  #detach(stream: Writable): void {
    stream.off('error', this.#break);
    stream.off('close', this.#release);
  }
}
