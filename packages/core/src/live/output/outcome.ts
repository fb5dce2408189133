// Turns the CLI's `result` message into the outcome of a turn. `outcome-kind` decides the kind.
import { RunError } from '../../errors.js';
import { asString } from '../../util/guards.js';
import { textOrJson } from '../../util/message-of.js';
import { TurnMeter, type TurnSpending } from '../../record/usage/turn-meter.js';
import type { UsageCount } from '../../record/usage/usage-count.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import type { CompletedCall } from '../../wire/protocol/messages/completed-call.js';
import { outcomeKindOf, type OutcomeKind } from './outcome-kind.js';
import type { OutputReading } from './read-output.js';

/** A turn's result, normalised. `raw` is the whole message of the CLI. */
export interface Outcome {
  ok: boolean;
  kind: OutcomeKind;
  /** The CLI's `terminal_reason`, or its `subtype` if there is no such reason. */
  reason: string;
  /** The text of the answer. For an error, the CLI's description of it. */
  text: string;
  errors: string[];
  structuredOutput: unknown;
  /** Whether the same prompt can succeed later without a change. */
  retryable: boolean;
  apiErrorStatus: number | undefined;
  sessionId: string;
  /**
   * The CLI's `num_turns`: 1, and 1 for each tool result and each note of an interruption in the main loop. Calls of tools that
   * the model makes in one message count one each, so this can be more than the model calls, which `maxTurns` limits.
   */
  turns: number;
  durationMs: number;
  /** What this turn alone cost, in US dollars. */
  turnCostUsd: number;
  /** What this turn alone used: in its main loop, in its subagents, and in requests that the CLI made by itself. */
  turnUsage: UsageCount;
  /**
   * What the session has cost in US dollars, up to and including this turn, as reported by the CLI. After a CLI was let
   * go in the middle of a turn, it is the sum of all turns, because later CLIs do not know what that one cost.
   */
  totalCostUsd: number;
  /** The usage of this turn's main loop, with the field names of the API. */
  usage: SDKResultMessage['usage'];
  /** How much each model was used in the session, up to and including this turn, as reported by the CLI. */
  modelUsage: SDKResultMessage['modelUsage'];
  permissionDenials: SDKResultMessage['permission_denials'];
  /** Calls of this turn that were cut off with a CLI or its host, and what became of them. Undefined if there were none. */
  completedCalls?: readonly CompletedCall[];
  raw: SDKResultMessage;
}

/** HTTP statuses after which the API may answer the same request. */
const RETRYABLE_STATUSES = new Set([408, 409, 429, 500, 502, 503, 504, 529]);

/**
 * The outcome of a `result` message that is taken as the first of its session. Never throws, whatever fields are
 * missing.
 */
export function outcomeOf(result: SDKResultMessage): Outcome {
  return measuredOutcomeOf(result, new TurnMeter().measure(result));
}

/** The outcome of a `result` message, with the usage that was measured for its turn. */
export function measuredOutcomeOf(result: SDKResultMessage, spent: TurnSpending): Outcome {
  const raw = result as SDKResultMessage & Record<string, unknown>;
  const errors = Array.isArray(raw['errors']) ? raw['errors'].map(textOrJson) : [];
  const kind = outcomeKindOf(raw, errors);
  const text = typeof raw['result'] === 'string' ? raw['result'] : errors.filter(isForPeople).join('; ');
  const totalCostUsd = spent.totalCostUsd ?? raw.total_cost_usd ?? 0;
  const reported = raw['api_error_status'];
  const status = typeof reported === 'number' ? reported : readStatus(kind, text);
  return {
    ok: kind === 'ok',
    kind,
    reason: asString(raw['terminal_reason']) ?? asString(raw.subtype) ?? '',
    text,
    errors,
    structuredOutput: raw['structured_output'],
    retryable:
      kind === 'api_error' && !wantsLogin(text) && (status === undefined || RETRYABLE_STATUSES.has(status)),
    apiErrorStatus: status,
    sessionId: raw.session_id,
    turns: raw.num_turns ?? 0,
    durationMs: raw.duration_ms ?? 0,
    turnCostUsd: spent.costUsd,
    turnUsage: spent.usage,
    totalCostUsd,
    usage: raw.usage,
    modelUsage: raw.modelUsage ?? {},
    permissionDenials: raw.permission_denials ?? [],
    raw: result,
  };
}

/**
 * Whether an error is meant for people. The CLI adds a note for its own developers to an interrupted turn. `errors`
 * keeps it.
 */
function isForPeople(error: string): boolean {
  return !error.startsWith('[ede_diagnostic]');
}

/** The error for a run or turn that did not succeed. */
export function runErrorOf(what: 'run' | 'turn', outcome: Outcome): RunError<Outcome> {
  const { kind, reason, text, retryable } = outcome;
  const ending = reason === kind ? `"${kind}"` : `"${kind}" (${reason})`;
  const message = `The ${what} ended as ${ending}${text && `: ${text}`}`;
  const code = kind.toUpperCase() as Uppercase<Exclude<OutcomeKind, 'ok'>>;
  return new RunError(code, wantsLogin(text) ? `${message}\n${LOGIN_ADVICE}` : message, outcome, {
    retryable,
  });
}

/**
 * The output of a turn. Throws a RunError if the turn failed, and the error of the reading if the turn ended without an output
 * that fits.
 */
export function outputOrThrow(outcome: Outcome, reading: OutputReading<unknown>): unknown {
  if (reading.ok) return reading.value;
  // This kind of failure is about the output itself, and the reading says more about it.
  if (outcome.ok || outcome.kind === 'structured_output') throw reading.error;
  throw runErrorOf('turn', outcome);
}

/** Advice for a program. The CLI's own advice is meant for a person at its prompt, which a program does not have. */
export const LOGIN_ADVICE =
  'Set ANTHROPIC_API_KEY, or start "claude" once in a terminal and log in; "npx inboard doctor" checks both.';

/** Whether the CLI found no account, or an account that the API does not know. */
export function wantsLogin(text: string): boolean {
  return text.includes('run /login');
}

/** Reads the status from the text, because 2.1.33 reports it only there. */
function readStatus(kind: OutcomeKind, text: string): number | undefined {
  const written = kind === 'api_error' ? /^API Error: ([45]\d\d)\b/.exec(text) : null;
  return written ? Number(written[1]) : undefined;
}
