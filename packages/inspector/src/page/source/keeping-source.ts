// A source that keeps what was read from a running program, and goes on answering from that when the program has ended.
import { numberOf } from '../../stream/event-codec.js';
import type { PageListener, PageSource } from '../page-source.js';
import { KeptLines } from './kept-lines.js';

/** Keeps what is read from a source. Recordings stay where they are; `hasProgram` is asked at each reading. */
export function keepWhatIsRead(source: PageSource, hasProgram: () => boolean): PageSource {
  const kept = new KeptLines();
  let isGone = false;
  const listen = (listener: PageListener, session: string | undefined): PageListener => ({
    ...listener,
    event: (line) => {
      if (session !== undefined && hasProgram()) kept.push(session, [line]);
      listener.event(line);
    },
    connection: (state) => {
      isGone = state === 'gone';
      listener.connection(state);
    },
  });
  return {
    ...source,
    kept,
    read: async (session, after, limit) => {
      try {
        const batch = await source.read(session, after, limit);
        if (hasProgram()) kept.push(session, batch.lines);
        return batch;
      } catch (error) {
        const lines = isGone ? kept.after(session, after) : undefined;
        if (!lines) throw error;
        return { lines, next: undefined, total: lines.length };
      }
    },
    readWhole: async (session, n) => {
      try {
        return await source.readWhole(session, n);
      } catch (error) {
        const line = isGone ? kept.after(session, n - 1)?.[0] : undefined;
        if (line === undefined || numberOf(line) !== n) throw error;
        return line;
      }
    },
    follow: (at, listener) => source.follow(at, listen(listener, at.session)),
  };
}
