// Knows the errors of a session that another CLI of this machine still has.
import { LaunchError, ProcessExitError, SessionClosedError } from '@inboard/core/errors.js';

/**
 * Whether an older attempt on this machine has a CLI under the same id, and has saved nothing yet. Its process may be stopped, so it
 * is not waited for here.
 */
export function saysRunning(error: unknown): boolean {
  if (error instanceof SessionClosedError) return saysRunning(error.cause);
  if (error instanceof ProcessExitError) return error.stderrTail?.includes('already in use') === true;
  return error instanceof LaunchError && error.code === 'SESSION_RUNNING';
}
