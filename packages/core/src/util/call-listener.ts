// Calls listeners of the program. They are not awaited. If one throws or rejects, that does not become an uncaught error.
import { isThenable } from './guards.js';
import { messageOf } from './message-of.js';
import { warnOnce } from './warn-once.js';

/** The code of a warning about a callback that threw or rejected. */
export const CALLBACK_FAILED = 'CALLBACK_FAILED';

/** Calls a listener whose result is not used. If it throws or rejects, `onFault` gets the cause, and must not throw. */
export function callListener(listen: () => unknown, onFault: (cause: unknown) => void): void {
  try {
    const given = listen();
    // `Promise.resolve` catches an error that a foreign `then` may throw.
    if (isThenable(given)) Promise.resolve(given).then(undefined, onFault);
  } catch (cause) {
    onFault(cause);
  }
}

/** The text of a warning about a failed callback. */
export function describeCallbackFault(callback: string, cause: unknown): string {
  return `The callback "${callback}" failed; further failures of it are not reported: ${messageOf(cause)}`;
}

/** Emits a process warning that a callback failed. It does so once for each callback, to avoid a flood of warnings. */
export function warnOfCallback(callback: string, cause: unknown): void {
  warnOnce(describeCallbackFault(callback, cause), CALLBACK_FAILED, callbackKey(callback));
}

/** The key under which warnings about one callback count as the same. */
export function callbackKey(callback: string): string {
  return `${CALLBACK_FAILED} ${callback}`;
}
