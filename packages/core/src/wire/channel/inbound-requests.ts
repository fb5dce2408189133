// The requests the CLI puts to us: each has one signal and gets one answer. A signal is created only when an answerer
// reads it, because most never do and a controller per call is not free.
import { OpenTable } from '../../util/open-table.js';
import type { AnswerContext, WithdrawalWatcher } from '../protocol/answer.js';

/** A request of the CLI that is not settled yet. */
export class OpenRequest implements AnswerContext {
  readonly requestId: string;
  /** Whether the CLI may list it again in its replies. */
  readonly isRepeatable: boolean;
  #controller: AbortController | undefined;
  /** Whether its answer is long. */
  isLong = false;
  #cancelled = false;
  #reason: unknown;
  #leftOpen = false;
  #watcher: WithdrawalWatcher | undefined;

  constructor(requestId: string, isRepeatable: boolean) {
    this.requestId = requestId;
    this.isRepeatable = isRepeatable;
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

  /** Whether the CLI waits for an answer that is being worked on here. */
  get isAwaited(): boolean {
    return !this.#cancelled && !this.#leftOpen;
  }

  /** Whether neither side expects anything of it any more. */
  get isForgotten(): boolean {
    return this.#cancelled && this.#leftOpen;
  }

  /** Its answerer is done and gave no answer; `Channel.answer` may do so later. */
  leaveOpen(): void {
    this.#leftOpen = true;
  }

  /** Goes back to its answerer; false when that is still at work, or when the request was withdrawn. */
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
  /** Counted as they change: it is asked for at every settlement, when thousands may be open. */
  #awaited = 0;

  get size(): number {
    return this.#open.size;
  }

  /** How many are being worked on: neither withdrawn nor left open. */
  get awaited(): number {
    return this.#awaited;
  }

  /** Whether this very request is open, not merely one with its id. */
  has(inbound: OpenRequest): boolean {
    return this.#open.get(inbound.requestId) === inbound;
  }

  find(requestId: string): OpenRequest | undefined {
    return this.#open.get(requestId);
  }

  /** Undefined when the id is already open: the second copy must neither run nor be answered. */
  add(requestId: string, isRepeatable: boolean): OpenRequest | undefined {
    if (this.#open.get(requestId)) return undefined;
    const inbound = new OpenRequest(requestId, isRepeatable);
    this.#open.set(requestId, inbound);
    this.#awaited += 1;
    return inbound;
  }

  /** A request that the CLI repeats: one that was left open goes back to its answerer, one being worked on does not. */
  addAgain(requestId: string): OpenRequest | undefined {
    const known = this.#open.get(requestId);
    if (!known) return this.add(requestId, true);
    if (!known.resume()) return undefined;
    this.#awaited += 1;
    return known;
  }

  /** Removes this very request; false when it is not open, so its answer must not be written. */
  take(inbound: OpenRequest): boolean {
    if (this.#open.get(inbound.requestId) !== inbound) return false;
    if (inbound.isAwaited) this.#awaited -= 1;
    this.#open.delete(inbound.requestId);
    return true;
  }

  /** Removes a request; undefined when it was not open, so its answer must not be written. */
  close(requestId: string): OpenRequest | undefined {
    const inbound = this.#open.get(requestId);
    if (!inbound) return undefined;
    if (inbound.isAwaited) this.#awaited -= 1;
    this.#open.delete(requestId);
    return inbound;
  }

  /** Its answerer gave no answer and will not; it may be settled by its id until it is withdrawn. */
  leaveOpen(requestId: string): void {
    const inbound = this.#open.get(requestId);
    if (inbound?.isAwaited) this.#awaited -= 1;
    inbound?.leaveOpen();
    if (inbound?.isForgotten) this.#open.delete(requestId);
  }

  /** The CLI withdraws a request; one that is being worked on may still be answered. */
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
