// One trace file as a session. It gives any part of the file as numbered events, and a summary that it makes by reading in
// the background. A line that is not an event is replaced by a warning.
import { TraceError } from '@inboard/core/errors.js';
import { checkTraceHeader, decodeTraceEvent } from '@inboard/core/record/trace/read-trace.js';
import type { TraceEvent, TraceHeader } from '@inboard/core/record/trace/trace-event.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { EventBatch } from '../model/page-contract.js';
import { cutOffSummary } from '../model/cut-off.js';
import type { SessionSummary } from '../model/session-summary.js';
import { SummaryLedger } from '../model/summary-ledger.js';
import { cutEvent } from '../stream/cut-event.js';
import { encodeNumbered, numberLine } from '../stream/event-codec.js';
import type { InspectorEvent } from '../stream/inspector-event.js';
import { lineOfNumber, numberOfLine, openRecording, OPENING_NUMBER } from '../stream/recording.js';
import { isBeingWritten } from './trace-file-writer.js';
import { LineFile } from './trace-file-lines.js';

/** The greatest size of a batch, in bytes of the file. */
const BATCH_BYTES = 2 * 1024 * 1024;
/** How much the summary reads at a time; it can be parsed in a few milliseconds. */
const STEP = { lines: 2000, bytes: 256 * 1024 };
const HEADER_BYTES = 64 * 1024;

/** The result of one step of reading in the background. */
export interface ReadStep {
  /** The events that were written after the file was opened, encoded; `first` is the number of the first. */
  fresh: { first: number; lines: string[] } | undefined;
  isEnd: boolean;
}

/** One recording. */
export class TraceFileSession {
  readonly id: string;
  readonly file: LineFile;
  /** The path as it was given. */
  readonly #shownPath: string;
  readonly #header: TraceHeader;
  readonly #ledger: SummaryLedger;
  /** The size of the file when it was opened. Lines that end after this are new to pages. */
  readonly #sizeAtOpening: number;
  /** The next line for the summary, from 0. */
  #at = 0;
  #time = 0;
  #hasEnd = false;
  #isRead = false;
  #wasRead = false;
  /** The size of the file when it was last read to its end, in bytes. */
  #readSize = 0;
  #isTorn = false;
  #wasCut = false;

  private constructor(id: string, place: { file: LineFile; shownPath: string; header: TraceHeader }) {
    this.id = id;
    this.file = place.file;
    this.#shownPath = place.shownPath;
    this.#header = place.header;
    this.#sizeAtOpening = place.file.size;
    this.#ledger = new SummaryLedger(id);
    this.#ledger.push({ n: OPENING_NUMBER, s: id, event: openRecording(place.header) });
  }

  /** Reads only the header; throws a TraceError for a file that is not a trace. */
  static async open(id: string, path: string, shownPath: string): Promise<TraceFileSession> {
    const file = new LineFile(path);
    try {
      await file.look();
      const { lines, tail } = await file.read(0, { lines: 1, bytes: HEADER_BYTES });
      const text = lines[0] ? lines[0].text : tail;
      if (file.size === 0) throw unreadable(shownPath, 'is empty, so it is not a trace');
      const header = text === undefined ? undefined : decodeTraceEvent(text);
      checkTraceHeader(header, shownPath);
      return new TraceFileSession(id, { file, shownPath, header });
    } catch (error) {
      if (error instanceof TraceError) throw error;
      throw unreadable(shownPath, `cannot be read: ${(error as Error).message}`, error);
    }
  }

  /** Whether the file has content that the summary has not read, as of the last check. */
  get hasMore(): boolean {
    return !this.#isRead || this.file.size !== this.#readSize;
  }

  /** Whether the program that wrote the file has ended since the last summary without writing an end. */
  get wasCutSince(): boolean {
    return this.#isCut() !== this.#wasCut;
  }

