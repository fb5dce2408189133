// Listeners that the caller gives: nobody waits for them, and nothing they do, now or later, reaches the program as an
// error that it cannot catch.
import { isThenable } from './guards.js';
import { messageOf } from './message-of.js';
import { warnOnce } from './warn-once.js';

/** The code of a warning about a callback that threw or rejected. */
export const CALLBACK_FAILED = 'CALLBACK_FAILED';

/** Calls a listener whose result is not used; what it throws or rejects with goes to `onFault`, which must not throw. */
export function callListener(listen: () => unknown, onFault: (cause: unknown) => void): void {
  try {
    const given = listen();
    // Through `resolve`, since a foreign `then` may throw.
    if (isThenable(given)) Promise.resolve(given).then(undefined, onFault);
  } catch (cause) {
    onFault(cause);
  }
}

/** What a warning about a failed callback says. */
export function describeCallbackFault(callback: string, cause: unknown): string {
  return `The callback "${callback}" failed; further failures of it are not reported: ${messageOf(cause)}`;
}

/** Tells the process that a callback failed, once for each callback: a flood of warnings would hide the others. */
export function warnOfCallback(callback: string, cause: unknown): void {
  warnOnce(describeCallbackFault(callback, cause), CALLBACK_FAILED, callbackKey(callback));
}

/** Under which warnings about one callback count as the same. */
export function callbackKey(callback: string): string {
  return `${CALLBACK_FAILED} ${callback}`;
}
