// Describes in a few words what a session without a CLI waits for.
import type { WaitedFor } from '../stream/inspector-event.js';

/** Said of every session that has no CLI because it needs none. */
export const NO_CLI = 'no CLI runs meanwhile';

const WAITS: Readonly<Record<WaitedFor, string>> = {
  person: 'waits for a person',
  pending: 'waits for the result of a call',
  detached: 'a tool runs',
};

/** What is waited for: "waits for a person, a tool runs". */
export function describeWaits(waitsFor: readonly WaitedFor[]): string {
  // A later version may name something else.
  const known = waitsFor.map((what) => WAITS[what] ?? `waits for ${what}`);
  return known.length === 0 ? 'ready for the next message' : known.join(', ');
}
