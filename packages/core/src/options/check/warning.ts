// The type of warnings, and their codes. A warning says that something looks wrong. It never ends a session.
// `warning-guide` says what to do about each code.
import type { HookWarning } from '../../answer/hooks/hook-warnings.js';
import type { ToolWarning } from '../../answer/mcp/tool/tool-events.js';

/** The codes of warnings about options. */
export type OptionWarningCode =
  | 'UNKNOWN_OPTION'
  | 'UNKNOWN_VALUE'
  | 'UNKNOWN_HOOK_EVENT'
  | 'UNKNOWN_TOOL_NAME'
  | 'OPTION_IGNORED'
  | 'OPTION_MISPLACED'
  | 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED'
  | 'ENV_VARIABLE_DROPPED'
  | 'ARGUMENTS_LARGE'
  | 'SCHEMA_LIMITS_UNCHECKED'
  | 'LOCAL_CLI_IGNORED'
  | 'SESSION_LEFTOVER'
  | 'CLI_VERSION_UNKNOWN'
  | 'CLI_VERSION_UNSUPPORTED';

/**
 * The codes of warnings about hooks, servers, tools, their calls and the transcript. An error that does not end the
 * session is reported under its own code.
 */
export type SessionWarningCode =
  | HookWarning['code']
  | ToolWarning['code']
  | 'CALL_RECORDS_ONLY_HERE'
  | 'CLI_KEPT_WAITING'
  | 'PARALLEL_CALL_REFUSED'
  | 'PERMISSION_CHANGE_LOST'
  | 'SETTINGS_HOOKS_NOT_RUN'
  | 'TOOLS_DEFERRED'
  | 'TOOLS_MISSING'
  | 'TOOL_NOT_ALLOWED'
  | 'TRANSCRIPT_KEPT'
  | 'TRANSCRIPT_LOST'
  | 'WARNING';

/** Something that looks wrong but does not end the session. `code` is stable, and is meant to be compared. */
export interface InboardWarning {
  code: OptionWarningCode | SessionWarningCode | (string & Record<never, never>);
  message: string;
  /** The names of the options that it is about. */
  options?: readonly string[];
  /** The error that led to the warning, if there is one. */
  error?: Error;
}
