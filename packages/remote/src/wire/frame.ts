// Encodes and reads the frames of a link. A frame is a length, a kind and a payload. The reader accepts chunks of any size, and
// never holds more than one frame. It leaves the meaning of a frame to others.
import { RemoteError } from '@inboard/core/errors.js';

/** The kinds of frames. The numbers are part of the protocol. */
export const FRAME = {
  hello: 1,
  welcome: 2,
  refused: 3,
  start: 4,
  exit: 5,
  signal: 6,
  data: 7,
  end: 8,
  credit: 9,
  ping: 10,
  bye: 11,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

/** The head of a frame: the length of everything that follows the length (4 bytes), then the kind (1 byte). */
const HEAD_BYTES = 5;

const KINDS: ReadonlySet<number> = new Set(Object.values(FRAME));

/** The largest frame from a side that has not yet shown who it is. A greeting needs no more. */
export const GREETING_BYTES = 16 * 1024;

/**
 * The largest frame from a side that has shown who it is. A start may have a long command line and environment. Anything larger
 * is sent in pieces.
 */
const LARGEST_FRAME = 8 * 1024 * 1024;

/** One frame as bytes. */
export function encodeFrame(kind: FrameKind, ...payload: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(1 + payload.reduce((sum, part) => sum + part.length, 0));
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, ...payload]);
}

/** Is given the frames. After `fault`, nothing more is read. */
export interface FrameTaker {
  frame(kind: FrameKind, payload: Buffer): void;
  fault(error: RemoteError): void;
}

/** Cuts a stream of bytes into frames. */
export class FrameReader {
  readonly #taker: FrameTaker;
  #limit = GREETING_BYTES;
  /** The bytes that have arrived of an incomplete head or payload. They are in one buffer, however small the pieces are. */
  #cut: Buffer | undefined;
  #held = 0;
  #wanted = HEAD_BYTES;
  #kind: FrameKind | undefined;
  #isBroken = false;
  /** The first bytes of the stream, for the error message if it is not made of valid frames. */
  #opening = '';

  constructor(taker: FrameTaker) {
    this.#taker = taker;
  }

  /** Notes that the other side has shown who it is, and may send larger frames. */
  trust(): void {
    this.#limit = LARGEST_FRAME;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    if (this.#opening.length < 200) this.#opening += rest.subarray(0, 200).toString('latin1');
    while (!this.#isBroken && rest.length > 0) {
      const taken = rest.subarray(0, this.#wanted - this.#held);
      rest = rest.subarray(taken.length);
      if (taken.length === this.#wanted) this.#complete(taken);
      else this.#gather(taken);
    }
  }

  #gather(piece: Buffer): void {
    this.#cut ??= Buffer.allocUnsafe(this.#wanted);
    piece.copy(this.#cut, this.#held);
    this.#held += piece.length;
    if (this.#held < this.#wanted) return;
    const whole = this.#cut;
    this.#cut = undefined;
    this.#held = 0;
    this.#complete(whole);
  }

  #complete(whole: Buffer): void {
    if (this.#kind === undefined) this.#readHead(whole);
    else this.#deliver(this.#kind, whole);
  }

  #readHead(head: Buffer): void {
    const length = head.readUInt32BE() - 1;
    const kind = head.readUInt8(4);
    if (!KINDS.has(kind) || length < 0 || length > this.#limit) {
      this.#isBroken = true;
      this.#taker.fault(this.#explain(kind, length));
      return;
    }
    if (length === 0) {
      this.#deliver(kind as FrameKind, Buffer.alloc(0));
      return;
    }
    this.#kind = kind as FrameKind;
    this.#wanted = length;
  }

  #deliver(kind: FrameKind, payload: Buffer): void {
    this.#kind = undefined;
    this.#wanted = HEAD_BYTES;
    this.#taker.frame(kind, payload);
  }

  // If a shell prints a greeting, or the program is missing, text arrives in place of frames. The error quotes this text, which
  // explains the fault best.
  #explain(kind: number, length: number): RemoteError {
    const words = this.#opening.replace(/[^\x20-\x7e]+/g, ' ').trim();
    const what = KINDS.has(kind) ? `a frame of ${length} bytes` : 'something that is not a frame';
    const said = words.length > 3 ? `; it began with: ${JSON.stringify(words.slice(0, 160))}` : '';
    return new RemoteError('REMOTE_PROTOCOL', `The other side sent ${what}${said}`);
  }
}
