// Makes the text of an error for a visitor: one sentence for each kind of error. The words of the CLI, the API or a program
// stay on the server, unless `onError` passes them on.
import { AbortError, RunError, SessionClosedError } from '@inboard/core/errors.js';
import type { OutcomeKind } from '@inboard/core/live/output/outcome-kind.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';

const TEXTS: Readonly<Record<Exclude<OutcomeKind, 'ok'>, string>> = {
  interrupted: 'The answer was stopped.',
  max_turns: 'The answer took too many steps and was stopped.',
  budget: 'The budget of this conversation is used up.',
  api_error: 'The model could not answer.',
  structured_output: 'The answer did not have the expected form.',
  stopped_by_hook: 'The answer was stopped by a rule of this application.',
  blocked: 'The answer was stopped by a rule of this application.',
  execution_error: 'Something went wrong while answering.',
};
const OTHER_TEXT = TEXTS.execution_error;
const RETRYABLE_TEXT = 'The model cannot be reached at the moment. Please try again later.';

/** A sentence for visitors about an error. It reveals only the kind of the error. */
export function safeErrorText(error: unknown): string {
  if (error instanceof AbortError) return TEXTS.interrupted;
  if (!(error instanceof RunError)) return OTHER_TEXT;
  if (error.code === 'API_ERROR' && error.retryable) return RETRYABLE_TEXT;
  const kind = error.code.toLowerCase();
  return (Object.hasOwn(TEXTS, kind) ? TEXTS[kind as keyof typeof TEXTS] : undefined) ?? OTHER_TEXT;
}

/** The sentence of the caller's `onError`, or the safe one if `onError` gives none or fails. */
export function describeStreamError(
  error: unknown,
  onError: ((error: unknown) => string) | undefined,
): string {
  let text: unknown;
  if (!onError) {
    // The visitor reads only the safe sentence. The warning tells the operator what failed, for example that the CLI is missing
    // or has no login.
    if (!isAskedFor(error))
      warnOnce(`An answer failed: ${messageOf(error)}`, 'ANSWER_FAILED', messageOf(error));
  } else {
    callListener(
      () => (text = onError(error)),
      (cause) => warnOfCallback('onError', cause),
    );
  }
  return typeof text === 'string' && text !== '' ? text : safeErrorText(error);
}

// Whether the answer was stopped, or the program closed its session. Then nothing has failed.
function isAskedFor(error: unknown): boolean {
  return error instanceof AbortError || (error instanceof SessionClosedError && error.cause === undefined);
}
