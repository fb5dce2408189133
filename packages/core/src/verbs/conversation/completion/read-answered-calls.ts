// Reads from the call records of a saved session which calls a person or the program decided about, so that a page can show what
// ran and why a call was denied. The transcript has neither.
import { withoutUndefined } from '../../../util/without-undefined.js';
import { readFacts, type UnfinishedTurnInput } from './read-unfinished-turn.js';

/** A call that was decided about. */
export interface AnsweredCall {
  readonly callKey: string;
  /** The input that the call was allowed with, if the answer had one. It may be the same as what the model asked for. */
  readonly allowedInput?: Record<string, unknown>;
  /** Why it was denied; undefined if it was allowed. */
  readonly denial?: string;
  readonly by?: string;
}

/** The calls that were decided about, by the ids that the model gave them. Rejects with the error of the records. */
export async function readAnsweredCalls(
  session: UnfinishedTurnInput,
): Promise<ReadonlyMap<string, AnsweredCall>> {
  const calls = new Map<string, AnsweredCall>();
  for (const { callKey, toolUseId, answered } of (await readFacts(session)).list()) {
    if (toolUseId === undefined || !answered) continue;
    const { answer, by } = answered;
    calls.set(
      toolUseId,
      withoutUndefined({
        callKey,
        allowedInput: answer.behavior === 'allow' ? answer.updatedInput : undefined,
        denial: answer.behavior === 'deny' ? answer.message : undefined,
        by,
      }),
    );
  }
  return calls;
}
