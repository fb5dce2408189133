// Writes one fact about a call. A fact that cannot be stored is reported, and the call goes on unrecorded.
import { isFatal } from '../../../record/history/store/call-store.js';
import { isThenable } from '../../../util/guards.js';
import type { CallFact, CallRecords } from '../../../wire/protocol/config/call-records.js';

export interface FactWriting {
  readonly records: CallRecords;
  readonly onFailure: (error: unknown) => void;
}

/** Stores a fact, and reports a failure. */
export function addFact({ records, onFailure }: FactWriting, fact: CallFact): void | Promise<void> {
  try {
    const stored = records.add(fact);
    return isThenable(stored) ? stored.then(undefined, onFailure) : undefined;
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

/**
 * Stores a fact before a handler goes on. Rejects where the store accepts nothing from this process any more, because another
 * process has the conversation then, and may run the call.
 */
export function requireFact({ records, onFailure }: FactWriting, fact: CallFact): void | Promise<void> {
  let refusal: { error: unknown } | undefined;
  const stored = addFact(
    {
      records,
      onFailure: (error) => {
        if (isFatal(error)) refusal = { error };
        onFailure(error);
      },
    },
    fact,
  );
  return stored?.then(() => {
    if (refusal) throw refusal.error;
  });
}
