// One link to the other side, over any duplex. It carries frames in both directions, sends pings when there is nothing else to
// send, and ends once, with a reason. It leaves the greeting and the meaning of the frames to others.
import type { Duplex } from 'node:stream';
import { RemoteError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { afterReading } from '@inboard/core/util/timers.js';
import { encodeFrame, FRAME, FrameReader, type FrameKind } from './frame.js';
import { IncomingStream, OutgoingStream, type StreamId, type StreamLink } from './streams.js';

/** How long the other side may be silent before the link counts as lost, in milliseconds. */
export const DEFAULT_IDLE_MS = 5000;

/** How many pings are sent within the allowed silence. Some of them may be late. */
const PINGS = 4;
const SHORTEST_PING_MS = 25;
/** How many milliseconds too early a timer may fire. */
const EARLY_MS = 5;

/**
 * If more bytes than this wait to be sent, the other side no longer reads. The windows of all streams together are far smaller.
 */
const LARGEST_BACKLOG = 32 * 1024 * 1024;

/** How long a goodbye may take if the other side has not shown who it is. */
const FAREWELL_MS = 2000;
/**
 * How long a goodbye may take if the other side is known and still takes bytes, such as the end of a large answer over a slow
 * line.
 */
const LONGEST_FAREWELL_MS = 120_000;

/** Large frames are handed over in pieces, so that each piece that leaves or arrives shows that the line works. */
const PIECE_BYTES = 128 * 1024;

/** Takes the frames that belong to no stream. */
export type OnFrame = (kind: FrameKind, payload: Buffer) => void;

/** A link. The code that made it ends it with `close` or `break`. */
export class Link implements StreamLink {
  /** Resolves when the link is over: with an error, or with undefined if one of the two sides called `close()`. */
  readonly ended: Promise<RemoteError | undefined>;
  /** The name of the other side in messages. */
  readonly peer: string;
  onFrame: OnFrame = () => {};
  readonly #duplex: Duplex;
  readonly #reader: FrameReader;
  readonly #outgoing = new Map<number, OutgoingStream>();
  readonly #incoming = new Map<number, IncomingStream>();
  readonly #settle: (error: RemoteError | undefined) => void;
  #idleMs: number;
  #pingMs: number;
  /** When the other side last sent or took bytes. */
  #aliveAt = performance.now();
  /**
   * Whether bytes were waiting to be sent at the last check. If so, a completed write shows that the other side takes bytes.
   */
  #isCongested = false;
  #isTrusted = false;
  #sentAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #farewell: NodeJS.Timeout | undefined;
  #stage: 'open' | 'leaving' | 'over' = 'open';

  constructor(duplex: Duplex, { peer, idleMs = DEFAULT_IDLE_MS }: { peer: string; idleMs?: number }) {
    let settle!: (error: RemoteError | undefined) => void;
    this.ended = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
    this.#duplex = duplex;
    this.peer = peer;
    this.#idleMs = idleMs;
    this.#pingMs = Math.max(SHORTEST_PING_MS, idleMs / PINGS);
    this.#reader = new FrameReader({
      frame: (kind, payload) => this.#take(kind, payload),
      fault: (error) => this.break(error),
    });
    duplex.on('data', (chunk: Buffer | string) => {
      this.#aliveAt = performance.now();
      this.#reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    });
    duplex.on('error', (cause) => this.break(this.#lost(messageOf(cause), cause)));
    duplex.on('end', () => this.#onGone());
    duplex.on('close', () => this.#onGone());
    this.#watch();
  }

  get isOver(): boolean {
    return this.#stage === 'over';
  }

  /**
   * Notes that the other side has shown who it is. Larger frames are then accepted, and pings are sent as often as it needs
   * them.
   */
  trust({ idleMs, theirIdleMs }: { idleMs: number; theirIdleMs: number }): void {
    this.#reader.trust();
    this.#isTrusted = true;
    this.#idleMs = idleMs;
    this.#pingMs = Math.max(SHORTEST_PING_MS, Math.min(idleMs, theirIdleMs) / PINGS);
    this.#watch();
  }

  send(kind: FrameKind, ...payload: readonly Uint8Array[]): void {
    if (this.#stage !== 'open') return;
    this.#write(encodeFrame(kind, ...payload));
  }

  sendJson(kind: FrameKind, value: unknown): void {
    this.send(kind, Buffer.from(JSON.stringify(value)));
  }

  sendData(stream: StreamId, bytes: Buffer): void {
    this.send(FRAME.data, Buffer.of(stream), bytes);
  }

  sendEnd(stream: StreamId): void {
    this.send(FRAME.end, Buffer.of(stream));
  }

  sendCredit(stream: StreamId, bytes: number): void {
    const payload = Buffer.alloc(5);
    payload.writeUInt8(stream);
    payload.writeUInt32BE(bytes, 1);
    this.send(FRAME.credit, payload);
  }

  /** Opens a stream to the other side. Each number is used once. */
  openOutgoing(id: StreamId): OutgoingStream {
    const stream = new OutgoingStream(this, id);
    // The stream breaks only with the link, and the link has the reason.
    stream.on('error', () => {});
    this.#outgoing.set(id, stream);
    return stream;
  }

  /** Opens a stream from the other side. Each number is used once. */
  openIncoming(id: StreamId): IncomingStream {
    const stream = new IncomingStream(this, id);
    stream.on('error', () => {});
    this.#incoming.set(id, stream);
    return stream;
  }

  /** Sends a goodbye after everything else, and ends the link. The goodbye tells the other side that nothing is missing. */
  close(): void {
    if (this.#stage !== 'open') return;
    this.send(FRAME.bye);
    this.#stage = 'leaving';
    this.#duplex.end();
    // The limit for a known side is long, because bytes that are still on their way would be lost. If the other side is silent,
    // the link ends sooner.
    const limitMs = this.#isTrusted ? LONGEST_FAREWELL_MS : FAREWELL_MS;
    this.#farewell = setTimeout(() => this.#finish(undefined), limitMs).unref();
  }

  /** Ends the link at once. */
  break(error: RemoteError): void {
    this.#finish(this.#stage === 'leaving' ? undefined : error);
  }

  #take(kind: FrameKind, payload: Buffer): void {
    if (this.#stage === 'over') return;
    if (kind === FRAME.ping) return;
    if (kind === FRAME.bye) this.#finish(undefined);
    else if (kind === FRAME.data || kind === FRAME.end || kind === FRAME.credit)
      this.#takeStream(kind, payload);
    else this.onFrame(kind, payload);
  }

  #takeStream(kind: FrameKind, payload: Buffer): void {
    const id = payload[0] ?? -1;
    const incoming = this.#incoming.get(id);
    const outgoing = this.#outgoing.get(id);
    const isRight =
      (kind === FRAME.data && incoming?.receive(payload.subarray(1))) ||
      (kind === FRAME.end && incoming?.finish()) ||
      (kind === FRAME.credit && payload.length === 5 && outgoing?.grant(payload.readUInt32BE(1)));
    if (!isRight)
      this.break(
        new RemoteError(
          'REMOTE_PROTOCOL',
          `${this.peer} sent data that belongs to no stream, or more than allowed`,
        ),
      );
  }

  #write(frame: Buffer): void {
    this.#sentAt = performance.now();
    for (let start = 0; start < frame.length; start += PIECE_BYTES) {
      this.#duplex.write(frame.subarray(start, start + PIECE_BYTES), (error) => {
        if (!error && this.#isCongested) this.#aliveAt = performance.now();
      });
    }
    if (this.#duplex.writableLength > LARGEST_BACKLOG) this.break(this.#lost('it no longer reads'));
  }

  #watch(): void {
    clearInterval(this.#timer);
    // The timer need not keep the process alive, because the open duplex does.
    this.#timer = setInterval(() => {
      this.#isCongested = this.#duplex.writableLength > 0;
      if (performance.now() - this.#sentAt >= this.#pingMs - EARLY_MS) this.send(FRAME.ping);
    }, this.#pingMs).unref();
    this.#awaitSilence(this.#idleMs);
  }

  #awaitSilence(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => afterReading(() => this.#checkSilence()), Math.max(1, ms)).unref();
  }

  #checkSilence(): void {
    if (this.#stage === 'over') return;
    const leftMs = this.#aliveAt + this.#idleMs - performance.now();
    if (leftMs <= 0) this.break(this.#lost(silentFor(this.#idleMs)));
    else this.#awaitSilence(Math.ceil(leftMs));
  }

  #onGone(): void {
    this.break(this.#lost('it was closed without a goodbye'));
  }

  #lost(why: string, cause?: unknown): RemoteError {
    return new RemoteError('REMOTE_LINK_LOST', `The link to ${this.peer} was lost: ${why}`, {
      cause,
      retryable: true,
    });
  }

  #finish(error: RemoteError | undefined): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    clearInterval(this.#timer);
    clearTimeout(this.#silence);
    clearTimeout(this.#farewell);
    this.#settle(error);
    for (const stream of this.#outgoing.values()) stream.destroy();
    for (const stream of this.#incoming.values()) {
      // After a goodbye, everything has arrived, but perhaps not everything was read.
      if (error) stream.destroy();
      else stream.finish();
    }
    // The error listener stays, because errors may still arrive until the duplex has closed.
    this.#duplex.destroy();
  }
}

function silentFor(idleMs: number): string {
  return `nothing arrived for ${idleMs} ms. If that host or the line may be silent for longer, raise "idleMs" of connectCli() and of serveCli(), which is --idle of "inboard remote serve"`;
}
