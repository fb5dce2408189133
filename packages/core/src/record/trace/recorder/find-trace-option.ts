// Tells whether a session is to be recorded. Every session asks this, but only few load the recorder itself.

/** The option, or else the host's variable INBOARD_TRACE; undefined if neither asks for a trace. */
export function findTraceOption<Option>(
  option: Option | undefined,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Option | string | undefined {
  return option ?? (hostEnv['INBOARD_TRACE'] || undefined);
}
