// A fact as a line of the log: encodes it, and decides what a line means when it is read. A fact that is too long for
// one write is in a file of its own, which its line names.
import { isRecord, parseRecord } from '../../../util/guards.js';
import type { CallFact, RecordedResult } from '../../../wire/protocol/config/call-records.js';
import { isFact, isFactType } from '../plain-fact.js';
import { isLargeFact } from './call-files.js';

/** The version of the format. Add 1 when a reader of the earlier version would misread a line. */
export const CALLS_VERSION = 1;
/** The format, as errors name it. */
export const CALLS_FORMAT = 'inboard-calls';

/**
 * A fact of at most this many bytes is written synchronously, in well under a millisecond. It takes a single write, which
 * the writes of other processes cannot split.
 */
export const MAX_FACT_LINE_BYTES = 256 * 1024;

/** A request to a model has at most 32 MB, so a longer result could not be delivered to it. */
export const MAX_RESULT_CHARACTERS = 32 * 1024 * 1024;

/** One decoded line. */
export type ReadLine =
  | { kind: 'fact'; id: string; fact: CallFact }
  /** The fact is in this file. */
  | { kind: 'large'; id: string; type: string; callKey: string | undefined; file: string }
  /**
   * The first line of a log that was made shorter, for the `number`th time. The next `kept` lines were taken from the
   * earlier log. The lines of the earlier log from the byte `from` on belong directly after them.
   */
  | { kind: 'compacted'; number: number; from: number; kept: number }
  | { kind: 'newer'; version: number }
  /** A line to skip, because a crash tore it while it was written. */
  | { kind: 'torn' }
  /** A line to skip, because only a newer version knows its type. */
  | { kind: 'unknown' }
  /** A line whose content is lost. */
  | { kind: 'damaged' };

/** A line for a fact, given as JSON. `id` is unique, so that a line that was written twice counts once. */
export function encodeLine(id: string, factJson: string): string {
  return `{"v":${CALLS_VERSION},"id":${JSON.stringify(id)},${factJson.slice(1)}`;
}

/** A line for a fact that is in a file of its own. */
export function encodeLargeLine(id: string, fact: CallFact, file: string): string {
  const { type, at } = fact;
  const callKey = 'callKey' in fact ? fact.callKey : undefined;
  return JSON.stringify({ v: CALLS_VERSION, id, type, callKey, at, file });
}

/** The first line of a log that was made shorter. */
export function encodeCompacted(header: { number: number; from: number; kept: number }): string {
  return JSON.stringify({ v: CALLS_VERSION, type: 'compacted', ...header });
}

export function decodeLine(text: string): ReadLine {
  const line = parseRecord(text);
  if (!line) return { kind: isTorn(text) ? 'torn' : 'damaged' };
  const { v, id, ...rest } = line;
  if (typeof v !== 'number' || v < 1) return { kind: 'damaged' };
  if (v > CALLS_VERSION) return { kind: 'newer', version: v };
  if (rest['type'] === 'compacted') return decodeCompacted(rest);
  if (typeof id !== 'string') return { kind: 'damaged' };
  const { type, callKey, file } = rest;
  if (typeof file === 'string' && isLargeFact(file) && typeof type === 'string')
    return { kind: 'large', id, type, callKey: typeof callKey === 'string' ? callKey : undefined, file };
  if (isFact(rest)) return { kind: 'fact', id, fact: rest };
  return { kind: typeof type === 'string' && !isFactType(type) ? 'unknown' : 'damaged' };
}

const LINE_START = `{"v":${CALLS_VERSION},`;

/** Whether the text is the beginning of a line without its end. */
function isTorn(text: string): boolean {
  return (text.startsWith(LINE_START) || LINE_START.startsWith(text)) && !text.endsWith('}');
}

function decodeCompacted({ number, from, kept }: Record<string, unknown>): ReadLine {
  const isUsable = [number, from, kept].every(
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  );
  return isUsable
    ? { kind: 'compacted', number: number as number, from: from as number, kept: kept as number }
    : { kind: 'damaged' };
}

/** The result to record instead of one that is too long. Its text says so to the model, and its `_meta` says so to programs. */
export function describeCutResult(result: RecordedResult, characters: number): RecordedResult {
  const text =
    `[The call ended, but its result of about ${characters} characters was not recorded: ` +
    `at most ${MAX_RESULT_CHARACTERS} are kept.]`;
  const meta = isRecord(result['_meta']) ? result['_meta'] : {};
  return {
    content: [{ type: 'text', text }],
    ...(result.isError !== undefined && { isError: result.isError }),
    _meta: { ...meta, 'inboard/not-recorded': { characters, limit: MAX_RESULT_CHARACTERS } },
  };
}
