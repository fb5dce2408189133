// Answers calls that an earlier attempt began, as the `onRepeat` of their tools says. It also keeps every handler from running once
// the attempt has lost its fence. The workers of a cluster decide in the same way.
import { errorResult } from '@inboard/core/answer/mcp/result/content-helpers.js';
import type { AroundTool, AroundToolCall } from '@inboard/core/answer/mcp/tool/tool-events.js';
import type { KnownCalls, KnownCallState } from '@inboard/core/record/calls/fold-facts.js';

/** The text that the model reads about a call whose outcome is unknown. */
const OUTCOME_UNKNOWN =
  'This call was started before, but the process that ran it died. Its outcome is unknown: it may have taken effect. ' +
  'It was not run again. Check before you repeat it.';

export interface RepeatedCallsInput {
  /** What earlier attempts recorded. */
  readonly known: KnownCalls;
  /** Throws once the attempt must not run anything any more. */
  readonly demand: () => void;
  /** The agent's own `aroundTool`. */
  readonly aroundTool: AroundTool | undefined;
}

/** The option `aroundTool` of an attempt's session. */
export function createAroundTool({ known, demand, aroundTool }: RepeatedCallsInput): AroundTool {
  return async (call, run) => {
    demand();
    const earlier = repeatCall(call, known.get(call.callKey));
    if (earlier !== undefined) return earlier;
    if (!aroundTool) return await run();
    return await aroundTool(call, () => {
      // The agent's own function may have taken some time.
      demand();
      return run();
    });
  };
}

/** The answer to a call that was begun before. Undefined if the call runs. */
export function repeatCall(
  { onRepeat }: Pick<AroundToolCall, 'onRepeat'>,
  known: KnownCallState | undefined,
): object | undefined {
  if (!known?.begun) return undefined;
  const { isWaiting, ended } = known;
  return decideRepeat(onRepeat, { isWaiting, result: ended?.result }).result;
}

/** What becomes of a call that is made again. `result` is its answer, unless the call runs again. */
export type RepeatDecision =
  { answer: 'recorded' | 'unknown'; result: object } | { answer: 'run'; result?: undefined };

/** Decides as the `onRepeat` of the call's tool says. The result is that of the earlier run, if it is known. */
export function decideRepeat(
  onRepeat: AroundToolCall['onRepeat'] = 'unknown',
  { isWaiting, result }: { isWaiting: boolean; result: object | undefined },
): RepeatDecision {
  if (onRepeat === 'run') return { answer: 'run' };
  if (result) return { answer: 'recorded', result };
  // A handler that waited for a person has done nothing yet that must not happen twice.
  if (onRepeat !== 'unknown' || isWaiting) return { answer: 'run' };
  return { answer: 'unknown', result: errorResult(OUTCOME_UNKNOWN) };
}
