// Records one session of this process as events. It removes secrets from the lines of the wire, joins pieces, and numbers and
// keeps the events. A passing line only costs a push to a list; the work is done a moment later, in slices.
import { SummaryLedger } from '../../model/summary-ledger.js';
import type { SessionSummary } from '../../model/session-summary.js';
import {
  createHeader,
  encodeTraceFrame,
  type PassedLine,
} from '@inboard/core/record/trace/recorder/encode-event.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { cutEvent } from '../../stream/cut-event.js';
import { numberLine } from '../../stream/event-codec.js';
import type { InspectorEvent, SessionKind, WaitedFor } from '../../stream/inspector-event.js';
import { pieceOf, PieceJoiner } from '../../stream/join-pieces.js';
import type { TransportEnd } from '@inboard/core/wire/transport/transport.js';
import type { CliFacts, InspectedSession, WireTap } from '@inboard/core/live/watch/inspected-session.js';
import { NumberedLog, type KeptEvent, type LogFiles } from '@inboard/core/util/queues/numbered-log.js';
import { StreamVeil } from './stream-veil.js';

/** Longer lines are replaced by their length and beginning, as in traces. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;
/** How many lines are processed before other sessions get their turn. */
const LINES_AT_ONCE = 500;

type Passed = PassedLine | { event: InspectorEvent };

/** What a session needs from its source. */
export interface LiveSessionOptions {
  id: string;
  /** Undefined for questions that belong to no session of this process. */
  inspected: InspectedSession | undefined;
  kind: SessionKind;
  title: string | undefined;
  redactor: Redactor;
  folder: LogFiles;
  /** The number of the next event. */
  nextNumber: () => number;
  /** Is called when a line has passed: the source must call `work` soon. */
  onPassed: (session: LiveSession) => void;
  /** Is called with new events, encoded for pages. It is not called while no page reads them. */
  onEvents: (session: LiveSession, first: number, lines: readonly string[]) => void;
  hasReaders: () => boolean;
}

/** One session; its source removes it. */
export class LiveSession implements WireTap {
  readonly id: string;
  readonly inspected: InspectedSession | undefined;
  readonly redactor: Redactor;
  readonly #options: LiveSessionOptions;
  readonly #log: NumberedLog;
  readonly #ledger: SummaryLedger;
  /** Joins pieces before the veil searches for secrets, because a secret may span two pieces. */
  readonly #joiner = new PieceJoiner((pieces) => this.#veil.add(pieces));
  readonly #veil: StreamVeil;
  readonly #startedAt = performance.now();
  #passed: Passed[] = [];
  #frames = 0;
  #isOver = false;
  /** The lines of the present slice. */
  #lines: string[] = [];
  #first = 0;

