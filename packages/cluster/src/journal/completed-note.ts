// The message in a turn's events that tells which calls were cut off and completed. It stands before their results.
import { isRecord } from '@inboard/core/util/guards.js';
import type { ClusterEvent, TurnOutcome } from './records.js';

/** A completed call without its input, which is in the message that made the call. */
export type ToldCall = NonNullable<TurnOutcome['completedCalls']>[number];

/** The subtype of that message. Workers and pages of earlier versions would misread a new type of event. */
export const COMPLETED_CALLS = 'inboard_completed_calls';

/** The calls that an event tells of. */
export function readCompletedNote(event: ClusterEvent): ToldCall[] {
  if (event.type !== 'message' || !isRecord(event.message)) return [];
  const { type, subtype, calls } = event.message;
  const isNote = type === 'system' && subtype === COMPLETED_CALLS && Array.isArray(calls);
  return isNote ? (calls as ToldCall[]) : [];
}
