// The calls of a session whose handlers returned `pending()`: records them, and watches the records until another part of this
// program, or another process, has completed them.
import type { PendedCall, RefusedPending } from '../../../answer/mcp/binding/cli-link.js';
import { errorResult } from '../../../answer/mcp/result/content-helpers.js';
import type { CallToolResult } from '../../../answer/mcp/result/tool-content.js';
import { foldFacts, isOpenPending } from '../../../record/calls/fold-facts.js';
import { watchRecords } from '../../../record/calls/watch-records.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import { messageOf } from '../../../util/message-of.js';
import { clock } from '../../../util/system/clock.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { CallRecords, RecordedCall } from '../../../wire/protocol/config/call-records.js';
import { PENDING_WITHDRAWN } from './result-texts.js';
import { runningCalls } from './running-calls.js';

/** A call that waits for its result. */
export interface OpenPending extends RecordedCall {
  readonly note?: string | undefined;
  /** In milliseconds since 1970. */
  readonly since: number;
}

interface Followed {
  readonly call: OpenPending;
  readonly result: Deferred<CallToolResult>;
  isSettled: boolean;
}

/** The pending calls that one conversation waits for. */
export class PendingCalls {
  readonly #records: CallRecords;
  readonly #onFailure: (error: unknown) => void;
  readonly #followed = new Map<string, Followed>();
  readonly #listeners = new Set<() => void>();
  #stopWatching: (() => void) | undefined;
  #hasFailed = false;

  constructor(records: CallRecords, onFailure: (error: unknown) => void = () => {}) {
    this.#records = records;
    this.#onFailure = onFailure;
  }

  /** The calls that wait now, in the order in which they began to. */
  list(): OpenPending[] {
    return [...this.#followed.values()].flatMap(({ call, isSettled }) => (isSettled ? [] : [call]));
  }

  /** Calls the listener whenever the list has changed. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Records a call as pending, and resolves with its result. `findEnd` is asked once it is recorded: the turn may have been
   * stopped in the meantime, and a call that nobody waits for must not stay open.
   */
  async pend(
    call: RecordedCall,
    pended: PendedCall,
    findEnd: () => 'stopped' | 'abandoned' | undefined = () => undefined,
  ): Promise<CallToolResult | RefusedPending> {
    const { note, output } = pended;
    const { callKey } = call;
    const at = clock.Date.now();
    try {
      await this.#records.add(withoutUndefined({ type: 'pending' as const, callKey, note, output, at }));
    } catch (error) {
      return { refused: `it could not be recorded (${messageOf(error)})` };
    }
    const end = findEnd();
    if (end !== undefined) {
      if (end === 'stopped') await this.withdraw(callKey);
      return errorResult(PENDING_WITHDRAWN);
    }
    const result = this.follow({ ...call, note, since: at });
    pended.onPending(callKey);
    return await result;
  }

  /** Resolves when the call has been completed, or with an error result when it was withdrawn. Ends with `end`, too. */
  follow(call: OpenPending): Promise<CallToolResult> {
    const result = createQuietDeferred<CallToolResult>();
    this.#followed.set(call.callKey, { call: withoutUndefined(call), result, isSettled: false });
    this.#tell();
    if (this.#stopWatching) void this.#look().catch(() => {});
    else this.#stopWatching = watchRecords(this.#records, () => this.#look());
    return result.promise;
  }

  /** Follows a call no longer. Returns how it stood: undefined for a call that is not pending. */
  end(callKey: string): 'open' | 'settled' | undefined {
    const followed = this.#followed.get(callKey);
    if (!followed) return undefined;
    this.#followed.delete(callKey);
    if (this.#followed.size === 0) this.stop();
    this.#tell();
    return followed.isSettled ? 'settled' : 'open';
  }

  /** Records that the result of a call is not taken any more. */
  async withdraw(callKey: string): Promise<void> {
    try {
      await this.#records.add({ type: 'withdrawn', callKey, at: clock.Date.now() });
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /**
   * Withdraws the calls of an earlier turn that the conversation goes on without, before the turn of this message begins. No
   * turn would get their results. If the message is sent again, its turn may make the same calls again. Without a message, the
   * turn of the calls was stopped.
   */
  async withdrawForgotten(message?: string): Promise<void> {
    try {
      const known = foldFacts(await this.#records.load());
      if (message !== undefined && known.covers(message)) return;
      for (const state of known.list()) {
        const { callKey } = state;
        const isKnown = this.#followed.has(callKey) || runningCalls.find(callKey) !== undefined;
        if (isOpenPending(state) && !isKnown) await this.withdraw(callKey);
      }
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Ends the watch. What is pending stays so in the records. */
  stop(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  async #look(): Promise<void> {
    let known: ReturnType<typeof foldFacts>;
    try {
      known = foldFacts(await this.#records.load());
    } catch (cause) {
      if (!this.#hasFailed)
        this.#onFailure(new Error('Results that are pending cannot be read at the moment', { cause }));
      this.#hasFailed = true;
      throw cause;
    }
    this.#hasFailed = false;
    for (const [callKey, followed] of this.#followed) {
      const state = known.get(callKey);
      const isWithdrawn = state?.pending?.withdrawnAt !== undefined;
      if (followed.isSettled || (!state?.ended && !isWithdrawn)) continue;
      followed.isSettled = true;
      followed.result.resolve(
        state?.ended ? (state.ended.result as CallToolResult) : errorResult(PENDING_WITHDRAWN),
      );
      this.#tell();
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
