// Our requests to the CLI that are waiting for a reply. Each is settled once: by its reply, its signal, a time limit, or
// the end of the channel.
import { AbortError, ControlRequestError } from '../../errors.js';
import { onAbort } from '../../util/on-abort.js';

/** A request of ours, with the callbacks for its reply. */
interface OutboundRequest {
  readonly requestId: string;
  readonly subtype: string;
  readonly signal?: AbortSignal | undefined;
  resolve(response: unknown): void;
  reject(error: Error): void;
  /** Called after the request was given up without a reply. */
  onGivenUp(): void;
}

/** The table of open outbound requests. */
export class OutboundRequests {
  readonly #open = new Map<string, { request: OutboundRequest; stopListening: (() => void) | undefined }>();

  get size(): number {
    return this.#open.size;
  }

  /** How many open requests have a subtype of this kind. */
  count(isKind: (subtype: string) => boolean): number {
    let count = 0;
    for (const { request } of this.#open.values()) if (isKind(request.subtype)) count += 1;
    return count;
  }

  /** Adds a request. Throws when its id is already open: then the request must not be written. */
  add(request: OutboundRequest): void {
    const { requestId, subtype, signal } = request;
    if (this.#open.has(requestId)) {
      throw new ControlRequestError(
        subtype,
        `A control request with the id "${requestId}" is already open; requests in flight must have different ids`,
        'duplicate_request_id',
      );
    }
    const stopListening = signal && onAbort(signal, () => this.#giveUp(request));
    this.#open.set(requestId, { request, stopListening });
  }

  /** Takes a request out of the table to settle it. Undefined for an id that is not open. */
  take(requestId: string): OutboundRequest | undefined {
    const entry = this.#open.get(requestId);
    this.#open.delete(requestId);
    entry?.stopListening?.();
    return entry?.request;
  }

  rejectAll(error: Error): void {
    for (const requestId of this.#open.keys()) this.take(requestId)?.reject(error);
  }

  #giveUp(request: OutboundRequest): void {
    this.take(request.requestId);
    request.reject(givenUp(request.subtype, request.signal));
    request.onGivenUp();
  }
}

/** The error of a request that its caller no longer wants. */
export function givenUp(subtype: string, signal: AbortSignal | undefined): AbortError {
  return new AbortError(`The control request "${subtype}" was abandoned by its caller`, {
    cause: signal?.reason,
  });
}

/** A random id. It cannot equal one of the CLI's ids, which are UUIDs. */
export function createRequestId(): string {
  return Math.random().toString(36).slice(2, 13).padEnd(11, '0');
}
