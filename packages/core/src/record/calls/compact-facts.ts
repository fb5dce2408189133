// Decides which facts about calls can be dropped, so that the records do not grow forever. They are the facts of calls
// that were settled before the last turn began and whose results were delivered.
import type { CallFact } from '../../wire/protocol/config/call-records.js';
import { foldFacts, isOpenPending } from './fold-facts.js';

/**
 * The facts that are still needed, in their order. A `covers` fact is written when a turn begins. It states that every
 * call of that turn is recorded, so a call of that turn without facts never began.
 *
 * The facts of a call can go when the call was settled before the last `covers` fact, and `isDelivered` says that the
 * transcript has its result. The earlier `covers` facts go as well. If they stayed, a call whose facts were dropped would
 * count as never begun.
 */
export function compactFacts(
  facts: readonly CallFact[],
  isDelivered: (callKey: string) => boolean,
): CallFact[] {
  const last = facts.findLastIndex(({ type }) => type === 'covers');
  if (last <= 0) return [...facts];
  // Two processes that complete the same call find out by the order of the facts which one was first. A log that is replaced
  // at that moment could show them two different orders.
  if (foldFacts(facts).list().some(isOpenPending)) return [...facts];
  const before = foldFacts(facts.slice(0, last));
  const recent = new Set(facts.slice(last).flatMap((fact) => (fact.type === 'covers' ? [] : [fact.callKey])));
  const isSettled = (callKey: string): boolean => {
    const call = before.get(callKey);
    // A call that has begun is settled only by its end. The withdrawal of its question does not settle it.
    if (call?.pending?.withdrawnAt !== undefined) return true;
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
