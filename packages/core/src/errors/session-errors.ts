// Errors of a session that is aborted, ends too early, falls silent, or gets lines that cannot be read.
import { InboardError, type ErrorFacts } from './base.js';

/** The caller aborted; `cause` is the reason given to the abort controller. */
export class AbortError<Outcome = unknown> extends InboardError {
  static override readonly name: string = 'AbortError';
  declare readonly code: 'ABORTED';
  /** What `run()` had done when it was aborted: its turns and their cost. Not enumerable. Undefined for any other abort. */
  declare readonly outcome?: Outcome;
  constructor(message = 'The query was aborted by its caller', facts: ErrorFacts = {}) {
    super('ABORTED', message, facts);
  }
}

/** The CLI ended before its work was done: `exitCode` or `signal` says how. */
export class ProcessExitError extends InboardError {
  static override readonly name: string = 'ProcessExitError';
  declare readonly code: 'PROCESS_EXITED' | 'PROCESS_KILLED';
  readonly errorClass: string;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(facts.signal === undefined ? 'PROCESS_EXITED' : 'PROCESS_KILLED', message, facts);
    this.errorClass = facts.signal === undefined ? 'process_exited_nonzero' : 'process_killed_by_signal';
  }
}

/** The CLI exited normally, but without the result of its last message. */
export class IncompleteRunError extends InboardError {
  static override readonly name: string = 'IncompleteRunError';
  declare readonly code: 'NO_RESULT';
  constructor(message: string, facts: ErrorFacts = {}) {
    super('NO_RESULT', message, { retryable: true, ...facts });
  }
}

/** What can be wrong with a line, or with the pipe that carries it. */
export type WireFault =
  | 'LINE_TOO_LONG'
  | 'MALFORMED_LINE'
  | 'PADDED_LINE'
  | 'MALFORMED_FRAME'
  | 'INPUT_BROKEN'
  | 'OUTPUT_BROKEN'
  | 'UNENCODABLE';

/**
 * A line to or from the CLI could not be used as it is, or the pipe that carries lines is broken. A line from the CLI is
 * then dropped, or repaired (`PADDED_LINE`).
 */
export class WireError extends InboardError {
  static override readonly name: string = 'WireError';
  declare readonly code: WireFault;
  constructor(code: WireFault, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
  }
}

/** The session is over, so nothing can be asked or answered any more. */
export class SessionClosedError extends InboardError {
  static override readonly name: string = 'SessionClosedError';
  declare readonly code: 'SESSION_CLOSED';
  constructor(message = 'The session is closed', facts: ErrorFacts = {}) {
    super('SESSION_CLOSED', message, { phase: 'shutdown', ...facts });
  }
}

/** The CLI was silent for longer than `idleTimeoutMs` in the middle of a turn, and was not waiting for your program. */
export class StalledError extends InboardError {
  static override readonly name: string = 'StalledError';
  declare readonly code: 'STALLED';
  /** How long the CLI wrote no line, in milliseconds. */
  readonly silentMs: number;
  /** The last message of the CLI, in short, as in `assistant (tool_use Bash)`. */
  readonly lastEvent: string;

  constructor(silence: { silentMs: number; lastEvent: string }, facts: ErrorFacts = {}) {
    super(
      'STALLED',
      `The CLI has been silent for ${silence.silentMs} ms in the middle of a turn, with no tool, permission, hook ` +
        `or request pending. The last message was: ${silence.lastEvent}. Resume the session to continue, or raise ` +
        'idleTimeoutMs if the model may think this long.',
      { retryable: true, ...facts },
    );
    this.silentMs = silence.silentMs;
    this.lastEvent = silence.lastEvent;
  }
}

/** The CLI ended before it had answered a turn; `cause` says how it ended. */
export class TurnLostError extends InboardError {
  static override readonly name: string = 'TurnLostError';
  declare readonly code: 'TURN_LOST';
  /** The id of the user message. */
  readonly uuid: string;
  /** Whether the message had been sent again after an earlier crash of the CLI. That is done only once for a message. */
  readonly resent: boolean;
  /** Whether the model had called a tool in this turn, so that something may already have been done. */
  readonly toolsUsed: boolean;
  /** Whether the session continues without this turn. */
  readonly sessionGoesOn: boolean;

  constructor(
    turn: { uuid: string; resent: boolean; toolsUsed: boolean; sessionGoesOn: boolean },
    facts: ErrorFacts = {},
  ) {
    const { exitCode, signal, stderrTail }: ErrorFacts =
      facts.cause instanceof InboardError ? facts.cause : {};
    const how = signal ?? (exitCode === undefined ? undefined : `exit code ${exitCode}`);
    super(
      'TURN_LOST',
      `The CLI ended${how === undefined ? '' : ` (${how})`} in the middle of the turn${turn.toolsUsed ? ', in which tools were called' : ''}, ` +
        `and its answer is lost. The message was ${turn.resent ? 'already sent again once' : 'not sent again'}; ` +
        (turn.sessionGoesOn
          ? 'the session continues, and the conversation may contain what was said so far.'
          : 'the session is over.'),
      { retryable: !turn.toolsUsed, exitCode, signal, stderrTail, ...facts },
    );
    this.uuid = turn.uuid;
    this.resent = turn.resent;
    this.toolsUsed = turn.toolsUsed;
    this.sessionGoesOn = turn.sessionGoesOn;
  }
}

/** The CLI is idle and has ignored a message. It does so with a message whose uuid it has seen before. */
export class MessageIgnoredError extends InboardError {
  static override readonly name: string = 'MessageIgnoredError';
  declare readonly code: 'MESSAGE_IGNORED';
  /** The id of the user message. */
  readonly uuid: string;

  constructor(uuid: string, facts: ErrorFacts = {}) {
    super(
      'MESSAGE_IGNORED',
      `The CLI is idle and has not taken up the message ${uuid}. It drops a message whose uuid it has seen before, in this ` +
        'session or in the one that was resumed. If it was answered then, the answer is in the transcript; to ask ' +
        'again, send it with another uuid, or without one.',
      facts,
    );
    this.uuid = uuid;
  }
}
