// Warnings: something has no effect, has an unknown name, or may not work with the CLI that was found. None ends a
// session.

/** The codes of warnings about options; other parts of a session add codes of their own. */
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
  | 'CLI_VERSION_UNKNOWN'
  | 'CLI_VERSION_UNSUPPORTED';

/** Something that looks wrong but does not end the session; `code` is stable and meant for `switch`. */
export interface InboardWarning {
  code: OptionWarningCode | (string & Record<never, never>);
  message: string;
  /** The options it is about, by name. */
  options?: readonly string[];
  /** What went wrong, where an error led to the warning. */
  error?: Error;
}
