// What is promised of a world in which nothing goes wrong: nothing is lost, troubled or tried again, and nobody waits for long.
import type { ConversationHistory } from '../../../packages/cluster/src/journal/records.js';
import type { Seen } from '../scenes/kit.js';

/** A turn for which there is a place begins within this time. */
const SOON_MS = 1000;

/** What a cluster shows of it. */
export function checkCalmCluster(seen: Seen, histories: readonly ConversationHistory[]): string[] {
  const late = histories.flatMap(({ conversation: { key }, turns }) =>
    turns.flatMap(({ id, sentAt, startedAt = Infinity }, index) => {
      const waited = startedAt - Math.max(sentAt, turns[index - 1]?.endedAt ?? 0);
      return waited > SOON_MS ? [`W the turn ${id} of ${key} began ${waited} ms after it could`] : [];
    }),
  );
  return [...late, ...seen.troubles.map((what) => `W in a calm world: ${what}`)];
}

/** Which sessions had more than one CLI, though each could keep its own. */
export function checkCalmClis(sessions: readonly (string | undefined)[]): string[] {
  const twice = new Set(sessions.filter((session, index) => sessions.indexOf(session) !== index));
  return [...twice].map((session) => `W the session ${session} had a second CLI in a calm world`);
}
