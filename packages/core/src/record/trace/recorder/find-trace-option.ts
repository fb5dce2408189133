// Whether a session is to be recorded: asked of every session, and apart from the recorder, which few load.

/** What the option says, else the variable INBOARD_TRACE of the host; undefined where neither asks for a trace. */
export function findTraceOption<Option>(
  option: Option | undefined,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Option | string | undefined {
  return option ?? (hostEnv['INBOARD_TRACE'] || undefined);
}
