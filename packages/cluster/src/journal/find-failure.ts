// Decides which outcomes of turns count as failures. A turn that a person stopped is no failure.
import type { ConversationFailure, TurnOutcome } from './records.js';

/** The failure that a conversation shows after a turn has ended. `before` is the failure that it showed until then. */
export function findFailure(
  turn: string,
  { ok, kind, error }: TurnOutcome,
  before?: ConversationFailure,
): ConversationFailure | undefined {
  if (kind === 'cancelled') return before;
  if (ok || kind === 'interrupted') return undefined;
  return { turn, kind, ...(error && { code: error.code }) };
}
