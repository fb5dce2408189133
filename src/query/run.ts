// A query as one awaited value: run it to its end and judge the result.
import { IncompleteRunError, ResultError, RunError } from '../errors.js';
import type { SDKMessage } from '../protocol/messages.js';
import { outcomeOf, type Outcome } from './outcome.js';
import { query, type QueryInput } from './query.js';

/** What to run, and who watches. */
export interface RunInput extends QueryInput {
  /** Sees every message as it comes; what it throws ends the run and is thrown by it. */
  onMessage?: (message: SDKMessage) => void | Promise<void>;
}

/** The last turn's outcome, and those of all turns. */
export interface RunOutcome extends Outcome {
  all: Outcome[];
}

/** Runs a query to its end. Throws a RunError, with the outcome, for the first turn that did not end well. */
export async function run({ onMessage, ...input }: RunInput): Promise<RunOutcome> {
  const all: Outcome[] = [];
  try {
    for await (const message of query(input)) {
      if (message.type === 'result') all.push(outcomeOf(message));
      await onMessage?.(message);
    }
  } catch (error) {
    // The bad result is already among the outcomes, where it says more.
    if (!(error instanceof ResultError)) throw error;
  }
  const bad = all.find((outcome) => !outcome.ok);
  if (bad) {
    throw new RunError(`The run ended as "${bad.kind}" (${bad.reason})${bad.text && `: ${bad.text}`}`, bad, {
      retryable: bad.retryable,
    });
  }
  const last = all.at(-1);
  if (!last)
    throw new IncompleteRunError('The run ended without a result: the prompt gave no message to answer');
  return { ...last, all };
}
