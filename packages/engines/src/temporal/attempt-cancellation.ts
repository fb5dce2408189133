// Why Temporal wants an attempt to end, and what that means for its turn: a person stopped it, or another attempt goes on with it.
import type { ActivityContext } from './activity-library.js';

/** Why an activity was cancelled. */
export type CancellationCause =
  /** The workflow cancelled the attempt: a person stopped the turn. */
  | 'requested'
  /** The worker shuts down. Another worker goes on with the turn. */
  | 'worker shutdown'
  /** Temporal has given the attempt up, and makes the next one. */
  | 'timeout'
  /** Somebody paused the activity. The next attempt comes when it is unpaused. */
  | 'paused'
  /** Somebody reset the activity. The next attempt comes at once. */
  | 'reset'
  /** The server does not know the attempt any more: its workflow was terminated, and nothing goes on, or it gave the attempt up. */
  | 'gone'
  | 'unknown';

/** Reads why the activity was cancelled. Its signal must have aborted. */
export function readCancellation({
  cancellationSignal,
  cancellationDetails,
}: ActivityContext): CancellationCause {
  const { cancelRequested, notFound, paused, reset, timedOut, workerShutdown } = cancellationDetails ?? {};
  // A turn that a person stopped must not go on, whatever else is true.
  if (cancelRequested) return 'requested';
  if (notFound) return 'gone';
  if (timedOut) return 'timeout';
  if (reset) return 'reset';
  if (paused) return 'paused';
  if (workerShutdown) return 'worker shutdown';
  return readReason(cancellationSignal.reason);
}

/** At the end of its grace time a worker gives its reason only as the message of the signal's error. */
function readReason(reason: unknown): CancellationCause {
  switch (reason instanceof Error ? reason.message : undefined) {
    case 'CANCELLED':
      return 'requested';
    case 'WORKER_SHUTDOWN':
      return 'worker shutdown';
    case 'TIMED_OUT':
      return 'timeout';
    case 'PAUSED':
      return 'paused';
    case 'RESET':
      return 'reset';
    case 'NOT_FOUND':
      return 'gone';
    default:
      return 'unknown';
  }
}