  constructor(options: LiveSessionOptions) {
    const { id, inspected, kind, title, redactor, folder } = options;
    this.id = id;
    this.inspected = inspected;
    this.redactor = redactor;
    this.#veil = new StreamVeil(redactor, (pieces) => this.#keep(pieces, JSON.stringify(pieces)));
    this.#options = options;
    this.#ledger = new SummaryLedger(id);
    this.#log = new NumberedLog(folder, id, (cause) => this.warning('EVENTS_LOST', explainLoss(cause)));
    const startedAt = new Date().toISOString();
    const named = title === undefined ? {} : { title: redactor.redactText(title) };
    this.tell({ type: 'opened', t: 0, kind, startedAt, ...named });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether lines wait to be processed. */
  get isBehind(): boolean {
    return this.#passed.length > 0;
  }

  /** The number of characters of events in memory. */
  get restingCharacters(): number {
    return this.#log.restingCharacters;
  }

  /** Milliseconds since the session was opened. */
  now(): number {
    return Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
  }

  /** Adds an event that is not a line of the wire. The caller has removed secrets. */
  tell(event: InspectorEvent): void {
    this.#passed.push({ event });
    this.#options.onPassed(this);
  }

  begin({ isLate, ...facts }: CliFacts & { isLate: boolean }): void {
    this.tell(createHeader(facts, this.redactor));
    if (isLate) this.tell({ type: 'gap', t: this.now(), reason: 'late' });
  }

  line(dir: 'in' | 'out', line: string): void {
    this.#frames += 1;
    this.#passed.push({ t: this.now(), dir, line });
    this.#options.onPassed(this);
  }

  completed(message: object): void {
    const line = stringifyDeep(message) as string;
    this.#passed.push({ t: this.now(), dir: 'in', line, isCompleted: true });
    this.#options.onPassed(this);
  }

  fault(code: string, message: string): void {
    this.tell({ type: 'fault', t: this.now(), code, message: this.redactor.redactText(message) });
  }

  mark(type: 'input-end' | 'terminate'): void {
    this.tell({ type, t: this.now() });
  }

  end({ exitCode, signal, stderrTail, error }: TransportEnd): void {
    const { redactor } = this;
    this.tell({
      type: 'end',
      t: this.now(),
      exitCode,
      signal,
      stderrTail: redactor.redactText(stderrTail),
      ...(error && { error: { code: error.code, message: redactor.redactText(error.message) } }),
      frames: this.#frames,
    });
  }

  suspended(waitsFor: readonly WaitedFor[]): void {
    this.tell({ type: 'suspended', t: this.now(), waitsFor });
  }

  warning(code: string, message: string): void {
    this.tell({ type: 'warning', t: this.now(), code, message: this.redactor.redactText(message) });
  }

  over(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { code } = (error ?? {}) as { code?: unknown };
    const facts = {
      code: typeof code === 'string' ? code : 'ERROR',
      message: this.redactor.redactText(messageOf(error)),
    };
    this.tell({ type: 'over', t: this.now(), ...(error !== undefined && { error: facts }) });
  }

  /** Processes a slice of the lines that have passed; gives whether more are left. */
  work(): boolean {
    const slice = this.#passed.splice(0, LINES_AT_ONCE);
    for (const passed of slice) this.#keepPassed(passed);
    this.#joiner.flush();
    if (this.#lines.length > 0) this.#options.onEvents(this, this.#first, this.#lines);
    this.#lines = [];
    if (this.#isOver && this.#passed.length === 0) this.#log.rest();
    return this.#passed.length > 0;
  }

  /** The next events after a number, encoded for pages, and the number of the last one. */
  async read(after: number, limit: number): Promise<{ lines: string[]; last: number; total: number }> {
    const { events, lostUntil } = await this.#log.read(after, limit);
    const gap = { type: 'gap', t: 0, reason: 'lost' };
    const lost = lostUntil === undefined ? [] : [numberLine(lostUntil, this.id, JSON.stringify(gap))];
    const lines = [...lost, ...events.map((event) => this.#cut(event))];
    return { lines, last: events.at(-1)?.n ?? lostUntil ?? after, total: this.#log.size };
  }

  /** One whole event. */
  async readWhole(n: number): Promise<string | undefined> {
    const json = await this.#log.find(n);
    return json === undefined ? undefined : numberLine(n, this.id, json);
  }

  summary(): SessionSummary {
    const { inspected } = this;
    const { send, control, rewind } = this.#isOver || !inspected ? NOTHING : inspected.can();
    return {
      ...this.#ledger.read(),
      ...(inspected && { kind: inspected.kind }),
      can: { send, interrupt: control, setModel: control, setMode: control, rewind },
    };
  }

  remove(): void {
    this.#log.remove();
  }

  #keepPassed(passed: Passed): void {
    if ('event' in passed) {
      this.#joiner.flush();
      if (ENDS.has(passed.event.type)) this.#veil.end();
      this.#keep(passed.event, stringifyDeep(passed.event) as string);
      return;
    }
    const piece = !passed.isCompleted && passed.line.includes(DELTA) ? readPiece(passed) : undefined;
    if (piece) {
      this.#joiner.add(passed.t, piece);
      return;
    }
    this.#joiner.flush();
    const { event, line } = encodeTraceFrame(passed, {
      redactor: this.redactor,
      maxFrameBytes: MAX_FRAME_BYTES,
    });
    if (passed.dir === 'in' && event.type === 'frame') this.#endBlocks(event.frame);
    this.#keep(event, line);
  }

  /** Emits held text before the frame that follows it. A result ends all held text, other frames that of their conversation. */
  #endBlocks(frame: object | undefined): void {
    const { type, parent_tool_use_id: parent } = (frame ?? {}) as Record<string, unknown>;
    if (type === 'result') this.#veil.end();
    else if (type === 'stream_event' || type === 'assistant')
      this.#veil.end(typeof parent === 'string' ? parent : null);
  }

  #keep(event: InspectorEvent, json: string): void {
    const n = this.#options.nextNumber();
    this.#log.append(n, json);
    this.#ledger.push({ n, s: this.id, event });
    if (!this.#options.hasReaders()) return;
    if (this.#lines.length === 0) this.#first = n;
    this.#lines.push(this.#cut({ n, json }));
  }

  #cut({ n, json }: KeptEvent): string {
    const cut = cutEvent(json);
    return numberLine(n, this.id, cut.json, cut.isCut);
  }
}

const NOTHING = { send: false, control: false, rewind: false };
/** The events that end all streaming. */
const ENDS: ReadonlySet<InspectorEvent['type']> = new Set(['end', 'over']);
const DELTA = '"content_block_delta"';

function readPiece({ dir, line }: PassedLine): ReturnType<typeof pieceOf> {
  if (dir === 'out') return undefined;
  try {
    return pieceOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function explainLoss(cause: unknown): string {
  return `Older events of the session cannot be kept, and are missing here: ${messageOf(cause)}`;
}
