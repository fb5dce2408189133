// The texts about a turn that goes on: those for the model, and the warnings about calls that could not be completed.
import { InboardError } from '../../errors.js';
import {
  CONTINUATION_START,
  describeTurn,
  type LastTurn,
} from '../../record/history/transcript/transcript-state.js';
import type { WarningReporter } from '../../options/check/warning-reporter.js';
import { canonicalJson } from '../../util/canonical-json.js';
import type { CompletedCall } from '../../wire/protocol/messages/completed-call.js';

/** Tells the model to go on, and which calls may or may not have had effects. Newer CLIs say the same by themselves. */
export function describeCut(last: LastTurn | undefined): string {
  const state = describeTurn(last);
  const open = state.state === 'interrupted' ? state.openCalls : [];
  const lines = open.map(({ toolName, input }) => `- ${toolName} ${canonicalJson(input)}`);
  const unknown =
    lines.length === 0 ? [] : ['These calls were under way, and their outcome is unknown:', ...lines];
  return [CONTINUATION_START, ...unknown, 'Continue where you left off.'].join('\n');
}

/** The warning that calls of a turn that was cut off stay without their results. */
export function notCompleted(why: string, cause?: unknown): InboardError {
  const message = `Calls that were cut off could not be completed; ${why}`;
  return new InboardError('CALLS_NOT_COMPLETED', message, { cause, retryable: true });
}

/** Warns of results that are known, but that the CLI would not find in its transcript. */
export function nameUndelivered(calls: readonly CompletedCall[], warnings: WarningReporter): void {
  const lost = calls.filter(({ delivered, how }) => !delivered && how !== 'unknown');
  if (lost.length === 0) return;
  const named = lost.map(
    ({ toolName, reason }) => `${toolName}${reason === undefined ? '' : ` (${reason})`}`,
  );
  warnings.report(notCompleted(`their results were not written: ${named.join(', ')}`));
}
