// For promises that may not be awaited.

/** Returns the promise, and keeps its rejection from crashing the host when its caller does not await it. */
export function settleQuietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
