// The message in a turn's events that tells which calls were cut off and completed. It comes before the results of those calls.
import { isRecord } from '@inboard/core/util/guards.js';
import type { ClusterEvent, TurnOutcome } from './records.js';

/** A completed call without its input, which is in the message that made the call. */
export type ToldCall = NonNullable<TurnOutcome['completedCalls']>[number];

/**
 * The subtype of that message. A new type of event would not do, because workers and pages of earlier versions would misread
 * it.
 */
export const COMPLETED_CALLS = 'inboard_completed_calls';

/** The calls that an event tells of. */
export function readCompletedNote(event: ClusterEvent): ToldCall[] {
  if (event.type !== 'message' || !isRecord(event.message)) return [];
  const { type, subtype, calls } = event.message;
  const isNote = type === 'system' && subtype === COMPLETED_CALLS && Array.isArray(calls);
  return isNote ? (calls as ToldCall[]) : [];
}
