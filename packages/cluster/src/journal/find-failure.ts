// Which ends of turns are failures: what a person stopped is none.
import type { ConversationFailure, TurnOutcome } from './records.js';

/** The failure that a conversation shows after a turn has ended so; `before` is what it showed until then. */
export function findFailure(
  turn: string,
  { ok, kind, error }: TurnOutcome,
  before?: ConversationFailure,
): ConversationFailure | undefined {
  if (kind === 'cancelled') return before;
  if (ok || kind === 'interrupted') return undefined;
  return { turn, kind, ...(error && { code: error.code }) };
}
