// Reads what stands in the page itself: a file that was opened from disk.
import type { EventBatch, ServerState } from '../../model/page-contract.js';
import type { PageSource } from '../page-source.js';

/** What `trace html` writes into the page. */
export interface EmbeddedData {
  state: ServerState;
  /** Encoded events by session. */
  events: Record<string, string[]>;
}

const READ_ONLY = { code: 'FILE', message: 'This page is a file: nothing runs behind it.' };

/** The source of a page that is a file. */
export function createEmbeddedSource({ state, events }: EmbeddedData): PageSource {
  const lineOf = (session: string, n: number): string | undefined =>
    events[session]?.find((line) => (JSON.parse(line) as { n: number }).n === n);
  return {
    kind: 'embedded',
    state: async () => state,
    read: async (session, after, limit): Promise<EventBatch> => {
      const lines = (events[session] ?? []).slice(after, after + limit);
      const next = after + lines.length;
      const total = events[session]?.length ?? 0;
      return { lines, next: next < total ? next : undefined, total };
    },
    readWhole: async (session, n) => lineOf(session, n),
    follow: (_at, listener) => {
      listener.connection('live');
      return () => {};
    },
    act: async () => ({ ok: false, error: READ_ONLY }),
  };
}
