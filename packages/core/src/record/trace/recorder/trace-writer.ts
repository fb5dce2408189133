// Writes chunks to a file in the background, each at its own position. When everything must be in the file at once, a write
// that is still under way is repeated at the same position. So each chunk is in the file exactly once.
import { closeSync, mkdirSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { openPrivateFile } from '../../../util/private-file.js';

/** One open file. Its opener closes it. */
export class TraceWriter {
  readonly file: string;
  readonly #descriptor: number;
  readonly #onFailed: (cause: unknown) => void;
  #position = 0;
  #underWay: { chunk: Buffer; position: number } | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #failed = false;
  #closed = false;

  /**
   * Opens the file for this user alone, and empties an existing file. Throws the error of the file system. `onFailed` is
   * called once, when a write fails.
   */
  constructor(file: string, onFailed: (cause: unknown) => void) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.file = file;
    this.#onFailed = onFailed;
    // Links are followed, because the user has named the file.
    this.#descriptor = openPrivateFile(file, { followsLinks: true });
  }

  /** How many bytes may not be in the file yet. */
  get pendingBytes(): number {
    return this.#waitingBytes + (this.#underWay?.chunk.length ?? 0);
  }

  write(text: string): void {
    if (this.#failed || this.#closed) return;
    const chunk = Buffer.from(text);
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (!this.#underWay) this.#writeNext();
  }

  /** Writes everything to the file before it returns. */
  flush(): void {
    if (this.#failed || this.#closed) return;
    try {
      const again = this.#underWay;
      if (again) writeWhole(this.#descriptor, again.chunk, again.position);
      const rest = this.#takeWaiting();
      writeWhole(this.#descriptor, rest, this.#position);
      this.#position += rest.length;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Flushes and closes. A second call does nothing. */
  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    if (!this.#underWay) this.#release();
  }

  #writeNext(): void {
    if (this.#waitingBytes === 0) return;
    const underWay = { chunk: this.#takeWaiting(), position: this.#position };
    this.#position += underWay.chunk.length;
    this.#underWay = underWay;
    this.#writeOn(underWay.chunk, underWay.position);
  }

  #writeOn(chunk: Buffer, position: number): void {
    write(this.#descriptor, chunk, 0, chunk.length, position, (error, written) => {
      if (!error && written < chunk.length && !this.#closed && !this.#failed) {
        this.#writeOn(chunk.subarray(written), position + written);
        return;
      }
      this.#underWay = undefined;
      if (error) this.#fail(error);
      if (this.#closed) this.#release();
      else this.#writeNext();
    });
  }

  #takeWaiting(): Buffer {
    const chunk = this.#waiting.length === 1 ? (this.#waiting[0] as Buffer) : Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return chunk;
  }

  #fail(error: unknown): void {
    this.#takeWaiting();
    if (this.#failed || this.#closed) return;
    this.#failed = true;
    this.#onFailed(error);
  }

  #release(): void {
    try {
      closeSync(this.#descriptor);
    } catch {
      // Some network file systems report a failed write only here. The reader tolerates a torn end.
    }
  }
}

function writeWhole(descriptor: number, chunk: Buffer, position: number): void {
  for (let done = 0; done < chunk.length;) {
    done += writeSync(descriptor, chunk, done, chunk.length - done, position + done);
  }
}
