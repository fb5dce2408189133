// The open requests of the CLI to us. Each has one signal and gets at most one answer. A signal is created only when an
// answerer reads it, because most answerers never do and a controller for each request takes time.
import { OpenTable } from '../../util/open-table.js';
import type { AnswerContext, WithdrawalWatcher } from '../protocol/answer.js';

/** A request of the CLI that is not settled yet. */
export class OpenRequest implements AnswerContext {
  readonly requestId: string;
  /** Whether the CLI may list it again in its replies. */
  readonly isRepeatable: boolean;
  /** The kind of the request; undefined if the CLI named none. */
  readonly subtype: unknown;
  #controller: AbortController | undefined;
  /** Whether its answer will be megabytes long. */
  isLong = false;
  #cancelled = false;
  #reason: unknown;
  #leftOpen = false;
  #watcher: WithdrawalWatcher | undefined;

  constructor(requestId: string, isRepeatable: boolean, subtype?: unknown) {
    this.requestId = requestId;
    this.isRepeatable = isRepeatable;
    this.subtype = subtype;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#cancelled) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  watch(watcher: WithdrawalWatcher): void {
    if (this.#cancelled) watcher.withdraw(this.#reason);
    else this.#watcher = watcher;
  }

  expectLong(): void {
    this.isLong = true;
  }

  get isWithdrawn(): boolean {
    return this.#cancelled;
  }

  /** Whether the CLI waits for an answer, and an answerer works on it. */
  get isAwaited(): boolean {
    return !this.#cancelled && !this.#leftOpen;
  }

  /** Whether its answerer has ended without an answer. */
  get isLeftOpen(): boolean {
    return this.#leftOpen;
  }

  /** Whether the CLI has withdrawn it and no answerer works on it. */
  get isForgotten(): boolean {
    return this.#cancelled && this.#leftOpen;
  }

  /** Notes that the answerer has ended without an answer. `Channel.answer` may give one later. */
  leaveOpen(): void {
    this.#leftOpen = true;
  }

  /** Gives the request back to its answerer. False when the answerer is still at work, or the request was withdrawn. */
  resume(): boolean {
    if (!this.#leftOpen || this.#cancelled) return false;
    this.#leftOpen = false;
    return true;
  }

  cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#reason = reason;
    this.#watcher?.withdraw(reason);
    this.#controller?.abort(reason);
  }
}

/** The table of open inbound requests. */
export class InboundRequests {
  readonly #open = new OpenTable<string, OpenRequest>();
  /** A running count, because it is read with every answer, and thousands of requests may be open. */
  #awaited = 0;

  get size(): number {
    return this.#open.size;
  }

  /** How many are being worked on: neither withdrawn nor left open. */
  get awaited(): number {
    return this.#awaited;
  }

  /** Whether this request object itself is open, and not only another one with its id. */
  has(inbound: OpenRequest): boolean {
    return this.#open.get(inbound.requestId) === inbound;
  }

  /** The requests that the CLI has not withdrawn, oldest first. */
  list(): OpenRequest[] {
    return this.#open.entries().flatMap(([, inbound]) => (inbound.isWithdrawn ? [] : [inbound]));
  }

  find(requestId: string): OpenRequest | undefined {
    return this.#open.get(requestId);
  }

  /** Adds a request. Undefined when its id is already open: the second copy must neither run nor be answered. */
  add(requestId: string, isRepeatable: boolean, subtype?: unknown): OpenRequest | undefined {
    if (this.#open.get(requestId)) return undefined;
    const inbound = new OpenRequest(requestId, isRepeatable, subtype);
    this.#open.set(requestId, inbound);
    this.#awaited += 1;
    return inbound;
  }

  /**
   * Adds a request that the CLI repeats, and returns it for its answerer. Returns undefined if an answerer works on it or
   * the CLI has withdrawn it.
   */
  addAgain(requestId: string, subtype?: unknown): OpenRequest | undefined {
    const known = this.#open.get(requestId);
    if (!known) return this.add(requestId, true, subtype);
    if (!known.resume()) return undefined;
    this.#awaited += 1;
    return known;
  }

  /** Removes this request object. False when it is not open: then its answer must not be written. */
  take(inbound: OpenRequest): boolean {
    if (this.#open.get(inbound.requestId) !== inbound) return false;
    if (inbound.isAwaited) this.#awaited -= 1;
    this.#open.delete(inbound.requestId);
    return true;
  }

  /** Removes a request by its id. Undefined when it was not open: then its answer must not be written. */
  close(requestId: string): OpenRequest | undefined {
    const inbound = this.#open.get(requestId);
    if (!inbound) return undefined;
    if (inbound.isAwaited) this.#awaited -= 1;
    this.#open.delete(requestId);
    return inbound;
  }

  /** Notes that the answerer gives no answer. The request can be settled by its id until it is withdrawn. */
  leaveOpen(requestId: string): void {
    const inbound = this.#open.get(requestId);
    if (inbound?.isAwaited) this.#awaited -= 1;
    inbound?.leaveOpen();
    if (inbound?.isForgotten) this.#open.delete(requestId);
  }

  /** Notes that the CLI withdraws a request. One that is being worked on may still be answered. */
  cancel(requestId: string, reason: unknown): void {
    const inbound = this.#open.get(requestId);
    if (inbound?.isAwaited) this.#awaited -= 1;
    inbound?.cancel(reason);
    if (inbound?.isForgotten) this.#open.delete(requestId);
  }

  cancelAll(reason: unknown): void {
    const all = this.#open.entries();
    this.#open.clear();
    this.#awaited = 0;
    for (const [, inbound] of all) inbound.cancel(reason);
  }
}
