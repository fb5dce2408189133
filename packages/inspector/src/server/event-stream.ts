// Sends events to one page, by server-sent events: first those it missed, then new ones. While a page does not read, nothing
// is written to it. When it reads again, it gets the missed events by number. So a page costs a bounded number of bytes.
import type { ServerResponse } from 'node:http';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { ClusterFigures } from '../model/cluster-figures.js';
import type { ServerEnd } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { SessionSource, SourceListener } from '../sources/session-source.js';
import { numberOf } from '../stream/event-codec.js';
import type { Question } from '../stream/question.js';
import { SAFE_HEADERS } from './http-reply.js';
import type { Presenter } from './present.js';

/** Nothing more is written while this many bytes wait to be read. */
export const MOST_WAITING_BYTES = 1024 * 1024;
const EVENTS_AT_ONCE = 200;
/** How long a browser's `EventSource` would wait before it connects again, in milliseconds. Pages have waits of their own. */
const RETRY_MS = 1000;

/** The events that a page wants. */
export interface StreamPlace {
  /** The session whose events are sent, besides the summaries of all sessions. */
  session: string | undefined;
  /** Only events after this number are sent. */
  after: number;
}

/** The stream to one page, until its connection or the server ends. */
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
  /** Whether a message about the sessions was not sent. */
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

  /** Sends a comment, by which both sides notice a broken connection. */
  beat(): void {
    if (!this.#isOver && !this.#isFull()) this.#response.write(':\n\n');
  }

  /** Tells the page what it does not know yet and how the server ends, and ends the connection. */
  close(end: ServerEnd): void {
    if (!this.#isOver && !this.#isFull()) {
      // Reading the state also brings events that have waited to be processed.
      const state = encode(this.#present.state());
      this.#send('state', state);
      this.#send('closed', encode(end));
    }
    this.#stop();
    this.#response.end();
  }

  /** Does the same in a process that exits: nothing is written later, so it is written now, as far as the socket takes it. */
  closeNow(end: ServerEnd): void {
    const { socket } = this.#response;
    try {
      this.close(end);
    } catch {
      // An error here would replace the program's own exit code. The page learns of the end from the connection.
      return;
    }
    for (let left = socket?.writableCorked ?? 0; left > 0; left -= 1) socket?.uncork();
  }

  /** Whether everything so far was sent. */
  get isLive(): boolean {
    return this.#isOver || (this.#isLive && this.#response.writableLength === 0);
  }

  #breakOff(): void {
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
      // The whole state is sent again when there is room.
      this.#isStale = true;
      if (this.#isLive) void this.#catchUp();
    } else if (!this.#isStale) this.#send(name, encode(value));
  }

  /** Reads and sends the missing events, then lets new events through. */
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
      // The source cannot be read now. The page reconnects and continues after the same number.
      if (!this.#isOver) this.#breakOff();
    }
  }

  /** Sends the next events after the last one; gives whether there are more. */
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

  /** Waits until the page has read enough; resolves with false if the page is gone. */
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

  // A line end would end the message. In JSON, line ends only occur between values, where a space means the same.
  #send(name: string, json: string): void {
    this.#response.write(`event: ${name}\ndata: ${json.replaceAll(/[\r\n]/g, ' ')}\n\n`);
  }
}

// The input of a question may be nested deeper than `JSON.stringify` goes.
function encode(value: object): string {
  return stringifyDeep(value) as string;
}
