// Finds the records of a call of the transcript, also of one that an older version of this library counted differently. A model that is told that its call
// did not run, or has an unknown outcome, may make it again. Older versions gave that new call another number.
import { familyOfKey } from '../../../live/tooling/call-key.js';
import type { KnownCalls, KnownCallState } from '../../../record/calls/fold-facts.js';
import { canonicalJson } from '../../../util/canonical-json.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';

/** A call as the transcript shows it. */
interface MadeCall extends CallIdentity {
  readonly toolUseId: string;
}

/**
 * Returns the calls, each under the key of its records. `keys` has the keys of all calls of the turn. Records under any other
 * key, of the same tool and input, can only belong to a call that was made again.
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

/** What is known of a call of the transcript. */
export function findCall(
  known: KnownCalls,
  { toolUseId, callKey }: Pick<MadeCall, 'toolUseId' | 'callKey'>,
): KnownCallState | undefined {
  return known.findByToolUseId(toolUseId) ?? known.get(callKey);
}

/** The input that a call ran with; undefined where it is what the model asked for. */
export function findEdit(
  { input }: { readonly input: Record<string, unknown> },
  ran: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  return ran && canonicalJson(ran) !== canonicalJson(input) ? ran : undefined;
}
