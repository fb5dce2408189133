// Decides which facts a growing place can drop: those of calls that were settled, and delivered, before the last turn
// began.
import type { CallFact } from '../../wire/protocol/config/call-records.js';
import { foldFacts } from './fold-facts.js';

/**
 * The facts that are still needed, in their order. A `covers` fact is written when a turn begins. The facts of a call
 * can go when the call ended, or its question was withdrawn, before the last `covers` fact, and `isDelivered` says that
 * the transcript has its result. Earlier `covers` facts go as well: they would say of a call without facts that it
 * never began.
 */
export function compactFacts(
  facts: readonly CallFact[],
  isDelivered: (callKey: string) => boolean,
): CallFact[] {
  const last = facts.findLastIndex(({ type }) => type === 'covers');
  if (last <= 0) return [...facts];
  const before = foldFacts(facts.slice(0, last));
  const recent = new Set(facts.slice(last).flatMap((fact) => (fact.type === 'covers' ? [] : [fact.callKey])));
  const isSettled = (callKey: string): boolean => {
    const call = before.get(callKey);
    // Only its end settles a call that has begun, whatever became of its question.
    return call?.ended !== undefined || (call?.withdrawn !== undefined && call.begun === undefined);
  };
  const canGo = new Map<string, boolean>();
  const isNeeded = (callKey: string): boolean => {
    let goes = canGo.get(callKey);
    goes ??= !recent.has(callKey) && isSettled(callKey) && isDelivered(callKey);
    canGo.set(callKey, goes);
    return !goes;
  };
  return facts.filter((fact, index) => index >= last || (fact.type !== 'covers' && isNeeded(fact.callKey)));
}
