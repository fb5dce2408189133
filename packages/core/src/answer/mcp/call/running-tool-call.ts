// Owns one call of one tool, from its request to its only reply, with its signal, time limit and events. The reply comes
// from whatever ends the call first: the handler, the time limit, a cancellation, or the end of the link.
import { isThenable } from '../../../util/guards.js';
import type { AnswerContext, WithdrawalWatcher } from '../../../wire/protocol/answer.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { Later } from '../../../util/later.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { CliLink, OpenCall } from '../binding/cli-link.js';
import { readToolUseId, replyWith, type RpcMessage } from '../binding/rpc-message.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import { asError } from '../result/describe-failure.js';
import type { ConcurrencyGate } from '../tool/concurrency-gate.js';
import {
  describeCallEnd,
  passOnProgress,
  completeProgress,
  requestTooLate,
  type CallEnd,
} from './call-events.js';
import { sleepUntilSettled, startLimit } from './call-timers.js';
import { describeThrown } from './missing-context.js';
import { describeAround, identifyCall } from './identify-call.js';
import { lendPlace, waitForPerson } from './lend-place.js';
import { pendCall } from './pend-call.js';
import { isBriefText, isLongResult, reviewResult } from './review-result.js';
import { runCall } from './run-around.js';
import { watchCarrier } from './watch-carrier.js';
import type { RunningCall } from './run-tool.js';
import type {
  ServerNotification,
  ServerRequest,
  ServerRequestOptions,
  HandlerExtra,
} from '../tool/handler-extra.js';
import { HandlerContext, type ContextCall } from '../tool/handler-context.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { PendingResult } from '../result/pending.js';
import { errorResult } from '../result/content-helpers.js';
import {
  describeSource,
  type AroundToolCall,
  type LogLevel,
  type ToolEventBody,
  type ToolEventSource,
  type ToolProgress,
} from '../tool/tool-events.js';

/** What a call is made of. */
export interface CallInput {
  link: CliLink;
  tool: CompiledTool;
  id: JSONRPCId;
  meta: Record<string, unknown> | undefined;
  /** Undefined when no control request carries the call. */
  carrier: AnswerContext | undefined;
}

/** A running call; `answer` starts it, and it ends exactly once. */
export class RunningToolCall implements OpenCall, RunningCall, ContextCall, WithdrawalWatcher {
  readonly id: JSONRPCId;
  readonly tool: CompiledTool;
  readonly meta: Record<string, unknown> | undefined;
  readonly toolUseId: string | undefined;
  readonly #link: CliLink;
  readonly #carrier: AnswerContext | undefined;
  #settled = false;
  #reply!: RpcMessage;
  #later: Later<RpcMessage> | undefined;
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;
  #reactions: (() => void)[] | undefined;
  /** What the handler holds while it runs: places at gates, and the timer of its limit. */
  #held: (() => void)[] | undefined;
  #identity: CallIdentity | undefined;
  #args: unknown;
  #around: AroundToolCall | undefined;
  #missesContext = false;
  #startedAt = 0;
  #steps = 0;

  constructor({ link, tool, id, meta, carrier }: CallInput) {
    this.#link = link;
    this.#carrier = carrier;
    this.tool = tool;
    this.id = id;
    this.meta = meta;
    this.toolUseId = readToolUseId(meta);
  }

  get settled(): boolean {
    return this.#settled;
  }

  get server(): string {
    return this.#link.name;
  }

  get toolName(): string {
    return this.tool.name;
  }

  get context(): unknown {
    return this.#link.context;
  }

  get sessionId(): string | undefined {
    return this.#link.port.sessionId();
  }

  get agentId(): string | undefined {
    return this.#link.findAgent(this.toolUseId);
  }

