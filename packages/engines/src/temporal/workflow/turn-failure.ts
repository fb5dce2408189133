// What is told of the failure that ended a turn: the error that the last attempt has thrown, as its own text and type.

const MOST_ERROR_CHARACTERS = 2000;

/** The text of a failure, and its `type` if it has one. */
export interface TurnFailure {
  error: string;
  type?: string;
}

/**
 * Reads a failure. Temporal wraps what an attempt has thrown, so that is in the cause. What caused that error in turn belongs to it, and is
 * not told: its type would not be the one that a retry policy names.
 */
export function readTurnFailure(failure: unknown): TurnFailure {
  const { error, type } = read(failure);
  return { error: error.slice(0, MOST_ERROR_CHARACTERS), ...(type !== undefined && { type }) };
}

function read(failure: unknown): TurnFailure {
  const { activityType, timeoutType, cause, message, type } = failure as Record<string, unknown>;
  if (activityType !== undefined && cause instanceof Error) return read(cause);
  const error = typeof message === 'string' ? message : String(failure);
  if (typeof type === 'string') return { error, type };
  // That the time was over does not say why the attempts before have failed.
  if (timeoutType === undefined || !(cause instanceof Error)) return { error };
  const before = read(cause);
  return { ...before, error: `${error}. The attempt before failed: ${before.error}` };
}
