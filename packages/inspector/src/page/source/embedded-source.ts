// Reads the data that is embedded in the page, which was opened from disk.
import type { EventBatch, ServerState } from '../../model/page-contract.js';
import { numberOf } from '../../stream/event-codec.js';
import type { PageSource } from '../page-source.js';

/** The data that `trace html` writes into the page. */
export interface EmbeddedData {
  state: ServerState;
  /** Encoded events by session. */
  events: Record<string, string[]>;
}

const READ_ONLY = { code: 'FILE', message: 'This page is a file: nothing runs behind it.' };

/** The source of a page that is a file. */
export function createEmbeddedSource({ state, events }: EmbeddedData): PageSource {
  const numbers = new Map<string, number[]>();
  /** The numbers of a session's lines: ascending, with gaps where lines were left out. */
  const numbersOf = (session: string): number[] => {
    let known = numbers.get(session);
    if (!known) numbers.set(session, (known = linesOf(session).map(numberOf)));
    return known;
  };
  const linesOf = (session: string): string[] => events[session] ?? [];
  return {
    kind: 'embedded',
    state: async () => state,
    read: async (session, after, limit): Promise<EventBatch> => {
      const known = numbersOf(session);
      const first = countUpTo(known, after);
      const lines = linesOf(session).slice(first, first + limit);
      const isWhole = first + lines.length >= known.length;
      return { lines, next: isWhole ? undefined : known[first + lines.length - 1], total: known.length };
    },
    readWhole: async (session, n) => {
      const known = numbersOf(session);
      const place = countUpTo(known, n) - 1;
      return known[place] === n ? linesOf(session)[place] : undefined;
    },
    follow: (_at, listener) => {
      listener.connection('live');
      return () => {};
    },
    act: async () => ({ ok: false, error: READ_ONLY }),
  };
}

/** How many of the ascending numbers are at most `most`. */
function countUpTo(ascending: readonly number[], most: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
