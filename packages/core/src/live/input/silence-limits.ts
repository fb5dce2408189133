// How long a CLI may be silent, by what it has left to do. `input-lifetime` measures the silence.

/**
 * Silence between turns after which the CLI counts as done, even if a message seems unanswered. A waiting message
 * starts its turn within milliseconds of the last result.
 */
export const BETWEEN_TURNS_SILENCE_MS = 5_000;
/**
 * Silence after which the CLI counts as done while a control request of ours is open. Together with `DEAD_LINGER_MS`, the CLI
 * is gone within ten seconds of its last sign of life.
 */
const REQUEST_SILENCE_MS = 7_000;
/** The longer limit for a request whose answer may wait for a person, a model, a tool or the network. */
const LONG_REQUEST_SILENCE_MS = 60_000;
/**
 * Silence after a result, while work is still open, after which nothing more is expected. It equals the CLI's own
 * limit for background work.
 */
const WORKING_SILENCE_MS = 600_000;
/** Silence after the end of input, after which a CLI with nothing left to do should have exited. */
const LINGER_SILENCE_MS = 10_000;
/** The limit after the end of input for a CLI whose input was ended because it left a request unanswered. */
const DEAD_LINGER_MS = 2_000;
/** The limit after the end of input if the CLI may be making a prompt suggestion. The CLI itself waits 30 s for one. */
const SUGGESTION_LINGER_MS = 40_000;

/** What a CLI may have left to do while its input is open. */
interface OpenWork {
  /** Whether a background task holds the input. */
  readonly isTaskHolding: boolean;
  /** Whether the CLI leaves requests open that it should answer at once. */
  readonly leavesRequestsOpen: boolean;
  readonly isBetweenTurns: boolean;
  /** The number of our control requests that are open. */
  readonly openRequests: number;
}

/** How long the CLI may be silent after a result, until its input ends. */
export function limitOpenSilence({
  isTaskHolding,
  leavesRequestsOpen,
  isBetweenTurns,
  openRequests,
}: OpenWork): number {
  if (isTaskHolding) return WORKING_SILENCE_MS;
  if (leavesRequestsOpen) return REQUEST_SILENCE_MS;
  if (!isBetweenTurns) return WORKING_SILENCE_MS;
  return openRequests > 0 ? LONG_REQUEST_SILENCE_MS : BETWEEN_TURNS_SILENCE_MS;
}

/** What a CLI may have left to do after its input has ended. */
interface LingeringWork {
  /** Whether the input was ended because the CLI left a request unanswered. */
  readonly seemsDead: boolean;
  /** Whether the CLI still has work, or waits for a shell. */
  readonly isAtWork: boolean;
  /** Whether a prompt suggestion may come. */
  readonly expectsSuggestion: boolean;
}

/** How long the CLI may stay silent after its input has ended, until it is ended itself. */
export function limitLinger({ seemsDead, isAtWork, expectsSuggestion }: LingeringWork): number {
  if (seemsDead) return DEAD_LINGER_MS;
  if (isAtWork) return WORKING_SILENCE_MS;
  return expectsSuggestion ? SUGGESTION_LINGER_MS : LINGER_SILENCE_MS;
}
