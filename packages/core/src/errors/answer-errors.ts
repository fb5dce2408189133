// Errors of the tools, hooks and permission callbacks that run in this process.
import { InboardError, type ErrorFacts } from './base.js';

/** The CLI wrote to an in-process server that this session does not have. */
export class ToolServerNotFoundError extends InboardError {
  static override readonly name: string = 'ToolServerNotFoundError';
  declare readonly code: 'TOOL_SERVER_NOT_FOUND';
  /** The name of the server that the CLI called. */
  readonly server: string;

  constructor(server: string, known: readonly string[]) {
    super(
      'TOOL_SERVER_NOT_FOUND',
      `There is no in-process MCP server named "${server}" in this session. ` +
        (known.length === 0 ? 'It has none' : `It has: ${known.join(', ')}`),
    );
    this.server = server;
  }
}

/** A tool ran longer than its own `timeoutMs`; only that call failed. */
export class ToolTimeoutError extends InboardError {
  static override readonly name: string = 'ToolTimeoutError';
  declare readonly code: 'TOOL_TIMEOUT';
  /** The tool's name, without its server's. */
  readonly tool: string;
  /** The tool's limit, in milliseconds. */
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

/** A tool or prompt of this process returned something that cannot be sent. */
export class ToolResultError extends InboardError {
  static override readonly name: string = 'ToolResultError';
  declare readonly code: 'TOOL_RESULT_UNUSABLE';
  constructor(message: string, facts: ErrorFacts = {}) {
    super('TOOL_RESULT_UNUSABLE', message, facts);
  }
}

/** Servers or tools that the caller waited for are missing; `report` lists what is there and what is not. */
export class ToolsNotReadyError<Report = unknown> extends InboardError {
  static override readonly name: string = 'ToolsNotReadyError';
  declare readonly code: 'TOOLS_NOT_READY';
  /**
   * Every server with its state, and every missing tool with the cause. It has the form of the report that `ready()`
   * resolves with when nothing is missing.
   */
  readonly report: Report;

  constructor(message: string, report: Report) {
    super('TOOLS_NOT_READY', message, { retryable: true });
    this.report = report;
  }
}

/** What can go wrong with a hook callback of this process. */
export type HookFault =
  'HOOK_FAILED' | 'HOOK_TIMEOUT' | 'HOOK_OUTPUT_INVALID' | 'HOOK_FIELD_UNKNOWN' | 'HOOK_DECISION_MISSING';

/** A hook callback threw, was late, or returned an answer that cannot be used, wholly or in part. */
export class HookError extends InboardError {
  static override readonly name: string = 'HookError';
  declare readonly code: HookFault;
  /** The event of the hook, as in `PreToolUse`. */
  readonly event: string;
  /** Where the callback is in the option, as in `hooks.PreToolUse[0].hooks[1]`. */
  readonly hook: string;

  constructor(code: HookFault, message: string, facts: ErrorFacts & { event: string; hook: string }) {
    super(code, message, facts);
    this.event = facts.event;
    this.hook = facts.hook;
  }
}

/**
 * Your permission callback throws it when the person or service that could answer is away for a while. The question
 * stays open, and the callback is called again until it answers or the question is withdrawn.
 */
export class PermissionUnavailableError extends InboardError {
  static override readonly name: string = 'PermissionUnavailableError';
  declare readonly code: 'PERMISSION_UNAVAILABLE';
  /**
   * Milliseconds until the callback is called again. If undefined, the wait is a quarter of a second, and doubles each
   * time up to ten seconds. With Infinity, the callback is not called again: somebody must answer by the question's id.
   */
  declare readonly retryAfterMs?: number;

  constructor(
    message = 'Nobody can answer permission questions at the moment',
    facts: ErrorFacts & { retryAfterMs?: number } = {},
  ) {
    super('PERMISSION_UNAVAILABLE', message, { retryable: true, ...facts });
    if (facts.retryAfterMs !== undefined) this.retryAfterMs = facts.retryAfterMs;
  }
}
