// The requests the other side puts to us: each has one signal and gets one answer. A signal is made
// only when an answerer asks for it, because most never do and a controller per call is not free.
import type { AnswerContext } from '../protocol/answer.js';

/** One open inbound request. */
export class InboundRequest implements AnswerContext {
  readonly requestId: string;
  /** Whether replies of the other side may list it again. */
  readonly isRepeatable: boolean;
  #controller: AbortController | undefined;
  #cancelled = false;
  #reason: unknown;
  #leftOpen = false;

  constructor(requestId: string, isRepeatable = false) {
    this.requestId = requestId;
    this.isRepeatable = isRepeatable;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Whether the other side waits for an answer that is being worked on here. */
  get isAwaited(): boolean {
    return !this.#cancelled && !this.#leftOpen;
  }

  /** Whether neither side expects anything of it any more. */
  get isForgotten(): boolean {
    return this.#cancelled && this.#leftOpen;
  }

  /** Its answerer is done and gave no answer: that is up to somebody else. */
  leaveOpen(): void {
    this.#leftOpen = true;
  }

  /** Its answerer is at work again; false when it still is, or when there is nothing to work on. */
  resume(): boolean {
    if (!this.#leftOpen || this.#cancelled) return false;
    this.#leftOpen = false;
    return true;
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

  /** Those the other side waits for while somebody here works on them: neither withdrawn nor left to others. */
  get awaited(): number {
    let count = 0;
    for (const inbound of this.#open.values()) if (inbound.isAwaited) count += 1;
    return count;
  }

  /** Undefined when the id is already open: the second copy must neither run nor be answered. */
  add(requestId: string, isRepeatable = false): InboundRequest | undefined {
    if (this.#open.has(requestId)) return undefined;
    const inbound = new InboundRequest(requestId, isRepeatable);
    this.#open.set(requestId, inbound);
    return inbound;
  }

  /** A request that is put again: one that was left open goes back to its answerer, one that is being worked on does not. */
  addAgain(requestId: string): InboundRequest | undefined {
    const known = this.#open.get(requestId);
    if (!known) return this.add(requestId, true);
    return known.resume() ? known : undefined;
  }

  /** Removes a request; undefined when it was not open, so its answer must not be written. */
  close(requestId: string): InboundRequest | undefined {
    const inbound = this.#open.get(requestId);
    this.#open.delete(requestId);
    return inbound;
  }

  /** Its answerer gave no answer and will not; it may be settled by its id until it is withdrawn. */
  leaveOpen(requestId: string): void {
    const inbound = this.#open.get(requestId);
    inbound?.leaveOpen();
    if (inbound?.isForgotten) this.#open.delete(requestId);
  }

  /** The other side withdraws a request; one that is being worked on may still be answered. */
  cancel(requestId: string, reason: unknown): void {
    const inbound = this.#open.get(requestId);
    inbound?.cancel(reason);
    if (inbound?.isForgotten) this.#open.delete(requestId);
  }

  cancelAll(reason: unknown): void {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const inbound of all) inbound.cancel(reason);
  }
}