  get extra(): HandlerExtra {
    return new HandlerContext(this);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortReason) this.#controller.abort(this.#abortReason);
    return this.#controller.signal;
  }

  /** Computed when it is read, because most handlers never read it. */
  get identity(): CallIdentity {
    const { source, toolUseId } = this;
    const call = { toolUseId, toolName: source.toolName, input: this.#args };
    return (this.#identity ??= identifyCall(call, this.#link.port.identify));
  }

  noteMissingContext(): void {
    this.#missesContext = true;
  }

  /** Warns the program that `aroundTool` failed. */
  warn(message: string): void {
    this.#link.warn({ code: 'AROUND_TOOL_FAILED', message, tool: this.tool.name });
  }

  get around(): AroundToolCall {
    this.#around ??= describeAround(this.source, this.#args, this.tool, () => this.identity);
    return this.#around;
  }

  get source(): ToolEventSource {
    const { server, toolUseId, agentId, id: requestId } = this;
    return describeSource({ server, tool: this.tool.name, requestId, toolUseId, agentId });
  }

  /** Runs the tool. Returns the reply, now or later. */
  answer(args: unknown): RpcMessage | Later<RpcMessage> {
    const link = this.#link;
    link.calls.set(this, this);
    this.#args = args;
    if (link.onToolEvent) {
      this.#startedAt = performance.now();
      this.#emit({ type: 'start', input: args });
    }
    let outcome: CallToolResult | Promise<CallToolResult> | undefined;
    try {
      outcome = link.port.scope.runInAsyncScope(runCall, undefined, this, args, link.port.aroundTool);
    } catch (error) {
      this.fail(error);
      return this.#reply;
    }
    if (outcome !== undefined) {
      if (!isThenable(outcome)) {
        this.finish(outcome);
        return this.#reply;
      }
      this.#follow(outcome);
    }
    if (this.#carrier && !this.#settled) watchCarrier(this.#carrier, this);
    // The handler may have ended the session itself, or the CLI may have withdrawn the call.
    if (this.#settled) return this.#reply;
    this.#later = new Later();
    return this.#later;
  }

  #follow(outcome: Promise<CallToolResult>): void {
    const awaited = this.tool.waits ? lendPlace(this.#link, this.#carrier, outcome) : outcome;
    awaited.then(
      (result) => this.finish(result),
      (error: unknown) => this.fail(error),
    );
  }

  /** Ends the call, unless its handler runs on for the next CLI. Does not wait for a handler that ignores the signal. */
  cancel(reason: Error): void {
    if (this.#settled || this.#link.port.keepRunning?.(this, this.#carrier?.requestId)) return;
    this.#abort(reason);
    const text = `The call to the tool "${this.tool.name}" was cancelled: ${reason.message}`;
    this.#settle('cancelled', errorResult(text), reason);
  }

  async enter(gate: ConcurrencyGate): Promise<boolean> {
    await gate.enter();
    // A call that was cancelled in the queue stays there until it is let in. Then it leaves at once.
    this.#whenHandled(() => gate.leave());
    return !this.#settled;
  }

  limitTime(ms: number): void {
    const stop = startLimit(this.tool.name, ms, (error) => {
      this.#abort(error);
      this.fail(error);
    });
    this.#whenHandled(stop);
  }

  /** Calls `react` when the handler has ended, which for a pending call is before the call has. */
  #whenHandled(react: () => void): void {
    if (this.#settled) react();
    else (this.#held ??= []).push(react);
  }

  #letGo(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) for (const react of held) react();
  }

  pend(value: PendingResult): Promise<CallToolResult> {
    this.#letGo();
    const onPending = (callKey: string, note: string | undefined): void => {
      if (!this.#settled) this.#emit(withoutUndefined({ type: 'pending' as const, callKey, note }));
    };
    const { tool } = this;
    const { callKey } = this.identity;
    const [link, carrier, around] = [this.#link, this.#carrier, this.#around];
    return pendCall({ link, carrier, tool, callKey, around, onPending }, value);
  }

  sleep(ms: number): Promise<void> {
    return sleepUntilSettled(ms, this);
  }

  whenSettled(react: () => void): void {
    if (this.#settled) react();
    else (this.#reactions ??= []).push(react);
  }

  reportProgress(update: number | string | ToolProgress): void {
    if (this.#settled) return;
    this.#steps += 1;
    const progress = completeProgress(update, this.#steps);
    this.#emit({ type: 'progress', ...progress });
    passOnProgress(this, { link: this.#link, carrier: this.#carrier, progress });
  }

  writeLog(level: LogLevel, data: unknown): void {
    this.#emit({ type: 'log', level, data });
  }

  wait<T>(answer: PromiseLike<T>): Promise<T> {
    return waitForPerson(this.#link, this.#carrier, { answer, isOver: () => this.#settled });
  }

  sendNotification(notification: ServerNotification): Promise<void> {
    return this.#link.notify(notification, this.id);
  }

  sendRequest(request: ServerRequest, options: ServerRequestOptions): Promise<unknown> {
    if (this.#settled) return Promise.reject(requestTooLate(this.tool.name));
    return this.#link.request(request, options, this.id);
  }

  /** Cancels the call, because the CLI has withdrawn the request that carries it. */
  withdraw(reason: unknown): void {
    this.cancel(asError(reason));
  }

  #abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }

  finish(result: CallToolResult): void {
    if (this.#settled) return;
    this.#settle(result.isError ? 'error' : 'end', result);
  }

  fail(thrown: unknown): void {
    if (this.#settled) return;
    const { name: tool } = this.tool;
    const result = describeThrown(tool, {
      thrown,
      missesContext: this.#missesContext,
      onMissing: (message) => this.#link.warn({ code: 'TOOL_CONTEXT_MISSING', message, tool }),
    });
    this.#settle('error', result, thrown);
  }

  #settle(type: CallEnd, result: CallToolResult, why?: unknown): void {
    this.#settled = true;
    const needsReview = !isBriefText(this.tool, result);
    if (needsReview && type === 'end') reviewResult(this.tool, result, this.#link);
    this.#link.calls.delete(this);
    this.#letGo();
    const reactions = this.#reactions;
    this.#reactions = undefined;
    if (reactions) for (const react of reactions) react();
    if (this.#link.onToolEvent) {
      const durationMs = performance.now() - this.#startedAt;
      this.#emit(describeCallEnd(type, { durationMs, result, why }));
    }
    if (needsReview && isLongResult(result)) this.#carrier?.expectLong?.();
    this.#reply = replyWith(this.id, result);
    const later = this.#later;
    // The reply to a cancelled call waits for the rest of this tick. A CLI that withdraws a call often ends its turn at
    // the same time. If the program then leaves the query, no answer should be written.
    if (later && type === 'cancelled') process.nextTick(() => later.give(this.#reply));
    else later?.give(this.#reply);
  }

  #emit(body: ToolEventBody): void {
    this.#link.onToolEvent?.({ ...this.source, ...body });
  }
}
