// Writes one fact about a call. A fact that cannot be stored is reported, and the call goes on unrecorded, unless it must not run twice.
import { isFatal } from '../../../record/history/store/call-store.js';
import { isThenable } from '../../../util/guards.js';
import type { CallFact, CallRecords } from '../../../wire/protocol/config/call-records.js';
import { NOT_RECORDED } from './result-texts.js';

export interface FactWriting {
  readonly records: CallRecords;
  readonly onFailure: (error: unknown) => void;
  readonly onStored?: (() => void) | undefined;
}

/** Stores a fact, and reports a failure. */
export function addFact(writing: FactWriting, fact: CallFact): void | Promise<void> {
  const { records, onFailure, onStored } = writing;
  try {
    const stored = records.add(fact);
    if (isThenable(stored)) return stored.then(onStored, onFailure);
    onStored?.();
  } catch (error) {
    onFailure(error);
  }
}

/**
 * Stores a fact before a handler goes on. Rejects where the store accepts nothing from this process any more, because another
 * process has the conversation then, and may run the call. If `isVital`, it rejects for every failure, because without the fact the
 * handler might run a second time.
 */
export function requireFact(writing: FactWriting, fact: CallFact, isVital = false): void | Promise<void> {
  let refusal: { error: unknown } | undefined;
  const onFailure = (error: unknown): void => {
    if (isFatal(error)) refusal = { error };
    else if (isVital) refusal = { error: new Error(NOT_RECORDED, { cause: error }) };
    writing.onFailure(error);
  };
  const stored = addFact({ ...writing, onFailure }, fact);
  if (!stored && !refusal) return undefined;
  return Promise.resolve(stored).then(() => {
    if (refusal) throw refusal.error;
  });
}
