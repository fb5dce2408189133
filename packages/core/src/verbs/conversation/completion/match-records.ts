// Finds what is recorded of a call that another version has counted differently: where the model was told that its call did not run, or
// that nobody knows, and makes it again, versions before this one gave it another number.
import { familyOfKey } from '../../../live/tooling/call-key.js';
import type { KnownCalls } from '../../../record/calls/fold-facts.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';

/** A call as the transcript tells it. */
interface MadeCall extends CallIdentity {
  readonly toolUseId: string;
}

/**
 * The calls, each under the key that something is recorded under. `keys` are those of all calls of the turn: what is recorded under
 * another one, of the same tool and input, can only be of a call that was made again.
 */
export function matchRecords<Call extends MadeCall>(
  calls: readonly Call[],
  keys: ReadonlySet<string>,
  known: KnownCalls,
): Call[] {
  const strays = known
    .list()
    .map(({ callKey }) => callKey)
    .filter((callKey) => !keys.has(callKey));
  return calls.map((call) => {
    if (call.attempt === 1 || known.findByToolUseId(call.toolUseId)) return call;
    const at = strays.findIndex((callKey) => familyOfKey(callKey) === familyOfKey(call.callKey));
    const [callKey] = at < 0 ? [] : strays.splice(at, 1);
    return callKey === undefined ? call : { ...call, callKey };
  });
}
