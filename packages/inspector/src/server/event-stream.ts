// One page that listens, by server-sent events: what it missed first, then what happens. A page that does not read is not
// written to: it gets what it missed by its number when it reads again, so that it costs a bounded number of bytes.
import type { ServerResponse } from 'node:http';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { ClusterFigures } from '../model/cluster-figures.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { SessionSource, SourceListener } from '../sources/session-source.js';
import { numberOf } from '../stream/event-codec.js';
import type { Question } from '../stream/question.js';
import { SAFE_HEADERS } from './http-reply.js';
import type { Presenter } from './present.js';

/** Nothing more is written while so many bytes wait to be read. */
export const MOST_WAITING_BYTES = 1024 * 1024;
const EVENTS_AT_ONCE = 200;
/** How long a page waits before it connects again, in milliseconds. */
const RETRY_MS = 1000;

/** What a page listens to. */
export interface StreamPlace {
  /** Its events are sent besides what is said of all sessions. */
  session: string | undefined;
  /** Events after this number. */
  after: number;
}

/** A page that listens, until its connection or the server ends. */
export class EventStream implements SourceListener {
  readonly #response: ServerResponse;
  readonly #source: SessionSource;
  readonly #present: Presenter;
  readonly session: string | undefined;
  readonly #unwatch: () => void;
  /** The number up to which events were sent. */
  #sent: number;
  /** Whether every event so far was sent, so that the next can be written as it comes. */
  #isLive = false;
  /** Whether events came while older ones were being read. */
  #hasMissed = false;
  /** Whether something about the sessions was not sent. */
  #isStale = false;
  #isOver = false;

  constructor(
    response: ServerResponse,
    { source, present, place }: { source: SessionSource; present: Presenter; place: StreamPlace },
  ) {
    this.#response = response;
    this.#source = source;
    this.#present = present;
    this.session = place.session;
    this.#sent = place.after;
    response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#send('state', encode(present.state()));
    this.#unwatch = source.watch(this);
    response.once('close', () => this.#stop());
    void this.#catchUp();
  }

  events(session: string, _first: number, lines: readonly string[]): void {
    if (session !== this.session || this.#isOver) return;
    if (!this.#isLive) {
      this.#hasMissed = true;
      return;
    }
    for (const line of lines) {
      if (this.#isFull()) {
        void this.#catchUp();
        return;
      }
      this.#sendEvent(line);
    }
  }

  summary(summary: SessionSummary): void {
    this.#tell('summary', this.#present.summary(summary));
  }

  asked(question: Question): void {
    this.#tell('question', this.#present.question(question));
  }

  settled(session: string, id: string): void {
    this.#tell('settled', { session, id });
  }

  cluster(figures: ClusterFigures): void {
    this.#tell('cluster', figures);
  }

  changed(): void {
    this.#tell('state', this.#present.state());
  }

  /** A line without a meaning, by which both sides notice a connection that is gone. */
  beat(): void {
    if (!this.#isOver && !this.#isFull()) this.#response.write(':\n\n');
  }

  /** Says that the server ends, and ends the connection; the page tries to connect again. */
  close(): void {
    if (!this.#isOver && !this.#isFull()) this.#send('closed', 'true');
    this.#stop();
    this.#response.end();
  }

  #stop(): void {
    this.#isOver = true;
    this.#unwatch();
  }

  #tell(name: string, value: object): void {
    if (this.#isOver) return;
    if (this.#isFull()) {
      // All of it is said anew when there is room.
      this.#isStale = true;
      if (this.#isLive) void this.#catchUp();
    } else if (!this.#isStale) this.#send(name, encode(value));
  }

  /** Reads and sends what is missing, then lets events through as they come. */
  async #catchUp(): Promise<void> {
    this.#isLive = false;
    try {
      for (;;) {
        if (!(await this.#waitForRoom())) return;
        this.#hasMissed = false;
        const hasMore = await this.#sendMissing();
        if (this.#isOver) return;
        if (!hasMore && !this.#hasMissed && !this.#isStale) break;
      }
      this.#isLive = true;
    } catch {
      // The source cannot be read now; the page connects again, and asks from the same number.
      if (!this.#isOver) this.close();
    }
  }

  /** Sends the next events after the last; whether there are more to read. */
  async #sendMissing(): Promise<boolean> {
    if (this.session === undefined) return false;
    const before = this.#sent;
    const { lines, next } = await this.#source.read(this.session, before, EVENTS_AT_ONCE);
    for (const line of lines) {
      if (!(await this.#waitForRoom())) return false;
      this.#sendEvent(line);
    }
    this.#sent = Math.max(this.#sent, next ?? 0);
    return next !== undefined && this.#sent > before;
  }

  /** Resolves when the page has read what was written; with false when it is gone. */
  async #waitForRoom(): Promise<boolean> {
    while (this.#isFull() && !this.#isOver) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#response.off('drain', go);
          this.#response.off('close', go);
          resolve();
        };
        this.#response.once('drain', go);
        this.#response.once('close', go);
      });
    }
    if (this.#isOver) return false;
    if (this.#isStale) {
      this.#isStale = false;
      this.#send('state', encode(this.#present.state()));
    }
    return true;
  }

  #isFull(): boolean {
    return this.#response.writableLength > MOST_WAITING_BYTES;
  }

  #sendEvent(line: string): void {
    const n = numberOf(line);
    if (n <= this.#sent) return;
    this.#sent = n;
    this.#response.write(`id: ${n}\n`);
    this.#send('event', line);
  }

  // Line ends would end the message. Between the parts of JSON they mean as much as a space, and within texts there are none.
  #send(name: string, json: string): void {
    this.#response.write(`event: ${name}\ndata: ${json.replaceAll(/[\r\n]/g, ' ')}\n\n`);
  }
}

// The input of a question may be nested deeper than `JSON.stringify` goes.
function encode(value: object): string {
  return stringifyDeep(value) as string;
}