  async read(after: number, limit: number): Promise<EventBatch> {
    const lines: string[] = after < OPENING_NUMBER ? [this.#opening()] : [];
    if (lines.length === limit) return { lines, next: OPENING_NUMBER };
    const from = Math.max(lineOfNumber(after), 0);
    const part = await this.file.read(from, { lines: limit - lines.length, bytes: BATCH_BYTES });
    for (const { index, text } of part.lines) {
      const line = this.#encode(index, text);
      if (line !== undefined) lines.push(line);
    }
    const last = from + part.lines.length;
    const whole = part.tail === undefined ? undefined : this.#encodeTail(last, part.tail);
    if (whole !== undefined) lines.push(whole);
    const total = numberOfLine(this.file.estimatedLines);
    return { lines, next: part.isEnd ? undefined : numberOfLine(last), total };
  }

  /** The line of an event as it is in the file; undefined if there is none. */
  async readWhole(n: number): Promise<string | undefined> {
    if (n === OPENING_NUMBER) return JSON.stringify(openRecording(this.#header));
    if (n < OPENING_NUMBER) return undefined;
    const { lines, tail } = await this.file.read(lineOfNumber(n) - 1, { lines: 1, bytes: 1 });
    const text = lines[0] ? lines[0].text : tail;
    return text === undefined || text.trim() === '' ? undefined : text.trim();
  }

  /** Reads the next part for the summary. */
  async step(): Promise<ReadStep> {
    const part = await this.file.read(this.#at, STEP);
    const fresh: string[] = [];
    let first = 0;
    const take = (index: number, text: string | undefined, isNew: boolean): void => {
      this.#push(index, text);
      const line = isNew ? this.#encode(index, text) : undefined;
      if (line === undefined) return;
      first ||= numberOfLine(index + 1);
      fresh.push(line);
    };
    for (const { index, text, end } of part.lines) take(index, text, end > this.#sizeAtOpening);
    this.#at += part.lines.length;
    this.#isTorn = false;
    if (part.tail !== undefined && part.tail.trim() !== '') {
      this.#isTorn = decodeTraceEvent(part.tail) === undefined;
      if (!this.#isTorn) {
        take(this.#at, part.tail, this.file.size > this.#sizeAtOpening);
        this.#at += 1;
      }
    }
    this.#isRead = part.isEnd;
    this.#wasRead ||= part.isEnd;
    this.#readSize = this.file.size;
    return { fresh: fresh.length === 0 ? undefined : { first, lines: fresh }, isEnd: part.isEnd };
  }

  /** The summary of what was read so far. */
  summarize(): SessionSummary {
    const summary = { ...this.#ledger.read(), file: this.#shownPath, read: this.#readShare() };
    this.#wasCut = this.#isCut();
    if (!this.#wasCut) return summary;
    return cutOffSummary(summary, this.#isTorn ? 'cut off within a line' : 'cut off: its host ended first');
  }

  /** How much of the file was read for the summary; undefined once all of it was. A part that is added later is read at once. */
  #readShare(): number | undefined {
    if (this.#wasRead) return undefined;
    return Math.min(0.99, this.#at / Math.max(1, this.file.estimatedLines));
  }

  #isCut(): boolean {
    return this.#isRead && !this.#hasEnd && !isBeingWritten(this.#header, this.file.modifiedAt);
  }

  #push(index: number, text: string | undefined): void {
    const event = this.#decode(index, text);
    if (event === undefined) return;
    if (event.type === 'end') this.#hasEnd = true;
    this.#ledger.push({ n: numberOfLine(index + 1), s: this.id, event });
  }

  #opening(): string {
    return encodeNumbered({ n: OPENING_NUMBER, s: this.id, event: openRecording(this.#header) });
  }

  #encode(index: number, text: string | undefined): string | undefined {
    const n = numberOfLine(index + 1);
    const event = this.#decode(index, text);
    if (event === undefined) return undefined;
    if (event.type === 'warning') return encodeNumbered({ n, s: this.id, event });
    const { json, isCut } = cutEvent(isPlaced(event) ? withoutPlace(event) : (text as string).trim());
    return numberLine(n, this.id, json, isCut);
  }

  // A line without a line feed is complete if it is valid JSON, because half an object is not.
  #encodeTail(index: number, tail: string): string | undefined {
    return decodeTraceEvent(tail) === undefined ? undefined : this.#encode(index, tail);
  }

  /** The event of a line; undefined for an empty one. */
  #decode(index: number, text: string | undefined): InspectorEvent | undefined {
    if (text?.trim() === '') return undefined;
    const event: TraceEvent | undefined = text === undefined ? undefined : decodeTraceEvent(text);
    if (event) {
      if ('t' in event && Number.isFinite(event.t)) this.#time = event.t;
      return event;
    }
    const message = `Line ${index + 1} is not a trace event, and was left out`;
    return { type: 'warning', t: this.#time, code: 'TRACE_LINE_LEFT_OUT', message };
  }
}

const PLACE = ['n', 's', 'isCut', 'bytes'] as const;

/** Whether a line has fields for its number and session. These would override ours, and a file must not set them. */
function isPlaced(event: object): boolean {
  return PLACE.some((name) => Object.hasOwn(event, name));
}

function withoutPlace(event: object): string {
  const { n: _n, s: _s, isCut: _isCut, bytes: _bytes, ...own } = event as Record<string, unknown>;
  return stringifyDeep(own) as string;
}

function unreadable(file: string, why: string, cause?: unknown): TraceError {
  return new TraceError('TRACE_UNREADABLE', `${file} ${why}.`, { cause, file });
}
