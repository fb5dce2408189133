// Every error this package throws. Each is a small report: a stable `code`, the facts as fields,
// the cause, and a message that says what was wrong, where, and what to do. Imports nothing.

/** Where in a session's life an error happened. */
export type ErrorPhase = 'options' | 'launch' | 'handshake' | 'running' | 'result' | 'shutdown';

/** The facts an error can carry besides its message. */
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

/** Base of all errors of this package; `code` is stable and meant for `switch`. */
export class InboardError extends Error {
  // Written down in each class: bundlers that minify rename classes, and programs compare these names.
  static override readonly name: string = 'InboardError';
  readonly code: string;
  readonly phase: ErrorPhase;
  readonly retryable: boolean;
  declare readonly exitCode?: number;
  declare readonly signal?: string;
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

/** The caller aborted; `cause` is the reason given to the abort controller. */
export class AbortError extends InboardError {
  static override readonly name: string = 'AbortError';
  constructor(message = 'The query was aborted by its caller', facts: ErrorFacts = {}) {
    super('ABORTED', message, facts);
  }
}

/** An option is wrong, or two contradict each other; thrown before anything is started. */
export class InvalidOptionsError extends InboardError {
  static override readonly name: string = 'InvalidOptionsError';
  /** The options at fault, by name. */
  readonly options: readonly string[];

  constructor(options: readonly string[], message: string, facts: ErrorFacts = {}) {
    super('INVALID_OPTIONS', message, { phase: 'options', ...facts });
    this.options = options;
  }
}

/** An option needs a newer CLI than the one found; thrown before anything is started. */
export class UnsupportedOptionError extends InboardError {
  static override readonly name: string = 'UnsupportedOptionError';
  readonly option: string;
  readonly versionFound: string;
  readonly versionNeeded: string;

  constructor(option: string, versionFound: string, versionNeeded: string, hint = '') {
    super(
      'UNSUPPORTED_OPTION',
      `The option "${option}" needs Claude CLI ${versionNeeded} or newer, and the one found is ${versionFound}. ` +
        `Update the CLI or leave the option out.${hint && ` ${hint}`}`,
      { phase: 'options' },
    );
    this.option = option;
    this.versionFound = versionFound;
    this.versionNeeded = versionNeeded;
  }
}

/** No CLI was found; `tried` lists every place that was looked at, in order. */
export class ExecutableNotFoundError extends InboardError {
  static override readonly name: string = 'ExecutableNotFoundError';
  readonly errorClass = 'executable_not_found';
  readonly tried: readonly string[];

  constructor(message: string, tried: readonly string[], facts: ErrorFacts = {}) {
    super('EXECUTABLE_NOT_FOUND', message, { phase: 'launch', ...facts });
    this.tried = tried;
  }
}

/** Why a launch failed; each has its own message. */
export type LaunchFailure =
  | 'CWD_NOT_FOUND'
  | 'RUNTIME_NOT_FOUND'
  | 'EXECUTABLE_NOT_PERMITTED'
  | 'WRONG_PLATFORM'
  | 'ARGUMENTS_TOO_LONG'
  | 'ENVIRONMENT_TOO_LONG'
  | 'TEMPORARY_FOLDER_UNUSABLE'
  | 'SPAWN_FAILED';

/** The CLI was found and could not be started. */
export class LaunchError extends InboardError {
  static override readonly name: string = 'LaunchError';
  readonly errorClass = 'executable_launch_failed';

  constructor(code: LaunchFailure, message: string, facts: ErrorFacts = {}) {
    super(code, message, { phase: 'launch', ...facts });
  }
}

/** The CLI did not answer the opening handshake, or refused it. */
export class HandshakeError extends InboardError {
  static override readonly name: string = 'HandshakeError';
  readonly errorClass: string;

