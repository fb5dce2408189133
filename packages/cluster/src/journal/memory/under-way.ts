// Finds out, for the journal in memory, whether a turn is under way.
import { ClusterError } from '@inboard/core/errors.js';
import type { TurnRecord } from '../records.js';
import type { StoredConversation } from './memory-state.js';

/** Refuses a turn that has not begun, or has already ended. */
export function requireUnderWay(conversation: StoredConversation, turn: TurnRecord): void {
  if (turn.state === 'running' || turn.state === 'parked') return;
  const { key } = conversation;
  const how = turn.state === 'queued' ? 'has not begun' : 'has ended';
  throw new ClusterError('TURN_UNKNOWN', `The turn "${turn.id}" of the conversation "${key}" ${how}.`, {
    key,
  });
}
