// Searches for a text in the whole lines of a session. The model of a session keeps no lines, so they are read from the source,
// part by part. For an event that was cut, the whole line is read.
import { decodeNumbered, numberOf } from '../../../stream/event-codec.js';
import type { PageSource } from '../../page-source.js';

export interface LineSearch {
  source: PageSource;
  session: string;
  text: string;
  /** Is called after each part with the numbers of the events found so far, and how much was read, from 0 to 1. */
  onProgress: (found: ReadonlySet<number>, part: number) => void;
  /** Whether the search is no longer wanted. */
  isOver: () => boolean;
}

const BATCH = 2000;

/** Resolves when all was read or `isOver` is true; rejects if the source cannot be read. */
export async function searchLines({ source, session, text, onProgress, isOver }: LineSearch): Promise<void> {
  // The lines are JSON, in which quotes and line feeds of the text are escaped.
  const written = JSON.stringify(text).slice(1, -1).toLowerCase();
  const found = new Set<number>();
  let after: number | undefined = 0;
  let read = 0;
  while (after !== undefined && !isOver()) {
    const { lines, next, total } = await source.read(session, after, BATCH);
    for (const line of lines) {
      if (isOver()) return;
      const whole = isCut(line) ? await source.readWhole(session, numberOf(line)) : line;
      if ((whole ?? line).toLowerCase().includes(written)) found.add(numberOf(line));
    }
    read += lines.length;
    after = next;
    if (!isOver()) onProgress(found, after === undefined ? 1 : Math.min(0.99, read / (total ?? read * 2)));
  }
}

function isCut(line: string): boolean {
  return line.includes('"isCut":true') && decodeNumbered(line)?.isCut === true;
}
