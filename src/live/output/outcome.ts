// A turn's outcome: the CLI's `result` message, normalised.
import { RunError } from '../../errors.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import { kindOf, type OutcomeKind } from './outcome-kind.js';

/** A turn's result, normalised. `raw` is the whole message of the CLI. */
export interface Outcome {
  ok: boolean;
  kind: OutcomeKind;
  /** As the CLI names it: `terminal_reason`, or `subtype` where there is none. */
  reason: string;
  /** The answer's text; for an error, the CLI's description of it. */
  text: string;
  errors: string[];
  structuredOutput: unknown;
  /** Whether the same prompt can succeed later without a change. */
  retryable: boolean;
  apiErrorStatus: number | undefined;
  sessionId: string;
  turns: number;
  durationMs: number;
  /** Cumulative over the session, as reported by the CLI. */
  costUsd: number;
  usage: SDKResultMessage['usage'];
  modelUsage: SDKResultMessage['modelUsage'];
  permissionDenials: SDKResultMessage['permission_denials'];
  raw: SDKResultMessage;
}

/** HTTP statuses after which the API may answer the same request. */
const RETRYABLE_STATUSES = new Set([408, 409, 429, 500, 502, 503, 504, 529]);

/** The outcome of a `result` message; never throws, whatever fields are missing. */
export function outcomeOf(result: SDKResultMessage): Outcome {
  const raw = result as SDKResultMessage & Record<string, unknown>;
  const errors = Array.isArray(raw['errors']) ? raw['errors'].map(String) : [];
  const kind = kindOf(raw, errors);
  const text = typeof raw['result'] === 'string' ? raw['result'] : errors.join('; ');
  const reported = raw['api_error_status'];
  const status = typeof reported === 'number' ? reported : readStatus(kind, text);
  return {
    ok: kind === 'ok',
    kind,
    reason: raw['terminal_reason'] ?? raw.subtype,
    text,
    errors,
    structuredOutput: raw['structured_output'],
    retryable: kind === 'api_error' && (status === undefined || RETRYABLE_STATUSES.has(status)),
    apiErrorStatus: status,
    sessionId: raw.session_id,
    turns: raw.num_turns ?? 0,
    durationMs: raw.duration_ms ?? 0,
    costUsd: raw.total_cost_usd ?? 0,
    usage: raw.usage,
    modelUsage: raw.modelUsage ?? {},
    permissionDenials: raw.permission_denials ?? [],
    raw: result,
  };
}

/** The error for a run or turn that did not succeed. */
export function runErrorOf(what: 'run' | 'turn', outcome: Outcome): RunError<Outcome> {
  const { kind, reason, text, retryable } = outcome;
  const message = `The ${what} ended as "${kind}" (${reason})${text && `: ${text}`}`;
  return new RunError(message, outcome, { retryable });
}

/** 2.1.33 has the status in its text alone. */
function readStatus(kind: OutcomeKind, text: string): number | undefined {
  const written = kind === 'api_error' ? /^API Error: ([45]\d\d)\b/.exec(text) : null;
  return written ? Number(written[1]) : undefined;
}
