// A promise that is settled from outside. Node 20 has no `Promise.withResolvers`.

/** A promise and the functions that settle it. Settling it again has no effect. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Creates an unsettled promise. The code that may reject it must make sure that the rejection is handled. */
export function createDeferred<T>(): Deferred<T> {
  let resolve!: Deferred<T>['resolve'];
  let reject!: Deferred<T>['reject'];
  // oxlint-disable-next-line promise/param-names -- the usual names are taken by the variables
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Like `createDeferred`, for a promise that perhaps nobody awaits. Its rejection never counts as unhandled. */
export function createQuietDeferred<T>(): Deferred<T> {
  const deferred = createDeferred<T>();
  deferred.promise.catch(() => {});
  return deferred;
}
