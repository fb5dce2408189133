// Collects the metadata of an answer: session, model, tokens, cost.
import type { Outcome } from '@inboard/core/live/output/outcome.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { isThenable } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { UiMetadata } from './ui-chunk.js';

/** The metadata that the page gets. Undefined if it gets none. */
export function metadataOf(
  known: UiMetadata,
  outcome: Outcome | undefined,
  choose: false | ((metadata: UiMetadata) => unknown) | undefined,
): unknown {
  if (choose === false) return undefined;
  const metadata = withoutUndefined({ ...known, ...(outcome && measure(outcome)) });
  if (!choose) return Object.keys(metadata).length > 0 ? metadata : undefined;
  let chosen: unknown;
  callListener(
    () => {
      const given = choose(metadata);
      // A promise is not waited for, but its failure is reported.
      if (isThenable(given)) return given;
      // A value that cannot be written as JSON would end the stream later.
      const json = stringifyDeep(given);
      chosen = json === undefined ? undefined : (JSON.parse(json) as unknown);
      return undefined;
    },
    (cause) => warnOfCallback('metadata', cause),
  );
  return chosen;
}

function measure({ sessionId, turnUsage, turnCostUsd, totalCostUsd, durationMs }: Outcome): UiMetadata {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = turnUsage;
  return {
    sessionId,
    usage: {
      inputTokens,
      outputTokens,
      cacheReadInputTokens,
      cacheCreationInputTokens,
      totalTokens: inputTokens + outputTokens + cacheReadInputTokens + cacheCreationInputTokens,
    },
    turnCostUsd: turnCostUsd,
    totalCostUsd,
    durationMs,
  };
}
