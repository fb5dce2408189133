// How the events of a turn tell of calls that were cut off and completed: a message of its own, before the results.
import { isRecord } from '@inboard/core/util/guards.js';
import type { ClusterEvent, TurnOutcome } from './records.js';

/** A call, without what it was called with: the message that made it has that. */
export type ToldCall = NonNullable<TurnOutcome['completedCalls']>[number];

/** The subtype of that message. A type of event of its own would be misread by workers and pages of earlier versions. */
export const COMPLETED_CALLS = 'inboard_completed_calls';

/** The calls that an event tells of. */
export function readCompletedNote(event: ClusterEvent): ToldCall[] {
  if (event.type !== 'message' || !isRecord(event.message)) return [];
  const { type, subtype, calls } = event.message;
  const isNote = type === 'system' && subtype === COMPLETED_CALLS && Array.isArray(calls);
  return isNote ? (calls as ToldCall[]) : [];
}