  constructor(code: 'HANDSHAKE_TIMEOUT' | 'HANDSHAKE_REFUSED', message: string, facts: ErrorFacts = {}) {
    super(code, message, { phase: 'handshake', ...facts });
    this.errorClass = code === 'HANDSHAKE_TIMEOUT' ? 'initialize_timeout' : 'control_request_failed';
  }
}

/** The CLI ended before its work was done: `exitCode` or `signal` says how. */
export class ProcessExitError extends InboardError {
  static override readonly name: string = 'ProcessExitError';
  readonly errorClass: string;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(facts.signal === undefined ? 'PROCESS_EXITED' : 'PROCESS_KILLED', message, facts);
    this.errorClass = facts.signal === undefined ? 'process_exited_nonzero' : 'process_killed_by_signal';
  }
}

/** The CLI exited normally without the result that was due. */
export class IncompleteRunError extends InboardError {
  static override readonly name: string = 'IncompleteRunError';
  constructor(message: string, facts: ErrorFacts = {}) {
    super('NO_RESULT', message, { retryable: true, ...facts });
  }
}

/** A line from the CLI that could not be used, or only after a repair (`PADDED_LINE`); the session continues. */
export class WireError extends InboardError {
  static override readonly name: string = 'WireError';
  constructor(
    code:
      | 'LINE_TOO_LONG'
      | 'MALFORMED_LINE'
      | 'PADDED_LINE'
      | 'MALFORMED_FRAME'
      | 'INPUT_BROKEN'
      | 'OUTPUT_BROKEN'
      | 'UNENCODABLE',
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(code, message, facts);
  }
}

/** The CLI answered a control request with an error; `errorCode` is the CLI's own code, if it gave one. */
export class ControlRequestError extends InboardError {
  static override readonly name: string = 'ControlRequestError';
  readonly errorClass = 'control_request_failed';
  readonly subtype: string;
  declare readonly errorCode?: string;
  /** The oldest CLI known to carry the request out; set when the one at hand does not. */
  declare readonly versionNeeded?: string;

  constructor(subtype: string, message: string, errorCode?: string, versionNeeded?: string) {
    super('CONTROL_REQUEST_FAILED', message);
    this.subtype = subtype;
    if (errorCode !== undefined) this.errorCode = errorCode;
    if (versionNeeded !== undefined) this.versionNeeded = versionNeeded;
  }
}

/** The CLI did not answer a control request within the caller's `timeoutMs`, or while it was idle for long; the session continues. */
export class ControlTimeoutError extends InboardError {
  static override readonly name: string = 'ControlTimeoutError';
  readonly subtype: string;
  readonly limitMs: number;

  constructor(subtype: string, limitMs: number, which = '(timeoutMs)') {
    super(
      'CONTROL_TIMEOUT',
      `The CLI did not answer the control request "${subtype}" within ${limitMs} ms ${which}. It may still carry it out.`,
      { retryable: true },
    );
    this.subtype = subtype;
    this.limitMs = limitMs;
  }
}

/** The session is over, so that nothing can be asked or answered any more. */
export class SessionClosedError extends InboardError {
  static override readonly name: string = 'SessionClosedError';
  constructor(message = 'The session is closed', facts: ErrorFacts = {}) {
    super('SESSION_CLOSED', message, { phase: 'shutdown', ...facts });
  }
}

/** A turn ended in an error result; the message itself was delivered before, and `result` is that message. */
export class ResultError extends InboardError {
  static override readonly name: string = 'ResultError';
  readonly errorClass = 'error_result';
  readonly result: unknown;

  constructor(message: string, result: unknown, facts: ErrorFacts = {}) {
    super('ERROR_RESULT', message, { phase: 'result', ...facts });
    this.result = result;
  }
}

/** How a run or turn failed: the outcome's `kind` in capitals, as codes are written. */
export type RunFailure =
  | 'INTERRUPTED'
  | 'MAX_TURNS'
  | 'BUDGET'
  | 'API_ERROR'
  | 'STRUCTURED_OUTPUT'
  | 'STOPPED_BY_HOOK'
  | 'BLOCKED'
  | 'EXECUTION_ERROR';

