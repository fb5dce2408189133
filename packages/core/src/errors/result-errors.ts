// Errors of turns that end without the requested answer.
import { InboardError, type ErrorFacts } from './base.js';

/** A turn ended in an error result; the message itself has already been delivered, and `result` is that message. */
export class ResultError extends InboardError {
  static override readonly name: string = 'ResultError';
  declare readonly code: 'ERROR_RESULT';
  readonly errorClass = 'error_result';
  /** The result message, which has already been delivered. */
  readonly result: unknown;

  constructor(message: string, result: unknown, facts: ErrorFacts = {}) {
    super('ERROR_RESULT', message, { phase: 'result', ...facts });
    this.result = result;
  }
}

/** How a run or turn failed: the `kind` of the outcome, written in capitals like other codes. */
export type RunFailure =
  | 'INTERRUPTED'
  | 'MAX_TURNS'
  | 'BUDGET'
  | 'API_ERROR'
  | 'STRUCTURED_OUTPUT'
  | 'STOPPED_BY_HOOK'
  | 'BLOCKED'
  | 'EXECUTION_ERROR';

/** A run or turn ended with an outcome that is not ok. `code` names the kind of outcome, and `outcome` has the rest. */
export class RunError<Outcome = unknown> extends InboardError {
  static override readonly name: string = 'RunError';
  declare readonly code: RunFailure;
  /** The whole outcome: kind, reason, text, usage. Not enumerable, so that it is not printed. */
  declare readonly outcome: Outcome;

  constructor(code: RunFailure, message: string, outcome: Outcome, facts: ErrorFacts = {}) {
    super(code, message, { phase: 'result', ...facts });
    // Not enumerable, because an uncaught error would print a hundred lines of usage and hide its message.
    Object.defineProperty(this, 'outcome', { value: outcome });
  }
}

/** What is wrong with one place of a structured output; an empty `path` means the value as a whole. */
export interface OutputIssue {
  path: (string | number)[];
  message: string;
}

/** A turn ended without the structured output that was asked for; `text` is what the model said instead. */
export class OutputValidationError extends InboardError {
  static override readonly name: string = 'OutputValidationError';
  declare readonly code: 'OUTPUT_INVALID';
  /** What the model said instead. */
  readonly text: string;
  /** What does not fit, each with its path; empty when there was nothing to check. */
  readonly issues: readonly OutputIssue[];

  constructor(
    message: string,
    found: { text: string; issues: readonly OutputIssue[] },
    facts: ErrorFacts = {},
  ) {
    super('OUTPUT_INVALID', message, { phase: 'result', retryable: true, ...facts });
    this.text = found.text;
    this.issues = found.issues;
  }
}
