// The requests we put to the other side and wait for: one id space, one settlement each.

interface PendingRequest {
  readonly subtype: string;
  resolve(response: unknown): void;
  reject(error: Error): void;
}

/** A table of open outbound requests. */
export class PendingRequests {
  readonly #open = new Map<string, PendingRequest>();

  get size(): number {
    return this.#open.size;
  }

  /** False when the id is already open: the second request must not be written. */
  add(requestId: string, pending: PendingRequest): boolean {
    if (this.#open.has(requestId)) return false;
    this.#open.set(requestId, pending);
    return true;
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