/** A run or turn whose outcome is not ok: `code` names the kind of outcome, `outcome` has the rest. */
export class RunError<Outcome = unknown> extends InboardError {
  static override readonly name: string = 'RunError';
  declare readonly code: RunFailure;
  declare readonly outcome: Outcome;

  constructor(code: RunFailure, message: string, outcome: Outcome, facts: ErrorFacts = {}) {
    super(code, message, { phase: 'result', ...facts });
    // Not enumerable: an uncaught error would print a hundred lines of usage, and hide its message.
    Object.defineProperty(this, 'outcome', { value: outcome });
  }
}

/** What a test scripted and what really happened disagree; `problems` has one sentence for each difference. */
export class ScriptMismatchError extends InboardError {
  static override readonly name: string = 'ScriptMismatchError';
  readonly problems: readonly string[];

  constructor(subject: string, problems: readonly string[], facts: ErrorFacts = {}) {
    super('SCRIPT_MISMATCH', `${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, facts);
    this.problems = problems;
  }
}

/** A tool's schema cannot be shown to the model or checked against; thrown where the tool is defined. */
export class SchemaError extends InboardError {
  static override readonly name: string = 'SchemaError';
  readonly tool: string;
  /** Where in the schema, as in `filter.tags[].when`; empty for the schema as a whole. */
  readonly path: string;

  constructor(where: { tool: string; path: string }, message: string, facts: ErrorFacts = {}) {
    super('SCHEMA_UNCONVERTIBLE', message, { phase: 'options', ...facts });
    this.tool = where.tool;
    this.path = where.path;
  }
}

/** The CLI wrote to an in-process server that this session does not have. */
export class ToolServerNotFoundError extends InboardError {
  static override readonly name: string = 'ToolServerNotFoundError';
  readonly server: string;

  constructor(server: string, known: readonly string[]) {
    super(
      'TOOL_SERVER_NOT_FOUND',
      `There is no in-process MCP server named "${server}" in this session. ` +
        (known.length === 0 ? 'It has none at all' : `It has: ${known.join(', ')}`),
    );
    this.server = server;
  }
}

/** A tool ran longer than its own `timeoutMs`; only that call failed. */
export class ToolTimeoutError extends InboardError {
  static override readonly name: string = 'ToolTimeoutError';
  readonly tool: string;
  readonly limitMs: number;

  constructor(tool: string, limitMs: number) {
    super(
      'TOOL_TIMEOUT',
      `The tool "${tool}" was stopped because it ran longer than its limit of ${limitMs} ms (timeoutMs)`,
    );
    this.tool = tool;
    this.limitMs = limitMs;
  }
}

/** A hook callback threw, was late, or returned an answer that was not understood, or not wholly. */
export class HookError extends InboardError {
  static override readonly name: string = 'HookError';
  readonly event: string;
  /** Where the callback stands in the option, as in `hooks.PreToolUse[0].hooks[1]`. */
  readonly hook: string;

  constructor(
    code:
      'HOOK_FAILED' | 'HOOK_TIMEOUT' | 'HOOK_OUTPUT_INVALID' | 'HOOK_FIELD_UNKNOWN' | 'HOOK_DECISION_MISSING',
    message: string,
    facts: ErrorFacts & { event: string; hook: string },
  ) {
    super(code, message, facts);
    this.event = facts.event;
    this.hook = facts.hook;
  }
}

/**
 * Thrown by a permission callback to say that whoever could answer is away for a while. The question stays open, and the
 * callback is asked again, until there is an answer or the question is withdrawn.
 */
export class PermissionUnavailableError extends InboardError {
  static override readonly name: string = 'PermissionUnavailableError';
  /** Milliseconds until the callback is asked again; undefined for a quarter of a second, doubled each time up to ten seconds. With Infinity only an answer by the question's id ends it. */
  declare readonly retryAfterMs?: number;

  constructor(
    message = 'Nobody can answer permission questions at the moment',
    facts: ErrorFacts & { retryAfterMs?: number } = {},
  ) {
    super('PERMISSION_UNAVAILABLE', message, { retryable: true, ...facts });
    if (facts.retryAfterMs !== undefined) this.retryAfterMs = facts.retryAfterMs;
  }
}

/** What a tool returned cannot be sent to the model; the call fails with this text. */
export class ToolResultError extends InboardError {
  static override readonly name: string = 'ToolResultError';
  constructor(message: string, facts: ErrorFacts = {}) {
    super('TOOL_RESULT_UNUSABLE', message, facts);
  }
}

/** Servers or tools that were waited for are missing; `report` lists what there is. */
export class ToolsNotReadyError<Report = unknown> extends InboardError {
  static override readonly name: string = 'ToolsNotReadyError';
  readonly report: Report;

  constructor(message: string, report: Report) {
    super('TOOLS_NOT_READY', message, { retryable: true });
    this.report = report;
  }
}

/** The CLI is idle and has not taken up a message it was sent: it drops one whose uuid it has seen before. */
export class MessageIgnoredError extends InboardError {
  static override readonly name: string = 'MessageIgnoredError';
  /** The id of the user message. */
  readonly uuid: string;

  constructor(uuid: string, facts: ErrorFacts = {}) {
    super(
      'MESSAGE_IGNORED',
      `The CLI is idle and has not taken up the message ${uuid}. It drops a message whose uuid it has seen before, in this ` +
        'session or in the one that was resumed. If it was answered then, its answer is in the transcript; to ask again, ' +
        'send it under another uuid, or without one.',
      facts,
    );
    this.uuid = uuid;
  }
}

/** No session has that id where one looked, or the CLI went on in another session than the one asked for. */
export class SessionNotFoundError extends InboardError {
  static override readonly name: string = 'SessionNotFoundError';
  readonly sessionId: string;
  /** The session that was started instead of it. */
  declare readonly startedSessionId?: string;

  constructor(sessionId: string, message: string, facts: ErrorFacts & { startedSessionId?: string } = {}) {
    super('SESSION_NOT_FOUND', message, facts);
    this.sessionId = sessionId;
    if (facts.startedSessionId !== undefined) this.startedSessionId = facts.startedSessionId;
  }
}

/** A session store failed, or did not answer in time; `cause` is its own error. */
export class SessionStoreError extends InboardError {
  static override readonly name: string = 'SessionStoreError';
  /** The method of the store, as in `load`. */
  readonly operation: string;
  declare readonly sessionId?: string;
  /** How long the store was waited for, in milliseconds; set when it did not answer. */
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

/** What is wrong with one place of a structured output; an empty `path` means the value as a whole. */
export interface OutputIssue {
  path: (string | number)[];
  message: string;
}

/** A turn ended without the structured output that was asked for; `text` is what the model said instead. */
export class OutputValidationError extends InboardError {
  static override readonly name: string = 'OutputValidationError';
  readonly text: string;
  /** Empty when there was nothing to check. */
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

/** The CLI was silent for longer than `idleTimeoutMs` in the middle of a turn, and was not waiting for this side. */
export class StalledError extends InboardError {
  static override readonly name: string = 'StalledError';
  /** Milliseconds without a line. */
  readonly silentMs: number;
  /** The last message of the CLI, in short, as in `assistant (tool_use Bash)`. */
  readonly lastEvent: string;

  constructor(silence: { silentMs: number; lastEvent: string }, facts: ErrorFacts = {}) {
    super(
      'STALLED',
      `The CLI has been silent for ${silence.silentMs} ms in the middle of a turn, with no tool, permission, hook ` +
        `or request pending. The last thing it said: ${silence.lastEvent}. Resume the session to go on, or raise ` +
        'idleTimeoutMs if the model may think this long.',
      { retryable: true, ...facts },
    );
    this.silentMs = silence.silentMs;
    this.lastEvent = silence.lastEvent;
  }
}

/** A file is not a trace, or cannot be used as one; `file` and `line` say where. */
export class TraceError extends InboardError {
  static override readonly name: string = 'TraceError';
  declare readonly file?: string;
  /** From 1. */
  declare readonly line?: number;

  constructor(
    code: 'TRACE_UNREADABLE' | 'TRACE_INCOMPLETE' | 'TRACE_NOT_WRITTEN',
    message: string,
    facts: ErrorFacts & { file?: string; line?: number } = {},
  ) {
    super(code, message, facts);
    if (facts.file !== undefined) this.file = facts.file;
    if (facts.line !== undefined) this.line = facts.line;
  }
}

/** A replay cannot go on: the tape expects something that did not come. */
export class ReplayError extends InboardError {
  static override readonly name: string = 'ReplayError';
  /** What the tape waits for. */
  readonly expected: string;

  constructor(message: string, expected: string, facts: ErrorFacts = {}) {
    super('REPLAY_STUCK', message, facts);
    this.expected = expected;
  }
}

/** The CLI ended before it had answered a turn; `cause` says how it ended. */
export class TurnLostError extends InboardError {
  static override readonly name: string = 'TurnLostError';
  /** The id of the user message. */
  readonly uuid: string;
  /** Whether it had been sent again after an earlier end of the CLI; it is not sent again by itself any more. */
  readonly resent: boolean;
  /** Whether the model had asked for a tool in it, so that something may have been done. */
  readonly toolsUsed: boolean;
  /** Whether the session continues without it. */
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
        `and its answer is lost. The message was ${turn.resent ? 'sent again once before' : 'not sent again'}; ` +
        (turn.sessionGoesOn
          ? 'the session goes on, and the conversation may hold what was said so far.'
          : 'the session is over.'),
      { retryable: !turn.toolsUsed, exitCode, signal, stderrTail, ...facts },
    );
    this.uuid = turn.uuid;
    this.resent = turn.resent;
    this.toolsUsed = turn.toolsUsed;
    this.sessionGoesOn = turn.sessionGoesOn;
  }
}

/** Why a parked CLI was not claimed, or not as asked; where the CLI refused, this is its own code. */
export type ClaimRefusal =
  | 'not_a_spare'
  | 'env_key_not_claimable'
  | 'cwd_not_found'
  | 'project_settings_not_claimable'
  | 'permission_mode_not_claimable'
  | 'claim_failed'
  | 'settings_not_applied'
  | 'option_not_applied'
  | 'spare_exited'
  | 'spare_closed';

/** A parked CLI could not be claimed as asked. Only with `option_not_applied` does the prompt run all the same. */
export class ClaimError<Claim = unknown> extends InboardError {
  static override readonly name: string = 'ClaimError';
  readonly refusal: ClaimRefusal;
  /** What was claimed before an option was refused. */
  declare readonly claim?: Claim;

  constructor(refusal: ClaimRefusal, message: string, facts: ErrorFacts & { claim?: Claim } = {}) {
    super('CLAIM_REFUSED', `${refusal}: ${message}`, { phase: 'handshake', ...facts });
    this.refusal = refusal;
    if (facts.claim !== undefined) this.claim = facts.claim;
  }
}

/** The inspector's page cannot be served; the sessions it would show go on. */
export class InspectorError extends InboardError {
  static override readonly name: string = 'InspectorError';
  constructor(
    code: 'INSPECTOR_NOT_LISTENING' | 'INSPECTOR_HOST_REFUSED' | 'INSPECTOR_PAGE_MISSING',
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(code, message, facts);
  }
}

/** No agent can be served to editors. */
export class AcpError extends InboardError {
  static override readonly name: string = 'AcpError';
  constructor(code: 'ACP_LIBRARY_MISSING' | 'ACP_LIBRARY_BROKEN', message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
  }
}
