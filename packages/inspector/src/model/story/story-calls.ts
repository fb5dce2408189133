// Follows each call of a session from its first streamed piece, through its permission, to its result.
import { asString, isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { canonicalJson } from '@inboard/core/util/canonical-json.js';
import { hasRun, type CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { QuestionSettled } from '../../stream/inspector-event.js';
import { readOutput, type ToolOutcome } from './read-output.js';
import type { Question } from '../../stream/question.js';
import type { CallItem, PendingStep, PermissionStep } from './story-item.js';
import { splitToolName, startsAgent } from './tool-name.js';

/** Where a call was first seen. */
export interface CallPlace {
  n: number;
  t: number;
  depth: number;
}

/** All calls by their id. */
export class StoryCalls {
  readonly #calls = new Map<string, CallItem>();
  readonly #open = new Set<CallItem>();
  /** The calls that were cut off last, and what they did before. */
  #cut: ({ call: CallItem } & Pick<CallItem, 'state' | 'progress'>)[] = [];

  find(toolUseId: string | undefined): CallItem | undefined {
    return toolUseId === undefined ? undefined : this.#calls.get(toolUseId);
  }

  /** Creates a call; the caller adds it to the story. */
  begin(toolUseId: string, toolName: string, { n, t, depth }: CallPlace): CallItem {
    const { server, name } = splitToolName(toolName);
    const call: CallItem = {
      kind: 'call',
      key: `call ${toolUseId}`,
      n,
      t,
      depth,
      toolUseId,
      toolName,
      server,
      name,
      input: undefined,
      inputText: '',
      output: [],
      state: 'streaming',
      runsHere: false,
      permission: undefined,
      handlerT: undefined,
      handlerMs: undefined,
      endT: undefined,
      resultN: undefined,
      progress: undefined,
      blockedBy: undefined,
      isBackground: false,
      children: [],
      agent: startsAgent(toolName) ? 'subagent' : undefined,
    };
    this.#calls.set(toolUseId, call);
    this.#open.add(call);
    return call;
  }

  /** Sets the complete input: the given one, or what was streamed if none is given. */
  setInput(call: CallItem, input: unknown): void {
    call.input = isRecord(input) ? input : (parseRecord(call.inputText) ?? {});
    call.inputText = '';
    if (call.state === 'streaming') call.state = 'running';
    if (call.agent !== undefined) call.agent = asString(call.input['subagent_type']) ?? call.agent;
  }

  /** Opens the question whether the call may run, or returns it if it is open already. */
  ask(call: CallItem, id: string, t: number): PermissionStep {
    if (call.permission && call.permission.settledT === undefined) return call.permission;
    const step: PermissionStep = {
      id,
      askedT: t,
      settledT: undefined,
      outcome: undefined,
      by: undefined,
      message: undefined,
      isEdited: false,
      input: undefined,
    };
    call.permission = step;
    // If a call was cut off with its CLI, its question may be asked again without a CLI.
    if (call.state === 'cut') this.#reopen(call);
    if (call.endT === undefined) call.state = 'asking';
    return step;
  }

  /** Notes that the handler of a call has returned, and that its result comes later. */
  pend(call: CallItem, { callKey, description }: Question, t: number): PendingStep {
    const step = { callKey, note: description, t, settledT: undefined, outcome: undefined, by: undefined };
    call.pending = step;
    if (call.state === 'cut') this.#reopen(call);
    if (call.endT === undefined) call.state = 'pending';
    return step;
  }

  /** Notes that a pending call has its result, or will have none. The model gets the result a moment later. */
  settlePending(call: CallItem, step: PendingStep, { outcome, by }: QuestionSettled, t: number): void {
    step.settledT ??= t;
    step.outcome = outcome;
    step.by = by;
    if (call.state === 'pending') call.state = 'running';
  }

  /** Takes the answer from the wire, as the CLI got it. */
  answer(call: CallItem, step: PermissionStep, value: unknown, t: number): void {
    const { behavior, message, updatedInput } = isRecord(value) ? value : {};
    step.settledT ??= t;
    step.outcome ??= behavior === 'allow' ? 'allowed' : 'denied';
    step.message ??= asString(message);
    if (isRecord(updatedInput) && canonicalJson(updatedInput) !== canonicalJson(call.input)) {
      step.isEdited = true;
      step.input = updatedInput;
    }
    this.#afterAnswer(call, step);
  }

  /** Takes the answer from a live source, which knows who gave it. */
  settle(call: CallItem, step: PermissionStep, settled: QuestionSettled, t: number): void {
    step.settledT ??= t;
    step.outcome = settled.outcome;
    step.by = settled.by ?? step.by;
    step.message = settled.message ?? step.message;
    step.isEdited ||= settled.isEdited === true;
    this.#afterAnswer(call, step);
  }

  /** Marks a question as withdrawn, unless it was answered. */
  withdraw(step: PermissionStep, t: number): void {
    step.settledT ??= t;
    step.outcome ??= 'withdrawn';
  }

  /** Finds the call of a request that names no call: the oldest open call of the tool whose handler has not begun. */
  findWaiting(server: string, name: string): CallItem | undefined {
    for (const call of this.#open)
      if (call.server === server && call.name === name && call.handlerT === undefined) return call;
    return undefined;
  }

  /** Takes the result. With `isStarted`, the result only says that work in the background has begun. */
  finish(call: CallItem, outcome: ToolOutcome, at: { n: number; t: number; isStarted: boolean }): void {
    call.resultN = at.n;
    if (call.input === undefined) this.setInput(call, undefined);
    if (at.isStarted) {
      call.isBackground = true;
      call.state = 'running';
      return;
    }
    const isDenied = outcome.isRefused || call.permission?.outcome === 'denied';
    call.state = !outcome.isError ? 'done' : isDenied ? 'denied' : outcome.isCut ? 'cut' : 'failed';
    call.output = readOutput(outcome.content);
    this.close(call, at.t);
  }

  /** Takes the completion of a call that was cut off. `outcome` is undefined if the model was told nothing. */
  complete(
    call: CallItem,
    completed: CompletedCall,
    outcome: ToolOutcome | undefined,
    { n, t }: { n: number; t: number },
  ): void {
    call.completed = completed;
    call.runsHere ||= hasRun(completed);
    this.#decide(call, completed, t);
    if (outcome) this.finish(call, outcome, { n, t, isStarted: false });
    else this.close(call, t);
    if (completed.how === 'denied') call.state = 'denied';
    else if (!hasRun(completed)) call.state = 'cut';
  }

  /** Notes who decided about a call after its question was cut off with the CLI. */
  #decide({ permission }: CallItem, { how, allowed, by, ranInput }: CompletedCall, t: number): void {
    if (!permission || (permission.outcome !== undefined && permission.outcome !== 'withdrawn')) return;
    if (allowed === undefined && how !== 'denied') return;
    permission.outcome = how === 'denied' || allowed === false ? 'denied' : 'allowed';
    permission.settledT = t;
    permission.by = by ?? permission.by;
    permission.isEdited ||= ranInput !== undefined;
    permission.input ??= ranInput;
  }

  #reopen(call: CallItem): void {
    call.endT = undefined;
    this.#open.add(call);
  }

  close(call: CallItem, t: number): void {
    call.endT = t;
    call.progress = undefined;
    this.#open.delete(call);
  }

  /** Opens the calls again that were cut off with the last CLI, because their turn waits for them without a CLI. */
  reopenCut(): void {
    for (const { call, state, progress } of this.#cut) {
      if (call.state !== 'cut' || call.completed) continue;
      this.#reopen(call);
      call.state = state;
      call.progress = progress;
    }
    this.#cut = [];
  }

  /** Ends all open calls without a result, because the CLI has ended. Pending calls need no CLI, and stay open. */
  cutAll(t: number, isOver = false): void {
    this.#cut = [];
    for (const call of this.#open) {
      if (call.state === 'pending' && !isOver) continue;
      this.#cut.push({ call, state: call.state, progress: call.progress });
      if (call.input === undefined) this.setInput(call, undefined);
      call.state = 'cut';
      if (call.permission) this.withdraw(call.permission, t);
      this.close(call, t);
    }
  }

  #afterAnswer(call: CallItem, { outcome }: PermissionStep): void {
    if (call.endT !== undefined) return;
    if (outcome === 'denied') call.state = 'denied';
    else if (call.state === 'asking' || call.state === 'denied') call.state = 'running';
  }
}
