// The base class of all errors of Inboard, and the codes of errors without a class of their own.

/** Where in a session's life an error happened. */
export type ErrorPhase = 'options' | 'launch' | 'handshake' | 'running' | 'result' | 'shutdown';

/** The facts that an error may have besides its code and message. */
export interface ErrorFacts {
  cause?: unknown;
  phase?: ErrorPhase;
  /** Whether doing the same again can succeed without a change. */
  retryable?: boolean;
  exitCode?: number;
  signal?: string;
  /** The last lines the CLI wrote to stderr. */
  stderrTail?: string;
}

/** The codes of errors that have no class of their own. */
export type OtherFailure =
  | 'ALREADY_OPEN'
  | 'APPROVAL_FILE_STUCK'
  | 'APPROVAL_FOLDER_UNSAFE'
  | 'CALLBACK_FAILED'
  | 'CALLS_NOT_COMPLETED'
  | 'CALL_RECORDS_FAILED'
  | 'CALL_RECORDS_UNSAFE'
  | 'DIALOG_CALLBACK_FAILED'
  | 'HOST_CLOSED'
  | 'LIVE_RUN_FORBIDDEN'
  | 'MCP_REQUEST_REFUSED'
  | 'MCP_SERVER_NOT_CONNECTED'
  | 'PERMISSION_CALLBACK_FAILED'
  | 'PROCESS_STUCK'
  | 'SPILL_FAILED'
  | 'TRANSPORT_FAILED'
  | 'TRANSPORT_FAULT'
  | 'TRANSPORT_STUCK'
  | 'WARM_CLI_ENDED';

/** Base of all errors of Inboard. `code` is stable, and is meant to be compared. */
export class InboardError extends Error {
  // Each class states its name, because programs compare names, and bundlers that minify rename classes.
  static override readonly name: string = 'InboardError';
  /** What went wrong, as a word that stays the same from version to version. */
  readonly code: string;
  /** Where in a session's life it happened. */
  readonly phase: ErrorPhase;
  /** Whether doing the same again can succeed without a change. */
  readonly retryable: boolean;
  /** The exit code of the CLI, if it exited. */
  declare readonly exitCode?: number;
  /** The signal that ended the CLI, if one did. */
  declare readonly signal?: string;
  /** The last lines the CLI wrote to stderr. */
  declare readonly stderrTail?: string;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.code = code;
    this.phase = facts.phase ?? 'running';
    this.retryable = facts.retryable ?? false;
    if (facts.exitCode !== undefined) this.exitCode = facts.exitCode;
    if (facts.signal !== undefined) this.signal = facts.signal;
    if (facts.stderrTail !== undefined) this.stderrTail = facts.stderrTail;
  }
}
