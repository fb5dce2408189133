// Where the time of a session went: every moment is counted once, for the one thing that was waited for.

/** Milliseconds each; together they are the time from the first event to the last. */
export interface TimeShares {
  /** The model was asked and had not answered. */
  model: number;
  /** A person, or the callback in their place, was asked. */
  permission: number;
  /** A tool, hook or callback of the program ran. */
  code: number;
  /** A tool of the CLI ran. */
  cliTools: number;
  /** The CLI started, or did something between these. */
  overhead: number;
  /** Nothing was under way: the program had not asked for anything. */
  idle: number;
}
