// The pending calls of a tool harness: a test sees each of them, and completes it as another process would.
import type { PendedCall } from '@inboard/core/answer/mcp/binding/cli-link.js';
import type { CallToolResult } from '@inboard/core/answer/mcp/result/tool-content.js';
import { completeCall, type PendingValue } from '@inboard/core/calls/pending/complete-call.js';
import { foldFacts } from '@inboard/core/record/calls/fold-facts.js';
import { createMemoryCallRecords } from '@inboard/core/record/calls/memory-call-records.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';

/** A call of the harness whose handler returned `pending()`. */
export interface HarnessPending {
  /** The tool's own name. */
  readonly tool: string;
  /** The key that the handler saw as `extra.callKey`. */
  readonly callKey: string;
  /** What the handler gave to `pending()`. */
  readonly note: string | undefined;
  /** Gives the call its result. Rejects with a CallError, like `complete` of `createCalls()`. */
  complete(value: unknown): Promise<void>;
  /** Gives the call an error as its result. */
  fail(error: Error | string): Promise<void>;
}

interface Waiter {
  readonly tool: string | undefined;
  readonly found: Deferred<HarnessPending>;
}

/** The pending calls of one harness. */
export class HarnessPendingCalls {
  readonly #sessionId: string;
  readonly #records = createMemoryCallRecords();
  readonly #unseen: HarnessPending[] = [];
  readonly #waiters: Waiter[] = [];
  #closedBy: Error | undefined;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** The next call that is pending and that no one has asked for yet. Rejects once the harness is closed. */
  next(tool: string | undefined): Promise<HarnessPending> {
    if (this.#closedBy) return Promise.reject(this.#closedBy);
    const index = this.#unseen.findIndex((call) => tool === undefined || call.tool === tool);
    const [known] = index < 0 ? [] : this.#unseen.splice(index, 1);
    if (known) return Promise.resolve(known);
    const found = createQuietDeferred<HarnessPending>();
    this.#waiters.push({ tool, found });
    return found.promise;
  }

  /** Takes a call, and resolves with its result. `show` gets the call instead of `next`. */
  async pend(pended: PendedCall, show: ((call: HarnessPending) => unknown) | undefined): Promise<CallToolResult> {
    const { callKey, note, output, onPending } = pended;
    const { tool } = output;
    const at = Date.now();
    await this.#records.add({ type: 'begun', callKey, toolName: tool, input: {}, attempt: 1, owner: 'test', at });
    await this.#records.add(withoutUndefined({ type: 'pending' as const, callKey, note, output, at }));
    const result = createQuietDeferred<CallToolResult>();
    const settle = async (value: PendingValue): Promise<void> => {
      await completeCall(this.#records, { callKey, sessionId: this.#sessionId, by: 'test' }, value);
      const ended = foldFacts(await this.#records.load()).get(callKey)?.ended;
      result.resolve(ended?.result as CallToolResult);
    };
    onPending(callKey);
    const call: HarnessPending = {
      tool,
      callKey,
      note,
      complete: (value) => settle({ value }),
      fail: (error) => settle({ error }),
    };
    if (show) await show(call);
    else this.#show(call);
    return await result.promise;
  }

  /** The call of this key is over. A value that comes later is refused. */
  async withdraw(callKey: string): Promise<void> {
    await this.#records.add({ type: 'withdrawn', callKey, at: Date.now() });
  }

  close(reason: Error): void {
    this.#closedBy = reason;
    for (const { found } of this.#waiters.splice(0)) found.reject(reason);
  }

  #show(call: HarnessPending): void {
    const index = this.#waiters.findIndex(({ tool }) => tool === undefined || tool === call.tool);
    const [waiter] = index < 0 ? [] : this.#waiters.splice(index, 1);
    if (waiter) waiter.found.resolve(call);
    else this.#unseen.push(call);
  }
}
