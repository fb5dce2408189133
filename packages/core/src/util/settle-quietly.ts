// Handles the rejections of promises that perhaps nobody awaits.

/** Returns the promise. If nobody awaits it, its rejection does not end the host process. */
export function settleQuietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
