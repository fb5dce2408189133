// How large messages of a conversation may be. Temporal refuses a payload of more than 2 MB, and the task of a workflow that hands on a
// larger one fails again and again. So all that a new run takes over together must stay below that: the turns, the answers, and what
// the turn at work waits for.

/** Bytes as JSON of a turn that the client sends. */
export const MOST_TURN_BYTES = 500_000;
/** Bytes as JSON of all turns that have not ended. */
export const MOST_INBOX_BYTES = 1_000_000;
/** Bytes as JSON of all answers to the questions of one turn. */
export const MOST_ANSWERS_BYTES = 400_000;
/** Bytes as JSON of what an attempt returns: its outcome, or the questions and pending calls. */
export const MOST_END_BYTES = 500_000;
const MOST_CARRIED_BYTES = 2_000_000;

/** The UTF-8 bytes of a value as JSON. */
export function countBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Leaves out what a new run cannot take over: the oldest outcomes first, and then the ids of the turns that ended first. */
export function dropOldEnds<End extends { id: string }, Carried extends { ended: End[] }>(
  carried: Carried,
): Carried & { ended: (End | { id: string })[] } {
  // Each is counted once: the code of a workflow must not work for long.
  const sizes = carried.ended.map((end) => countBytes(end) + 1);
  let total = countBytes({ ...carried, ended: [] }) + sizes.reduce((sum, size) => sum + size, 0);
  const ended: (End | { id: string })[] = [...carried.ended];
  for (const [at, { id }] of carried.ended.entries()) {
    if (total <= MOST_CARRIED_BYTES) break;
    const size = countBytes({ id }) + 1;
    total += size - (sizes[at] ?? 0);
    sizes[at] = size;
    ended[at] = { id };
  }
  while (ended.length > 0 && total > MOST_CARRIED_BYTES) {
    ended.shift();
    total -= sizes.shift() ?? 0;
  }
  return { ...carried, ended };
}
