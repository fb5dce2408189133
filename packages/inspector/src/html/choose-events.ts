// Chooses the events that go into a self-contained page: of a long run, the beginning and the end. A sentence between them
// says what is missing and how to see it.
import { embedJson } from '../model/embed-json.js';
import { formatBytes, formatExact } from '../model/format.js';
import { encodeNumbered } from '../stream/event-codec.js';
import type { EventReader } from './timeline-events.js';

/** How much a page holds. */
export interface PageLimits {
  maxEvents: number;
  maxBytes: number;
  /** The file in which the rest can be seen. */
  file: string | undefined;
}

/** What goes into the page: lines as JSON texts that can be embedded. */
export interface ChosenEvents {
  lines: string[];
  /** A sentence about what was left out; undefined if everything goes in. */
  leftOut: string | undefined;
}

/** Takes events from the beginning and from the end, each up to half of the limits. */
export function chooseEvents(reader: EventReader, limits: PageLimits): ChosenEvents {
  const beginning = takeFrom(reader, limits, { from: 0, step: 1, until: reader.count });
  const backwards = { from: reader.count - 1, step: -1, until: beginning.length - 1 } as const;
  const end = takeFrom(reader, limits, backwards).toReversed();
  const missing = reader.count - beginning.length - end.length;
  if (missing === 0) return { lines: [...beginning, ...end], leftOut: undefined };
  const leftOut = describeMissing(missing, beginning.length + 1, limits);
  const mark = encodeNumbered({
    // The mark has the number of the first missing event.
    n: beginning.length + 1,
    s: reader.session,
    event: { type: 'warning', t: reader.timeAt(beginning.length), code: 'LEFT_OUT', message: leftOut },
  });
  return { lines: [...beginning, embedJson(mark), ...end], leftOut };
}

function takeFrom(
  reader: EventReader,
  { maxEvents, maxBytes }: PageLimits,
  { from, step, until }: { from: number; step: 1 | -1; until: number },
): string[] {
  const taken: string[] = [];
  const half = step === 1 ? Math.ceil(maxEvents / 2) : Math.floor(maxEvents / 2);
  let bytes = 0;
  for (let index = from; index !== until && taken.length < half; index += step) {
    const line = embedJson(reader.lineAt(index));
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes / 2) break;
    taken.push(line);
  }
  return taken;
}

function describeMissing(missing: number, first: number, { maxEvents, maxBytes, file }: PageLimits): string {
  const what = missing === 1 ? '1 event is' : `${formatExact(missing)} events are`;
  const last = missing === 1 ? '' : ` to ${formatExact(first + missing - 1)}`;
  const range = `${what} left out, ${formatExact(first)}${last}`;
  const why = `this page holds ${formatExact(maxEvents)} events or ${formatBytes(maxBytes)}`;
  const name = file === undefined ? '<trace file>' : quoteForShell(file);
  return `${range}: ${why}. See all of them with: inboard inspect ${name}`;
}

function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
