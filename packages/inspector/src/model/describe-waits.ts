// Describes in a few words what a session without a CLI waits for.
import type { WaitedFor } from '../stream/inspector-event.js';

/** Said of every session that has no CLI because it needs none. */
export const NO_CLI = 'no CLI';

const WAITS: Readonly<Record<WaitedFor, string>> = {
  person: 'waits for a person',
  pending: 'waits for a result',
  detached: 'a tool runs',
};

/** What is waited for: "waits for a person, a tool runs". */
export function describeWaits(waitsFor: readonly WaitedFor[]): string {
  return waitsFor.map((what) => WAITS[what]).join(', ') || 'ready for the next message';
}
