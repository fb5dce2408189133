// Records every request of a scripted model in order of arrival, and how its answer ended. Tests can wait for a request.
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { ModelRequest, ReceivedRequest, RequestKind, RequestOutcome } from './model-request.js';

interface LoggedRequest extends ModelRequest {
  outcome: RequestOutcome | undefined;
}

interface Waiter {
  readonly fits: (request: ModelRequest) => boolean;
  readonly found: Deferred<ModelRequest>;
}

/** Records requests. Other parts decide about their kinds and answers. */
export class RequestLog {
  readonly #requests: ModelRequest[] = [];
  readonly #settlers = new WeakMap<ModelRequest, (outcome: RequestOutcome) => void>();
  #waiters: Waiter[] = [];
  #closedBy: Error | undefined;

  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  /** Adds a request. The caller must call `settle` for it in every case. */
  add(received: ReceivedRequest, kind: RequestKind): ModelRequest {
    const settled = createDeferred<RequestOutcome>();
    const request: LoggedRequest = {
      index: this.#requests.length,
      kind,
      ...received,
      outcome: undefined,
      settled: settled.promise,
    };
    this.#requests.push(request);
    this.#settlers.set(request, (outcome) => {
      request.outcome = outcome;
      settled.resolve(outcome);
    });
    this.#offerToWaiters(request);
    return request;
  }

  settle(request: ModelRequest, outcome: RequestOutcome): void {
    this.#settlers.get(request)?.(outcome);
  }

  /** Resolves with the first request that fits, past or future. Rejects if `fits` throws, or if the log is closed before. */
  waitFor(fits: (request: ModelRequest) => boolean): Promise<ModelRequest> {
    const found = createDeferred<ModelRequest>();
    // A test that no longer waits must not fail because of the rejection.
    found.promise.catch(() => {});
    const waiter = { fits, found };
    if (this.#requests.some((request) => offer(waiter, request))) return found.promise;
    if (this.#closedBy === undefined) this.#waiters.push(waiter);
    else found.reject(this.#closedBy);
    return found.promise;
  }

  /** Closes the log, because no more requests come. Pending waits reject with the reason. */
  close(reason: Error): void {
    this.#closedBy = reason;
    for (const { found } of this.#waiters) found.reject(reason);
    this.#waiters = [];
  }

  #offerToWaiters(request: ModelRequest): void {
    this.#waiters = this.#waiters.filter((waiter) => !offer(waiter, request));
  }
}

/** Offers a request to a waiter. Returns true if the waiter is settled, because the request fits or `fits` threw. */
function offer({ fits, found }: Waiter, request: ModelRequest): boolean {
  try {
    if (!fits(request)) return false;
    found.resolve(request);
  } catch (error) {
    found.reject(error);
  }
  return true;
}
