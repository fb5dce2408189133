// The requests the other side puts to us: each has one signal and gets one answer. A signal is made
// only when an answerer asks for it, because most never do and a controller per call is not free.
import type { AnswerContext } from '../protocol/answer.js';

/** One open inbound request. */
export class InboundRequest implements AnswerContext {
  readonly requestId: string;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: unknown;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/** A table of open inbound requests. */
export class InboundRequests {
  readonly #open = new Map<string, InboundRequest>();

  get size(): number {
    return this.#open.size;
  }

  /** Undefined when the id is already open: the second copy must neither run nor be answered. */
  add(requestId: string): InboundRequest | undefined {
    if (this.#open.has(requestId)) return undefined;
    const inbound = new InboundRequest(requestId);
    this.#open.set(requestId, inbound);
    return inbound;
  }

  /** Removes a request; false when it was not open, so its answer must not be written. */
  close(requestId: string): boolean {
    return this.#open.delete(requestId);
  }

  cancel(requestId: string, reason: unknown): void {
    this.#open.get(requestId)?.cancel(reason);
  }

  cancelAll(reason: unknown): void {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const inbound of all) inbound.cancel(reason);
  }
}
