// Keeps the rows of the wire view, one for each event. Also keeps which rows belong together, and which are pieces of one
// streamed answer. Frames are not kept.
import { HIDDEN } from '@inboard/core/record/trace/trace-event.js';
import { TimeReader } from '@inboard/core/record/trace/timeline/readable-step.js';
import type { AskedQuestions } from '@inboard/core/record/trace/timeline/timeline-row.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { JoinedPieces, NumberedEvent, InspectorEvent } from '../../stream/inspector-event.js';
import { describeEvent, toneOf } from './describe-event.js';
import { describePiece, readPiece, RunKeeper } from './wire-runs.js';
import type { WireRow } from './wire-row.js';

/** The rows of one session. */
export class WireLedger {
  /** All rows, in the order of their event numbers. */
  readonly rows: WireRow[] = [];
  readonly #times = new TimeReader();
  readonly #questions: AskedQuestions = new Map();
  readonly #byId = new Map<string, WireRow[]>();
  readonly #ownCalls = new Set<string>();
  readonly #isOwnCall = (id: string): boolean => this.#ownCalls.has(id);
  readonly #runs = new RunKeeper();

  /** Takes the next event. `line` is its encoded form, if the caller has it. With a line, the event is not encoded again. */
  push({ n, event, isCut = false, bytes }: NumberedEvent, line?: string): void {
    const piece = readPiece(event);
    const described = piece
      ? describePiece(piece, this.#times)
      : describeEvent(n, event as Exclude<InspectorEvent, JoinedPieces>, {
          times: this.#times,
          questions: this.#questions,
        });
    const measured = measure(event, line);
    const row: WireRow = {
      kind: 'row',
      n,
      t: described.t,
      since: Math.max(0, described.t - (this.rows.at(-1)?.t ?? 0)),
      layer: described.layer,
      direction: described.direction,
      tone: piece ? 'model' : toneOf(described, this.#isOwnCall),
      event: described.event,
      summary: described.summary,
      ids: described.ids,
      isError: described.isError,
      isHidden: measured.isHidden,
      bytes: isCut ? bytes : measured.bytes,
      answers: described.answers,
      answeredBy: undefined,
      run: undefined,
    };
    if (row.event === 'tools/call') for (const id of row.ids) this.#ownCalls.add(id);
    this.rows.push(row);
    this.#link(row);
    this.#runs.push(row, piece);
  }

  /** The row of an event number. */
  at(n: number): WireRow | undefined {
    const index = this.indexOf(n);
    return this.rows[index]?.n === n ? this.rows[index] : undefined;
  }

  /** The index of the row of an event number, or the index at which it would be. */
  indexOf(n: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rows[middle] as WireRow).n < n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** All rows that share an id with a row, including the row itself, in order; empty for a row without ids. */
  kinOf(row: WireRow): readonly WireRow[] {
    const [first = '', ...more] = row.ids;
    const kin = this.#byId.get(first) ?? [];
    if (more.length === 0) return kin;
    const all = new Set([kin, ...more.map((id) => this.#byId.get(id) ?? [])].flat());
    return [...all].sort((one, other) => one.n - other.n);
  }

  #link(row: WireRow): void {
    if (row.answers !== undefined) {
      const question = this.at(row.answers);
      if (question) question.answeredBy ??= row.n;
    }
    for (const id of row.ids) {
      const kin = this.#byId.get(id);
      if (kin) kin.push(row);
      else this.#byId.set(id, [row]);
    }
  }
}

const encoder = new TextEncoder();

/** The length of the frame, and whether a part of it is hidden. */
function measure(
  event: InspectorEvent,
  line: string | undefined,
): { bytes: number | undefined; isHidden: boolean } {
  const text = line ?? stringifyDeep(event) ?? '';
  const isHidden = text.includes('[redacted') && HIDDEN.test(text);
  if (event.type !== 'frame') return { bytes: undefined, isHidden };
  if (event.truncated) return { bytes: event.truncated.bytes, isHidden };
  if (event.text !== undefined) return { bytes: byteLength(event.text, 0), isHidden };
  // The frame follows its field name and ends before the closing bracket of the event.
  const from = text.indexOf('"frame":') + '"frame":'.length;
  return { bytes: byteLength(text, from) - 1, isHidden };
}

/** The length in UTF-8 from an index on. Most lines are ASCII, and testing that is cheaper than encoding them. */
function byteLength(text: string, from: number): number {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /[^\0-\x7f]/.test(text) ? encoder.encode(text.slice(from)).length : text.length - from;
}
