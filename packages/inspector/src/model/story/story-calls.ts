// Follows each call of a session from its first streamed piece, through its permission, to its result.
import { asString, isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { canonicalJson } from '@inboard/core/util/canonical-json.js';
import type { CallFate } from '@inboard/core/record/trace/timeline/fated-call.js';
import type { ToolOutcome } from '@inboard/core/record/trace/timeline/tool-outcome.js';
import { hasRun, type CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { QuestionSettled } from '../../stream/inspector-event.js';
import type { Question } from '../../stream/question.js';
import { readOutput } from './read-output.js';
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
  /** The progress of calls that were cut off. Those that wait without a CLI go on with it. */
  readonly #progress = new Map<CallItem, string | undefined>();

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
    return call;
  }

  /** Sets the complete input: the given one, or what was streamed if none is given. */
  setInput(call: CallItem, input: unknown): void {
    call.input = isRecord(input) ? input : (parseRecord(call.inputText) ?? {});
    call.inputText = '';
    if (call.state === 'streaming') call.state = 'running';
    if (call.agent !== undefined) call.agent = asString(call.input['subagent_type']) ?? call.agent;
  }

  /** Takes the input that a call runs with. The last one that an event shows counts. */
  setRanInput(call: CallItem, input: unknown): void {
    if (!isRecord(input) || call.input === undefined) return;
    call.ranInput = canonicalJson(input) === canonicalJson(call.input) ? undefined : input;
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
    };
    call.permission = step;
    if (!isDecided(call)) call.state = 'asking';
    return step;
  }

  /** Notes that the handler of a call has returned, and that its result comes later. */
  pend(call: CallItem, { callKey, description }: Question, t: number): PendingStep {
    const step: PendingStep = { callKey, note: description, t };
    call.pending = step;
    if (!isDecided(call)) call.state = 'pending';
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
    if (behavior === 'allow') this.setRanInput(call, updatedInput);
    step.isEdited ||= call.ranInput !== undefined;
    this.#afterAnswer(call);
  }

  /** Takes the answer from a live source, which knows who gave it. */
  settle(call: CallItem, step: PermissionStep, settled: QuestionSettled, t: number): void {
    step.settledT ??= t;
    step.outcome = settled.outcome;
    step.by = settled.by ?? step.by;
    step.message = settled.message ?? step.message;
    step.isEdited ||= settled.isEdited === true;
    this.#afterAnswer(call);
  }

  /** Notes that a call runs. */
  run(call: CallItem): void {
    if (!isDecided(call)) call.state = 'running';
  }

  /** Marks a question as withdrawn, unless it was answered. */
  withdraw(call: CallItem, step: PermissionStep, t: number): void {
    step.settledT ??= t;
    step.outcome ??= 'withdrawn';
    this.#afterAnswer(call);
  }

  /** Takes the result. With `isStarted`, the result only says that work in the background has begun. */
  finish(call: CallItem, outcome: ToolOutcome, at: { n: number; isStarted: boolean }): void {
    call.resultN = at.n;
    if (call.input === undefined) this.setInput(call, undefined);
    if (at.isStarted) {
      call.isBackground = true;
      this.run(call);
    } else call.output = readOutput(outcome.content);
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
    if (completed.ranInput) this.setRanInput(call, completed.ranInput);
    this.#decide(call, completed, t);
    if (outcome) this.finish(call, outcome, { n, isStarted: false });
  }

  /** Takes what became of a call. Until then, its state only says how far it has come. */
  setFate(toolUseId: string, fate: CallFate): void {
    const call = this.#calls.get(toolUseId);
    if (!call) return;
    if (fate !== 'open') {
      call.state = fate;
      if (fate === 'denied') call.ranInput = undefined;
    } else if (isDecided(call)) {
      // A call that was cut off with its CLI is open again if its turn waits without a CLI, or if it is asked about again.
      call.endT = undefined;
      call.state = openState(call);
      if (call.state === 'running') call.progress = this.#progress.get(call);
    }
  }

  /** Notes who decided about a call after its question was cut off with the CLI. */
  #decide({ permission }: CallItem, { how, allowed, by, ranInput }: CompletedCall, t: number): void {
    if (!permission || (permission.outcome !== undefined && permission.outcome !== 'withdrawn')) return;
    if (allowed === undefined && how !== 'denied') return;
    permission.outcome = how === 'denied' || allowed === false ? 'denied' : 'allowed';
    permission.settledT = t;
    permission.by = by ?? permission.by;
    permission.isEdited ||= ranInput !== undefined;
  }

  /** Takes that a call is over: its result has come, or none will. */
  close(toolUseId: string, t: number): void {
    const call = this.#calls.get(toolUseId);
    if (!call) return;
    if (call.input === undefined) this.setInput(call, undefined);
    if (call.permission) this.withdraw(call, call.permission, t);
    if (call.pending) {
      call.pending.settledT ??= t;
      call.pending.outcome ??= 'over';
    }
    if (call.state === 'cut') this.#progress.set(call, call.progress);
    call.endT = t;
    call.progress = undefined;
  }

  #afterAnswer(call: CallItem): void {
    if (call.endT === undefined && call.state === 'asking') call.state = openState(call);
  }
}

/** How far a call has come that is open. */
function openState({ permission, pending }: CallItem): CallItem['state'] {
  if (permission && permission.settledT === undefined) return 'asking';
  return pending && pending.settledT === undefined ? 'pending' : 'running';
}

/** Whether it is decided what became of a call. Only `setFate` changes that. */
function isDecided({ state }: CallItem): boolean {
  return state === 'done' || state === 'failed' || state === 'denied' || state === 'cut';
}
