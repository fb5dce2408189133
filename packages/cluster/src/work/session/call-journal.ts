// Writes every in-process tool call of a conversation into the journal before its handler runs. A call that a worker began
// before it died is answered as its tool's `onRepeat` says. While the worker drains, new calls wait.
import { takePending } from '@inboard/core/answer/mcp/call/pending-takers.js';
import type { PendedCall } from '@inboard/core/answer/mcp/binding/cli-link.js';
import type { CallToolResult } from '@inboard/core/answer/mcp/result/tool-content.js';
import { errorResult } from '@inboard/core/answer/mcp/result/content-helpers.js';
import type { AroundTool, AroundToolCall } from '@inboard/core/answer/mcp/tool/tool-events.js';
import { LeaseLostError } from '@inboard/core/errors.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { isPlainJson } from '@inboard/core/util/plain-json.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { OpenCalls } from '@inboard/durable/attempt/open-calls.js';
import { decideRepeat } from '@inboard/durable/attempt/repeated-calls.js';
import type { RecordedResult } from '@inboard/core/wire/protocol/config/call-records.js';
import { NO_RESULT, WAITING, WORKING } from '../../journal/call-facts.js';
import type { Journal } from '../../journal/journal.js';
import { pendingIdOf, type NewJournalQuestion } from '../../journal/journal-question.js';
import type { Json, KnownCall } from '../../journal/records.js';
import { runAsCall } from './cluster-call.js';
import type { HeldLease } from '../host/held-lease.js';
import type { PendingWaits } from './pending-waits.js';
import type { SessionTurns } from './session-turns.js';
import type { EmitWorkerEvent } from '../host/worker-settings.js';

export interface CallJournalInput {
  journal: Journal;
  lease: HeldLease;
  tenant: string | undefined;
  sessionId: string;
  /** The agent's own `aroundTool`. */
  aroundTool: AroundTool | undefined;
  turns: SessionTurns;
  pendings: PendingWaits;
  emit: EmitWorkerEvent;
}

/** The calls of one session. */
export class CallJournal {
  readonly #input: CallJournalInput;
  /** What the calls that have begun do. A call that is held back has not. */
  readonly open = new OpenCalls();
  /** Set while the worker drains. It never resolves, because the session ends first. */
  #held: Deferred<never> | undefined;
  #heldCalls = 0;
  #isClosed = false;

  constructor(input: CallJournalInput) {
    this.#input = input;
  }

  /** How many calls wait because the worker drains. */
  get heldBack(): number {
    return this.#heldCalls;
  }

  /** Holds back all calls from now on. */
  holdBack(): void {
    this.#held ??= createQuietDeferred();
  }

  /**
   * Called when the CLI is gone. Results that handlers still return reach no CLI and are not stored. The outcomes of those
   * calls stay unknown.
   */
  close(): void {
    this.#isClosed = true;
    this.#held?.reject(this.#lost());
  }

  /** The session's option `aroundTool`. */
  readonly around: AroundTool = async (call, run) => {
    if (this.#held) {
      this.#heldCalls += 1;
      this.#input.turns.review();
      await this.#held.promise;
    }
    const { callKey } = call;
    this.open.begin(callKey, call);
    this.#input.turns.review();
    try {
      return await this.#run(call, run);
    } finally {
      this.open.end(callKey);
      this.#input.turns.review();
    }
  };

