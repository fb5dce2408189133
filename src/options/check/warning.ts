// Doubts about a session that goes on: something was asked for that has no effect, is spelled unlike any
// known name, or may not work with the CLI at hand.

/** The warnings about options; other parts of a session add codes of their own. */
export type OptionWarningCode =
  | 'UNKNOWN_OPTION'
  | 'UNKNOWN_VALUE'
  | 'UNKNOWN_HOOK_EVENT'
  | 'OPTION_IGNORED'
  | 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED'
  | 'ENV_VARIABLE_DROPPED'
  | 'ARGUMENTS_LARGE'
  | 'CLI_VERSION_UNKNOWN'
  | 'CLI_VERSION_UNSUPPORTED';

/** Something doubtful; `code` is stable and meant for `switch`. */
export interface InboardWarning {
  code: OptionWarningCode | (string & Record<never, never>);
  message: string;
  /** The options it is about, by name. */
  options?: readonly string[];
  /** What went wrong, where an error led to the warning. */
  error?: Error;
}
