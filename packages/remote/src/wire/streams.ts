// The streams on a link: input, output, errors and files. The receiving side grants bytes as its reader takes them. So if a
// reader stops, the sender stops as well, but pings still pass.
import { Readable, Writable } from 'node:stream';

/** The streams, by their numbers on the wire. */
export const STREAM = { input: 0, output: 1, errors: 2, files: 3 } as const;

export type StreamId = (typeof STREAM)[keyof typeof STREAM];

/** How many bytes of one stream may be sent before the receiving side has taken them. */
export const WINDOW_BYTES = 1024 * 1024;

/** A grant is sent once this many bytes were taken, so that small pieces do not cost a frame each. */
const GRANT_BYTES = WINDOW_BYTES / 4;

/** Streams are sent in pieces of this size. A ping or a signal can pass between two pieces. */
const PIECE_BYTES = 64 * 1024;

/** The part of a link that its streams use. */
export interface StreamLink {
  sendData(stream: StreamId, bytes: Buffer): void;
  sendEnd(stream: StreamId): void;
  sendCredit(stream: StreamId, bytes: number): void;
}

/** A stream to the other side. It sends no more bytes than were granted. */
export class OutgoingStream extends Writable {
  readonly #link: StreamLink;
  readonly #id: StreamId;
  #credit = WINDOW_BYTES;
  #waiting: Buffer | undefined;
  #done: ((error?: Error | null) => void) | undefined;

  constructor(link: StreamLink, id: StreamId) {
    super({ highWaterMark: PIECE_BYTES });
    this.#link = link;
    this.#id = id;
  }

  /** Notes that the other side has taken bytes. Returns false if it grants more than it can have taken. */
  grant(bytes: number): boolean {
    this.#credit += bytes;
    if (this.#credit > WINDOW_BYTES) return false;
    this.#pump();
    return true;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#waiting = chunk;
    this.#done = done;
    this.#pump();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#link.sendEnd(this.#id);
    done();
  }

  #pump(): void {
    while (this.#waiting && this.#waiting.length > 0 && this.#credit > 0) {
      const piece = this.#waiting.subarray(0, Math.min(PIECE_BYTES, this.#credit));
      this.#waiting = this.#waiting.subarray(piece.length);
      this.#credit -= piece.length;
      this.#link.sendData(this.#id, piece);
    }
    if (!this.#waiting || this.#waiting.length > 0) return;
    this.#waiting = undefined;
    const done = this.#done;
    this.#done = undefined;
    done?.();
  }
}

/** A stream from the other side. */
export class IncomingStream extends Readable {
  readonly #link: StreamLink;
  readonly #id: StreamId;
  #granted = WINDOW_BYTES;
  #taken = 0;
  #isEnded = false;

  constructor(link: StreamLink, id: StreamId) {
    super({ highWaterMark: PIECE_BYTES });
    this.#link = link;
    this.#id = id;
  }

  /** Takes bytes that arrived. Returns false if they were not granted. */
  receive(bytes: Buffer): boolean {
    if (this.#isEnded || bytes.length > this.#granted) return false;
    this.#granted -= bytes.length;
    this.#taken += bytes.length;
    // The reader of this stream has gone. Its bytes are dropped and granted again, so that the sender does not wait.
    if (this.destroyed) this._read();
    else this.push(bytes);
    return true;
  }

  /** Notes that the other side has ended the stream. Returns false if the stream had ended before. */
  finish(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    if (!this.destroyed) this.push(null);
    return true;
  }

  // Node calls this when the reader has taken bytes and there is room for more.
  override _read(): void {
    if (this.#taken < GRANT_BYTES || this.#isEnded) return;
    const bytes = this.#taken;
    this.#taken = 0;
    this.#granted += bytes;
    this.#link.sendCredit(this.#id, bytes);
  }
}
