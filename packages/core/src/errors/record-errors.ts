// Errors of sessions on disk or in a store, of traces, and of test scripts.
import { InboardError, type ErrorFacts } from './base.js';

/** No session with that id was found, or the CLI continued in another session than the one requested. */
export class SessionNotFoundError extends InboardError {
  static override readonly name: string = 'SessionNotFoundError';
  declare readonly code: 'SESSION_NOT_FOUND';
  /** The session that was asked for. */
  readonly sessionId: string;
  /** The session that was started instead of it. */
  declare readonly startedSessionId?: string;

  constructor(sessionId: string, message: string, facts: ErrorFacts & { startedSessionId?: string } = {}) {
    super('SESSION_NOT_FOUND', message, facts);
    this.sessionId = sessionId;
    if (facts.startedSessionId !== undefined) this.startedSessionId = facts.startedSessionId;
  }
}

/** A session store failed, or did not answer in time. If the store threw, `cause` is what it threw. */
export class SessionStoreError extends InboardError {
  static override readonly name: string = 'SessionStoreError';
  declare readonly code: 'SESSION_STORE_FAILED' | 'SESSION_STORE_TIMEOUT';
  /** The method of the store, as in `load`. */
  readonly operation: string;
  /** The session concerned, if any. */
  declare readonly sessionId?: string;
  /** How long Inboard waited for the store, in milliseconds; set if it did not answer. */
  declare readonly limitMs?: number;

  constructor(
    operation: string,
    message: string,
    facts: ErrorFacts & { sessionId?: string; limitMs?: number } = {},
  ) {
    super(facts.limitMs === undefined ? 'SESSION_STORE_FAILED' : 'SESSION_STORE_TIMEOUT', message, facts);
    this.operation = operation;
    if (facts.sessionId !== undefined) this.sessionId = facts.sessionId;
    if (facts.limitMs !== undefined) this.limitMs = facts.limitMs;
  }
}

/** Why a pending call cannot be completed. */
export type CallFault = 'CALL_UNKNOWN' | 'CALL_ENDED' | 'CALL_NOT_PENDING' | 'CALL_VALUE';

/** A pending call cannot be completed: there is no such call, it is over, it is not pending, or the value does not fit. */
export class CallError extends InboardError {
  static override readonly name: string = 'CallError';
  declare readonly code: CallFault;
  /** The key that was given. */
  readonly callKey: string;
  /** The session of the call, if it was found. */
  declare readonly sessionId?: string;
  /** When the call was completed or withdrawn, in milliseconds since 1970; set with `CALL_ENDED`. */
  declare readonly endedAt?: number;
  /** Who completed it, if that is known; only with `CALL_ENDED`. */
  declare readonly by?: string;

  constructor(
    code: CallFault,
    callKey: string,
    message: string,
    facts: ErrorFacts & { sessionId?: string; endedAt?: number; by?: string } = {},
  ) {
    super(code, message, facts);
    this.callKey = callKey;
    if (facts.sessionId !== undefined) this.sessionId = facts.sessionId;
    if (facts.endedAt !== undefined) this.endedAt = facts.endedAt;
    if (facts.by !== undefined) this.by = facts.by;
  }
}

/** A newer Inboard has stored something in a format that this version cannot read. */
export class StoredFormatError extends InboardError {
  static override readonly name: string = 'StoredFormatError';
  declare readonly code: 'STORED_FORMAT_TOO_NEW';
  /** The format, as in `inboard-approval`. */
  readonly format: string;
  /** The version of the format in that file. */
  readonly version: number;
  /** The newest version of the format that this package can read. */
  readonly supported: number;
  /** The file that was read. */
  declare readonly file?: string;

  constructor(
    found: { format: string; version: number; supported: number; file?: string },
    message: string,
    facts: ErrorFacts = {},
  ) {
    super('STORED_FORMAT_TOO_NEW', message, facts);
    this.format = found.format;
    this.version = found.version;
    this.supported = found.supported;
    if (found.file !== undefined) this.file = found.file;
  }
}

/** What can be wrong with a trace. */
export type TraceFault = 'TRACE_UNREADABLE' | 'TRACE_INCOMPLETE' | 'TRACE_NOT_WRITTEN';

/** A trace cannot be read, replayed or written. If a file is to blame, `file` and `line` say where. */
export class TraceError extends InboardError {
  static override readonly name: string = 'TraceError';
  declare readonly code: TraceFault;
  /** The file that was read. */
  declare readonly file?: string;
  /** The line of that file, from 1. */
  declare readonly line?: number;

  constructor(code: TraceFault, message: string, facts: ErrorFacts & { file?: string; line?: number } = {}) {
    super(code, message, facts);
    if (facts.file !== undefined) this.file = facts.file;
    if (facts.line !== undefined) this.line = facts.line;
  }
}

/** A replay cannot continue: the tape expects something that did not come. */
export class ReplayError extends InboardError {
  static override readonly name: string = 'ReplayError';
  declare readonly code: 'REPLAY_STUCK';
  /** What the tape is waiting for. */
  readonly expected: string;

  constructor(message: string, expected: string, facts: ErrorFacts = {}) {
    super('REPLAY_STUCK', message, facts);
    this.expected = expected;
  }
}

/** What a test scripted and what really happened disagree; `problems` has one sentence for each difference. */
export class ScriptMismatchError extends InboardError {
  static override readonly name: string = 'ScriptMismatchError';
  declare readonly code: 'SCRIPT_MISMATCH';
  /** One sentence for each difference. */
  readonly problems: readonly string[];

  constructor(subject: string, problems: readonly string[], facts: ErrorFacts = {}) {
    super('SCRIPT_MISMATCH', `${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, facts);
    this.problems = problems;
  }
}
