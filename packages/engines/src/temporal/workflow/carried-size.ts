// How large a conversation may be when a new run of its workflow takes it over. Temporal refuses an input of more than 2 MB.

/** The turns that wait may have this many bytes. One more is refused. */
const MOST_INBOX_BYTES = 1_000_000;
const MOST_CARRIED_BYTES = 1_500_000;

/** Whether one more turn fits into the inbox. */
export function hasRoom(inbox: readonly unknown[], message: unknown): boolean {
  return countBytes([...inbox, message]) <= MOST_INBOX_BYTES;
}

/** Whether a new run can take this over. */
export function isCarriable(carried: object): boolean {
  return countBytes(carried) <= MOST_CARRIED_BYTES;
}

/** Leaves out the oldest outcomes that a new run cannot take over. */
export function dropOldEnds<End, Carried extends { ended: End[] }>(carried: Carried): Carried {
  const ended = [...carried.ended];
  while (ended.length > 0 && !isCarriable({ ...carried, ended })) ended.shift();
  return { ...carried, ended };
}

function countBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
