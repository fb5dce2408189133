// Ends a turn in the journal in memory, whether its worker finished it, or it was cancelled, or interrupted while parked.
import { findFailure } from '../find-failure.js';
import type { TurnOutcome, TurnRecord } from '../records.js';
import { addTurnEvent } from './events.js';
import { countCost } from './limits.js';
import { openQuestions, type MemoryState, type StoredConversation } from './memory-state.js';
import { dropReservation } from './reservations.js';

/** Ends a turn, and removes its open questions. */
export function endStoredTurn(
  state: MemoryState,
  conversation: StoredConversation,
  turn: TurnRecord,
  { epoch, outcome }: { epoch: number; outcome: TurnOutcome },
): void {
  countCost(state, conversation, turn, outcome.turnCostUsd - turn.turnCostUsd);
  turn.state = 'ended';
  turn.endedAt = state.now();
  turn.outcome = outcome;
  conversation.failure = findFailure(turn.id, outcome, conversation.failure);
  const open = openQuestions(conversation, turn.id);
  for (const { id } of open) {
    state.questions.delete(id);
    conversation.questions.delete(id);
  }
  if (open.length > 0) state.changes.tell(turn.key, 'answer');
  addTurnEvent(state, conversation, turn, epoch);
  state.changes.tell(turn.key, 'ended');
  if (conversation.reservation?.turn === turn.id) dropReservation(state, conversation);
}
