// The timers of a call: the limit of its handler's time, and the sleep of a handler, which ends with the call.
import { ToolTimeoutError } from '../../../errors.js';

/** Calls `onLate` when a handler has taken too long. Returns a function that ends the limit. */
export function startLimit(
  toolName: string,
  ms: number,
  onLate: (error: ToolTimeoutError) => void,
): () => void {
  const timer = setTimeout(() => onLate(new ToolTimeoutError(toolName, ms)), ms);
  return () => clearTimeout(timer);
}

/** Sleeps for `ms`, or until the call is settled. */
export function sleepUntilSettled(ms: number, call: { whenSettled(react: () => void): void }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    call.whenSettled(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
