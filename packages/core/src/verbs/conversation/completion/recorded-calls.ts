// Records what happens to the calls of a conversation, so that each gets its true result even if the CLI or this process dies.
// The facts say which turns are covered, what people are asked and answer, and when a handler begins, waits and ends.
// This file only writes facts. `call-completion` decides what they mean after a restart.
import { errorResult } from '../../../answer/mcp/result/content-helpers.js';
import { replyWith } from '../../../answer/mcp/binding/rpc-message.js';
import type { McpAnswer, McpReply } from '../../../answer/mcp/answer-mcp-message.js';
import type {
  OpenCall,
  PendedCall,
  PersonalWait,
  RefusedPending,
} from '../../../answer/mcp/binding/cli-link.js';
import type { CallToolResult } from '../../../answer/mcp/result/tool-content.js';
import type { ToolProgress } from '../../../answer/mcp/tool/tool-events.js';
import type { CallRecorder, ToolRequest } from '../../../live/tooling/call-recorder.js';
import { isThenable } from '../../../util/guards.js';
import { Later } from '../../../util/later.js';
import { clock } from '../../../util/system/clock.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { CallIdentity, IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { CallFact, CallRecords } from '../../../wire/protocol/config/call-records.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { CoveredTurns, type Coverage } from './covered-turns.js';
import { EarlierCalls } from './earlier-calls.js';
import type { OpenWaits } from './open-waits.js';
import { PendingCalls } from './pending-calls.js';
import { readRecordedResult } from './read-result.js';
import { ProgressNotes } from './progress-notes.js';
import { RecordedQuestions } from './recorded-questions.js';
import { DID_NOT_RUN } from './result-texts.js';
import { runningCalls } from './running-calls.js';
import { addFact, requireFact, type FactWriting } from './write-fact.js';

/** What a conversation gives to its recorder. */
export interface RecordedCallsInput extends Coverage {
  readonly records: CallRecords;
  readonly identify: IdentifyCall;
  /** Called when a fact could not be stored. After a crash, the outcome of its call is unknown. */
  readonly onFailure: (error: unknown) => void;
  /** Is told what each open call does. */
  readonly waits?: OpenWaits | undefined;
}

/** The recorder of one session. */
export class RecordedCalls implements CallRecorder {
  readonly #input: RecordedCallsInput;
  readonly #writing: FactWriting;
  /** The calls whose results come later. */
  readonly pending: PendingCalls;
  /** The permission questions. One that code answers at once leaves no record. A person takes longer. */
  readonly questions: RecordedQuestions;
  /** Earlier attempts at calls that the model may make again. */
  readonly earlier = new EarlierCalls();
  /** Calls that run on although their CLI ended by itself, by the ids of their requests. */
  readonly #kept = new Map<string, OpenCall>();
  /** The keys of the calls that are being answered, by the ids of their requests. */
  readonly #keys = new Map<string, string>();
  /** The same calls as the CLI asked for them. */
  readonly #requests = new Map<string, ToolRequest>();
  readonly #progress: ProgressNotes;
  readonly #turns: CoveredTurns;
  #isCancelling = false;
  #isAbandoned = false;
  #isWhole = true;
  /** Whether anything of the running turn is recorded. A later process would then take what is not for something that never happened. */
  #isKnown = false;
  #stopped: { readonly reason: Error } | undefined;

  constructor(input: RecordedCallsInput) {
    const onFailure = (error: unknown): void => {
      this.#isWhole = false;
      input.onFailure(error);
    };
    this.#input = input;
    this.#writing = { records: input.records, onFailure, onStored: () => (this.#isKnown = true) };
    this.pending = new PendingCalls(input.records, input.onFailure);
    const add = (fact: CallFact): void | Promise<void> => this.#add(fact);
    this.#turns = new CoveredTurns(input, this.pending, add);
    this.#progress = new ProgressNotes(add);
    this.questions = new RecordedQuestions(input.identify, add);
  }

  /** Whether everything about the running turn could be recorded. What could not be is lost with its CLI. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Records the calls of the turn that begins with this message. */
  cover(message: string, cliPid: number | undefined): void | Promise<void> {
    this.earlier.startTurn();
    this.#isWhole = true;
    this.#isKnown = false;
    return this.#turns.cover(message, cliPid);
  }

