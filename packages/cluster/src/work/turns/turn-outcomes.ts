// Makes the outcomes of turns that the journal stores.
import { InboardError } from '@inboard/core/errors.js';
import type { Outcome } from '@inboard/core/live/output/outcome.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { interruptedOutcome, resultFacts } from '@inboard/durable/attempt/attempt-outcome.js';
import type { Json, TurnOutcome, TurnRecord } from '../../journal/records.js';

/** The outcome from the CLI's result. */
export function outcomeOfResult(turn: TurnRecord, outcome: Outcome): TurnOutcome {
  const { ok, turnCostUsd } = outcome;
  const { structuredOutput, ...facts } = resultFacts(outcome);
  return {
    ...facts,
    turnCostUsd: turn.turnCostUsd + turnCostUsd,
    ...(structuredOutput !== undefined && { structuredOutput: structuredOutput as Json }),
    ...(ok ? {} : withoutUndefined({ error: describeResultError(outcome) })),
  };
}

/** The outcome from the transcript, because the worker that had the answer died before it could report it. */
export function foundOutcome(turn: TurnRecord, found: { text: string } | 'stopped'): TurnOutcome {
  const { turnCostUsd } = turn;
  if (found === 'stopped') return { ...interruptedOutcome(turnCostUsd), recovered: true };
  return { ok: true, kind: 'ok', text: found.text, turnCostUsd, recovered: true };
}

/** The outcome of a turn that failed before or outside the CLI. */
export function failedOutcome({ turnCostUsd }: TurnRecord, error: unknown): TurnOutcome {
  const { code, message } = describeError(error);
  return { ok: false, kind: 'failed', text: message, turnCostUsd, error: { code, message } };
}

/**
 * The outcome of a turn whose answer is no longer known, because the transcript already has its message and other turns after
 * it.
 */
export function lostOutcome({ turnCostUsd }: TurnRecord): TurnOutcome {
  const message =
    'The conversation already has this message, and other turns after it: its answer is no longer known.';
  return { ok: false, kind: 'lost', text: message, turnCostUsd, error: { code: 'MESSAGE_IGNORED', message } };
}

/** The outcome of a turn that was tried too often: its workers died, or lost the lease. */
export function triedTooOften(turn: TurnRecord, maxAttempts: number): TurnOutcome {
  const message = `The turn was started ${turn.tries - 1} times and never ended; at most ${maxAttempts} attempts are made.`;
  const error = { code: 'TURN_TRIED_TOO_OFTEN', message };
  return { ok: false, kind: 'failed', text: message, turnCostUsd: turn.turnCostUsd, error };
}

/** The code and the message of an error. For a closed session, those of its cause, because the cause says more. */
function describeError(error: unknown): { code: string; message: string } {
  const { cause, code } = (error ?? {}) as { cause?: unknown; code?: unknown };
  if (code === 'SESSION_CLOSED' && cause instanceof InboardError) return describeError(cause);
  return { code: typeof code === 'string' ? code : 'TURN_FAILED', message: messageOf(error) };
}

function describeResultError({ kind, text, apiErrorStatus }: Outcome): TurnOutcome['error'] {
  if (kind === 'interrupted') return undefined;
  const status = apiErrorStatus === undefined ? '' : `_${apiErrorStatus}`;
  return { code: `${kind.toUpperCase()}${status}`, message: text };
}