  /**
   * Waits for a person on behalf of a call. If the worker dies or the turn is parked in the meantime, the call is made again.
   */
  async waitForPerson<T>(callKey: string | undefined, wait: () => Promise<T>): Promise<T> {
    if (callKey === undefined || !this.open.has(callKey)) return await wait();
    this.open.wait(callKey);
    this.#input.turns.review();
    try {
      await this.#mark(callKey, WAITING);
      return await wait();
    } finally {
      this.open.goOn(callKey);
      this.#input.turns.review();
      // The mark is written before the handler goes on, because from then on the handler may have an effect.
      if (!this.#isClosed && !this.open.isWaiting(callKey)) await this.#mark(callKey, WORKING);
    }
  }

  async #run(call: AroundToolCall, run: () => unknown): Promise<unknown> {
    const { journal, lease, turns, tenant, aroundTool } = this.#input;
    const { callKey, toolName, input, attempt } = call;
    const { fence } = lease;
    const record = { callKey, turn: turns.turnId(), toolName, input: toJson(input) };
    const begun = readKnown(await lease.write(() => journal.beginCall(fence, record)));
    const known = begun.state === 'begun' ? await this.#findPending(call) : begun;
    if (known.state === 'pending') return await this.#awaitPending(call, known.question);
    const answer = known.state === 'new' ? undefined : this.#repeat(call, known);
    if (answer !== undefined) return answer;
    const isAgain = known.state !== 'new';
    takePending(call, (pended) => this.#pend(call, pended, isAgain));
    if (known.wasWaiting) await this.#mark(callKey, WORKING);
    const clusterCall = { key: fence.key, turn: record.turn, tenant, callKey, attempt, fence };
    // The lease is checked once more. The CLI may have ended while the journal wrote the call down, or while the agent's own
    // `aroundTool` did something.
    const runHeld = (): unknown => {
      lease.demand();
      if (this.#isClosed) throw this.#lost();
      return run();
    };
    let result: unknown;
    try {
      result = await runAsCall(clusterCall, () => (aroundTool ? aroundTool(call, runHeld) : runHeld()));
    } catch (error) {
      await this.#end(callKey, errorResult(error));
      throw error;
    }
    await this.#end(callKey, result);
    return result;
  }

  /** Looks for the pending result of a call that was begun before. */
  async #findPending({ callKey }: AroundToolCall): Promise<Known> {
    const { journal, lease } = this.#input;
    const filter = { id: pendingIdOf(callKey), key: lease.fence.key, answered: true };
    const [question] = await lease.write(() => journal.questions(filter));
    if (!question) return { state: 'begun', wasWaiting: false };
    if (!question.answer) return { state: 'pending', question, wasWaiting: false };
    return { state: 'ended', result: toJson(question.answer.ended ?? NO_RESULT), wasWaiting: false };
  }

  /** Leaves a call open whose handler returned `pending()`. If it ran before, that result no longer counts. */
  async #pend(call: AroundToolCall, pended: PendedCall, isAgain: boolean): Promise<CallToolResult> {
    const { journal, lease, sessionId } = this.#input;
    const { callKey, toolName, input, attempt } = call;
    const { note, output, onPending } = pended;
    const id = pendingIdOf(callKey);
    if (isAgain) await lease.write(() => journal.withdraw(lease.fence, id));
    const question: NewJournalQuestion = {
      id,
      kind: 'pending',
      attempt,
      askedAt: clock.Date.now(),
      toolName,
      input: isRecord(input) ? (toJson(input) as Record<string, unknown>) : {},
      sessionId,
      ...(note !== undefined && { title: note }),
      pending: withoutUndefined({ callKey, note, output }),
    };
    return (await this.#awaitResult(callKey, question, () => onPending(callKey))) as CallToolResult;
  }

  /** Waits for the result of a call that is pending already, as the model makes it again. */
  async #awaitPending({ callKey }: AroundToolCall, question: NewJournalQuestion): Promise<unknown> {
    const result = await this.#awaitResult(callKey, question);
    await this.#end(callKey, result);
    return result;
  }

  async #awaitResult(
    callKey: string,
    question: NewJournalQuestion,
    onStored: () => void = () => {},
  ): Promise<RecordedResult> {
    this.open.wait(callKey);
    try {
      return await this.#input.pendings.wait(question, onStored);
    } finally {
      this.open.goOn(callKey);
      this.#input.turns.review();
    }
  }

  /** The answer to a call that was begun before. Undefined if the call runs again. */
  #repeat(call: AroundToolCall, known: Exclude<Known, { state: 'new' | 'pending' }>): unknown {
    const { callKey, toolName, onRepeat } = call;
    const result = known.state === 'ended' && isRecord(known.result) ? known.result : undefined;
    const decision = decideRepeat(onRepeat, { isWaiting: false, result });
    const { answer } = decision;
    const { emit, lease, turns } = this.#input;
    emit({ type: 'call-repeated', key: lease.fence.key, turn: turns.turnId(), toolName, callKey, answer });
    return decision.result;
  }

  async #end(callKey: string, result: unknown): Promise<void> {
    if (this.#isClosed) return;
    const { journal, lease, emit } = this.#input;
    try {
      await lease.write(() => journal.endCall(lease.fence, callKey, toJson(result)));
    } catch (error) {
      // This call is not affected. Only if it is repeated, its result is unknown.
      emit({ type: 'trouble', key: lease.fence.key, where: 'journal', error });
    }
  }

  /** Why nothing can be done under the lease. If it is not lost, the worker is giving it back. */
  #lost(): LeaseLostError {
    const { fence, loss } = this.#input.lease;
    return new LeaseLostError(fence, { reason: loss ?? 'released' });
  }

  async #mark(callKey: string, mark: string): Promise<void> {
    const { journal, lease } = this.#input;
    await lease.write(() => journal.endCall(lease.fence, callKey, mark));
  }
}

type Known =
  | { state: 'new'; wasWaiting: boolean }
  | { state: 'begun'; wasWaiting: false }
  | { state: 'pending'; question: NewJournalQuestion; wasWaiting: false }
  | { state: 'ended'; result: Json; wasWaiting: false };

/** Reads what is known of a call. `WAITING` and `WORKING` are stored in place of a result, but are not results. */
function readKnown(known: KnownCall): Known {
  if (known.state !== 'ended') return { state: known.state, wasWaiting: false };
  if (known.result === WAITING) return { state: 'new', wasWaiting: true };
  if (!isRecord(known.result)) return { state: 'begun', wasWaiting: false };
  return { state: 'ended', result: known.result, wasWaiting: false };
}

/** A value as JSON carries it. */
function toJson(value: unknown): Json {
  if (value === undefined) return null;
  return (isPlainJson(value) ? value : JSON.parse(JSON.stringify(value))) as Json;
}