  /** Records which CLI goes on with a turn. `message` begins a turn that is covered already, or is empty. */
  noteCli(message: string, pid: number): void | Promise<void> {
    return this.#turns.noteCli(message, pid);
  }

  run(call: ToolRequest, answer: () => McpReply): McpReply {
    return this.#runAs(this.#input.identify(call), call, answer);
  }

  /** This recorder, for a caller that identifies calls in another way. */
  identifiedBy(identify: IdentifyCall): CallRecorder {
    // The turn was recorded by the process that began it.
    this.#isKnown = true;
    return {
      run: (call, answer) => this.#runAs(identify(call), call, answer),
      wait: (requestId, wait) => this.wait(requestId, wait),
      keep: (call, requestId) => this.keep(call, requestId),
      noteProgress: (requestId, progress) => this.noteProgress(requestId, progress),
      pend: (requestId, call) => this.pend(requestId, call),
    };
  }

  #runAs(identity: CallIdentity, call: ToolRequest, answer: () => McpReply): McpReply {
    const repeated = identity.attempt > 1 ? this.earlier.repeat(call, identity) : undefined;
    if (repeated) return { mcp_response: replyWith(call.id as JSONRPCId, repeated) };
    const { toolUseId, toolName, input } = call;
    const { callKey, attempt } = identity;
    const { owner } = this.#input;
    const begun = requireFact(
      this.#writing,
      withoutUndefined({
        type: 'begun' as const,
        callKey,
        toolUseId,
        toolName,
        input,
        attempt,
        owner,
        at: clock.Date.now(),
      }),
      this.#mustNotRepeat(call),
    );
    return isThenable(begun)
      ? begun.then(
          () => this.#runIfAwaited(call, callKey, answer),
          (error: unknown) => ({ mcp_response: replyWith(call.id as JSONRPCId, errorResult(error)) }),
        )
      : this.#runBegun(call, callKey, answer);
  }

  async wait<T>(requestId: string, { answer, isOver }: PersonalWait<T>): Promise<T> {
    const callKey = this.#keys.get(requestId);
    if (callKey === undefined) return await answer;
    await this.#add({ type: 'waiting', callKey, at: clock.Date.now() });
    const { waits } = this.#input;
    const before = waits?.get(callKey);
    if (before) waits?.set(callKey, 'person');
    const [outcome] = await Promise.allSettled([answer]);
    if (before && waits?.get(callKey) === 'person') waits.set(callKey, before);
    // Another process may go on with the conversation and run the call, so this handler must not.
    if (this.#stopped) throw this.#stopped.reason;
    // The handler may have an effect from now on. A handler whose call is over got no answer, so it still counts as waiting.
    if (outcome.status === 'fulfilled' || !isOver()) {
      const request = this.#requests.get(requestId);
      const isVital = request !== undefined && this.#mustNotRepeat(request);
      await requireFact(this.#writing, { type: 'working', callKey, at: clock.Date.now() }, isVital);
    }
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  async pend(requestId: string, pended: PendedCall): Promise<CallToolResult | RefusedPending> {
    const callKey = this.#keys.get(requestId);
    const request = this.#requests.get(requestId);
    if (callKey === undefined || !request || this.#stopped) return { refused: 'this call is not recorded' };
    const { toolUseId, toolName, input } = request;
    const onPending = (key: string): void => {
      this.#input.waits?.set(key, 'pending');
      pended.onPending(key);
    };
    const findEnd = (): 'stopped' | 'abandoned' | undefined => {
      if (this.#isAbandoned) return 'abandoned';
      return this.#stopped || this.#keys.get(requestId) !== callKey ? 'stopped' : undefined;
    };
    return await this.pending.pend(
      { callKey, toolUseId, toolName, input },
      { ...pended, onPending },
      findEnd,
    );
  }

  /** Another process may go on with the turn, so its pending calls stay pending. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  keep(call: OpenCall, requestId: string | undefined): boolean {
    if (this.#stopped || this.#isCancelling || requestId === undefined) return false;
    this.#kept.set(requestId, call);
    return true;
  }

  noteProgress(requestId: string, progress: ToolProgress): void {
    const callKey = this.#keys.get(requestId);
    if (callKey !== undefined && !this.#stopped) this.#progress.note(callKey, progress);
  }

  /** The key of the call that a request carries, while the call is open. */
  keyOf(requestId: string): string | undefined {
    return this.#keys.get(requestId);
  }

  /** Cancels the handlers whose CLI is gone, because the turn is stopped. No result of theirs is recorded. */
  cancelKept(reason: Error): void {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    this.#isCancelling = true;
    for (const call of kept) call.cancel(reason);
    this.#isCancelling = false;
  }

  /** The conversation is over: cancels the kept handlers. What they return is no longer recorded. */
  stop(reason: Error): void {
    if (this.#stopped) return;
    this.#stopped = { reason };
    this.pending.stop();
    const isPending = new Set(this.pending.list().map(({ callKey }) => callKey));
    // A pending call has no handler that runs.
    for (const callKey of this.#keys.values()) if (!isPending.has(callKey)) this.#leave(callKey);
    for (const call of this.#kept.values()) call.cancel(reason);
    this.#kept.clear();
  }

  /** Records that other processes need not wait for the handler of this call. */
  #leave(callKey: string): void {
    void this.#add({ type: 'left', callKey, at: clock.Date.now() });
  }

  /** Whether a call that is not recorded could run a second time, against the policy of its tool. */
  #mustNotRepeat({ onRepeat }: ToolRequest): boolean {
    return this.#isKnown && (onRepeat === undefined || onRepeat === 'unknown');
  }

  /** Runs a call whose record took its time. The CLI may have withdrawn it, or ended, in the meantime. */
  #runIfAwaited(call: ToolRequest, callKey: string, answer: () => McpReply): McpReply {
    if (!this.#wasCancelled(call)) return this.#runBegun(call, callKey, answer);
    // Its handler never ran, so the call may run later.
    void this.#add({ type: 'waiting', callKey, at: clock.Date.now() });
    this.#leave(callKey);
    return { mcp_response: replyWith(call.id as JSONRPCId, errorResult(DID_NOT_RUN)) };
  }

  #runBegun(call: ToolRequest, callKey: string, answer: () => McpReply): McpReply {
    const { requestId } = call.context;
    this.#keys.set(requestId, callKey);
    this.#requests.set(requestId, call);
    this.#input.waits?.set(callKey, call.activity ?? 'working');
    const reply = answer();
    if (!(reply instanceof Later) && !isThenable(reply)) return this.#end(call, callKey, reply);
    const running = reply.then((given) => (this.#wasCancelled(call) ? undefined : readRecordedResult(given)));
    runningCalls.add(callKey, running);
    return reply.then((given) => this.#end(call, callKey, given));
  }

  /** Whether a call has no result of its own, because the CLI withdrew it or the conversation is over. */
  #wasCancelled({ context }: ToolRequest): boolean {
    const { requestId, isWithdrawn } = context;
    return this.#stopped !== undefined || (isWithdrawn === true && !this.#kept.has(requestId));
  }

  #end(call: ToolRequest, callKey: string, given: McpAnswer): McpReply {
    const { requestId } = call.context;
    this.#keys.delete(requestId);
    this.#requests.delete(requestId);
    this.#input.waits?.end(callKey);
    this.#progress.end(callKey);
    const wasCancelled = this.#wasCancelled(call);
    this.#kept.delete(requestId);
    const pended = this.pending.end(callKey);
    if (wasCancelled && this.#stopped) return given;
    // It ended without the result that it waited for. A CLI that is interrupted says so by an MCP notification, and leaves the
    // request that carries the call open.
    if (pended === 'open') {
      if (this.#isAbandoned) return given;
      const withdrawn = this.pending.withdraw(callKey);
      return wasCancelled ? given : withdrawn.then(() => given);
    }
    if (wasCancelled) {
      // The handler may run on, but no process should wait for it.
      this.#leave(callKey);
      return given;
    }
    const result = readRecordedResult(given);
    this.earlier.note(callKey, { begunAt: clock.Date.now(), isWaiting: false, result });
    // The process that completed the call has recorded its result.
    if (pended === 'settled') return given;
    const stored = this.#add({ type: 'ended', callKey, result, at: clock.Date.now() });
    return isThenable(stored) ? stored.then(() => given) : given;
  }

  #add(fact: CallFact): void | Promise<void> {
    return addFact(this.#writing, fact);
  }
}
