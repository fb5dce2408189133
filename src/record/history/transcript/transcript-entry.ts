// One line of a transcript. The CLI grows faster than we do, so an entry is an object and nothing more is
// taken for granted.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';

/** A parsed line. */
export type Entry = WireObject;

/** Parses a line; undefined for what is no JSON object, such as a line that was not written to its end. */
export function parseEntry(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Entries as the text of a transcript. */
export function encodeEntries(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
