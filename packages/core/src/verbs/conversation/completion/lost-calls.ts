// Finds the calls of a turn that have begun but are not in its transcript. A CLI that is killed in the first moments of a call has
// not saved it yet. The model does not know of the call, and may make it again.
import { CallLedger } from '../../../live/tooling/call-ledger.js';
import { nameTurn } from '../../../live/tooling/call-key.js';
import type { KnownCalls, KnownCallState } from '../../../record/calls/fold-facts.js';
import type { LastTurn } from '../../../record/history/transcript/transcript-state.js';

/** A call of which only the records know. */
export type LostCall = KnownCallState & { readonly toolName: string };

/**
 * The lost calls of this turn. A record belongs to the turn if the next equal call of the turn would get its key. `message` is the name of
 * the message that began it.
 */
export function findLostCalls(
  sessionId: string,
  last: LastTurn,
  known: KnownCalls,
  message = nameTurn(last),
): LostCall[] {
  const ids = new Set(last.calls.map(({ toolUseId }) => toolUseId));
  const saved = CallLedger.identifyAll(sessionId, message, last.calls);
  const keys = new Set([...saved.values()].map(({ callKey }) => callKey));
  const begun = known
    .list()
    .filter(
      (call): call is LostCall =>
        call.begun !== undefined &&
        call.toolName !== undefined &&
        !keys.has(call.callKey) &&
        !ids.has(call.toolUseId ?? ''),
    );
  const asMade = begun.map(({ callKey, toolName, input }) => ({
    toolUseId: callKey,
    toolName,
    input,
    hasEnded: true,
  }));
  const identities = CallLedger.identifyAll(sessionId, message, [...last.calls, ...asMade]);
  return begun.filter(({ callKey }) => identities.get(callKey)?.callKey === callKey);
}
