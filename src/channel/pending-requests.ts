// The requests we put to the other side and wait for: one id space, one settlement each.
import { SessionClosedError } from '../errors.js';

interface PendingRequest {
  resolve(response: unknown): void;
  reject(error: Error): void;
}

/** A table of open outbound requests. */
export class PendingRequests {
  readonly #open = new Map<string, PendingRequest>();

  get size(): number {
    return this.#open.size;
  }

  has(requestId: string): boolean {
    return this.#open.has(requestId);
  }

  add(requestId: string, pending: PendingRequest): void {
    if (this.#open.has(requestId)) {
      throw new SessionClosedError(`A control request with the id "${requestId}" is already open`);
    }
    this.#open.set(requestId, pending);
  }

  /** Takes a request out of the table; undefined for an id that is not (or no longer) open. */
  take(requestId: string): PendingRequest | undefined {
    const pending = this.#open.get(requestId);
    this.#open.delete(requestId);
    return pending;
  }

  rejectAll(error: Error): void {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const pending of all) pending.reject(error);
  }
}
