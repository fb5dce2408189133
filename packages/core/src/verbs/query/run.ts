// Owns `run`, which runs a query to its end, checks the results and returns the outcome.
import { AbortError, IncompleteRunError, ResultError } from '../../errors.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import { measuredOutcomeOf, runErrorOf, type Outcome } from '../../live/output/outcome.js';
import { TurnMeter } from '../../record/usage/turn-meter.js';
import type { McpServers, WithContext } from '../../live/tooling/context-option.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import { attachAbortedRun } from './aborted-run.js';
import { readQueryInput } from './query-input.js';
import { query, type QueryInput } from './query.js';

/** What to run, and what to call for each message. */
export interface RunInput<Schema extends AnySchema = AnySchema> extends QueryInput<Schema> {
  /** Called with every message as it arrives. If it throws, the run ends and rejects with that error. */
  onMessage?: ((message: SDKMessage) => void | Promise<void>) | undefined;
}

/** The last turn's outcome, and those of all turns. */
export interface RunOutcome<Output = unknown> extends Outcome {
  all: Outcome[];
  /** The last turn's answer, parsed with the schema in the option `output`. Undefined without that option. */
  output: Output;
}

/**
 * Runs a query to its end and resolves with its outcome: the text of the answer, its cost, its structured output. Rejects with
 * a RunError, which has the outcome, for the first turn that failed. Rejects with an OutputValidationError for an answer that
 * does not match the option `output`, and with an AbortError, whose `outcome` has the turns so far, when its signal aborts.
 * @example
 * ```ts
 * const { text, turnCostUsd } = await run({ prompt: 'Say hello.' });
 * console.log(text, turnCostUsd);
 * ```
 */
export async function run<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
>(input: RunInput<Schema> & WithContext<Servers>): Promise<RunOutcome<OutputOf<Schema>>> {
  const all: Outcome[] = [];
  const { prompt, options } = readQueryInput('run', input);
  const { onMessage } = input;
  const meter = new TurnMeter();
  const session = query<Schema>({ prompt, options });
  let sessionId: string | undefined;
  try {
    for await (const message of session) {
      sessionId = message.session_id ?? sessionId;
      if (message.type === 'result') all.push(measuredOutcomeOf(message, meter.measure(message)));
      await onMessage?.(message);
    }
  } catch (error) {
    if (
      error instanceof AbortError &&
      options.abortController?.signal.aborted === true &&
      !('outcome' in error)
    )
      attachAbortedRun(error, session.usageReport(), { all, sessionId });
    // The failed result is already among the outcomes, with more detail.
    if (!(error instanceof ResultError)) throw error;
  }
  const bad = all.find((outcome) => !outcome.ok);
  if (bad) throw runErrorOf('run', bad);
  const last = all.at(-1);
  if (!last)
    throw new IncompleteRunError('The run ended without a result: the prompt contained no message to answer');
  const output = options.output === undefined ? undefined : await session.output();
  return { ...last, all, output: output as OutputOf<Schema> };
}
