// Records the calls of a session, from the model's messages, the requests to this process, their answers, and the results.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { CallFates } from '@inboard/core/record/trace/timeline/call-fates.js';
import { completedOf, type CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { CallState, Percentiles, ObservedCall } from './tool-entry.js';

/** An event's place in time and in the stream. */
export interface Moment {
  n: number;
  t: number;
}

const ERROR_CHARACTERS = 500;

/** The calls of one session. What became of them is decided by `calls`, which gets each event first. */
export class ObservedCalls {
  readonly #fates: CallFates;
  readonly #byId = new Map<string, ObservedCall>();
  readonly #byTool = new Map<string, ObservedCall[]>();
  /** Calls that the model has written whole. */
  readonly #made = new WeakSet<ObservedCall>();
  /** The reasons of refusals, by call. */
  readonly #denials = new Map<string, string>();
  /** How often the model searched for tools, and what it found. */
  searches = 0;
  readonly found = new Set<string>();

  constructor(fates: CallFates) {
    this.#fates = fates;
  }

  of(toolName: string): readonly ObservedCall[] {
    return this.#byTool.get(toolName) ?? [];
  }

  find(toolUseId: string): ObservedCall | undefined {
    return this.#byId.get(toolUseId);
  }

  /** The names of all tools that were called. */
  toolNames(): Iterable<string> {
    return this.#byTool.keys();
  }

  /** Adds the calls that the last event showed, and updates those whose fate it changed. */
  update({ n, t }: Moment): boolean {
    const { begun, changed, ended, reopened } = this.#fates;
    for (const id of begun) this.#add(id, { n, t });
    for (const id of changed) this.#settle(id);
    for (const id of ended) this.#end(id, t);
    for (const id of reopened) this.#end(id, undefined);
    return begun.length + changed.length + ended.length > 0;
  }

  /** Takes a request of the CLI to run a tool in this process. */
  begin(requestId: string, { n }: Moment): ObservedCall | undefined {
    const call = this.#byId.get(this.#fates.handlerOf(requestId) ?? '');
    if (call) call.requestN = n;
    return call;
  }

  /** Takes the answer of this process. */
  answer(call: ObservedCall, begun: number, { n, t }: Moment): void {
    call.answerN = n;
    call.handlerMs = t - begun;
  }

  /** Notes why a call was refused. */
  deny(toolUseId: string, reason: string): void {
    if (reason !== '') this.#denials.set(toolUseId, reason);
    const call = this.#byId.get(toolUseId);
    if (call?.state === 'denied') call.error = this.#denials.get(toolUseId);
  }

  /** Reads a message of the model, which may contain whole calls: their time counts from here. */
  readCalls(message: WireObject, { t }: Moment): void {
    for (const { type, id } of blocksOf(message)) {
      const call = type === 'tool_use' || type === 'server_tool_use' ? this.#byId.get(String(id)) : undefined;
      if (!call || this.#made.has(call)) continue;
      this.#made.add(call);
      call.t = t;
      if (this.#fates.isOver(call.toolUseId)) call.wholeMs = 0;
    }
  }

  /** Reads a message to the model, which may contain results. */
  readResults(message: WireObject): void {
    const completed = completedOf(message);
    if (completed) this.#complete(completed);
    for (const block of blocksOf(message)) {
      if (block['type'] !== 'tool_result') continue;
      const call = this.#byId.get(String(block['tool_use_id']));
      if (!call) continue;
      if (call.toolName === 'ToolSearch') this.#readFound(block['content']);
      const text = textOf(block['content']).slice(0, ERROR_CHARACTERS);
      if (call.state === 'denied') call.error = this.#denials.get(call.toolUseId) ?? text;
      else if (call.state === 'failed') call.error = text || 'It failed without a word.';
      else if (call.state === 'cut') call.error = text;
    }
  }

  /** Takes the completion of a call that was cut off. Its result, if any, is in the same message. */
  #complete({ toolUseId, how, reason }: CompletedCall): void {
    const call = this.#byId.get(toolUseId);
    if (call) call.completed = how;
    if (how === 'denied') this.deny(toolUseId, reason ?? '');
  }

  #settle(toolUseId: string): void {
    const call = this.#byId.get(toolUseId);
    const fate = this.#fates.fateOf(toolUseId);
    if (!call || !fate) return;
    call.state = fate === 'open' ? 'running' : fate;
    if (fate === 'denied') call.error = this.#denials.get(toolUseId) ?? call.error;
  }

  /** Notes when a call was over; undefined if it goes on. */
  #end(toolUseId: string, t: number | undefined): void {
    const call = this.#byId.get(toolUseId);
    if (call) call.wholeMs = t !== undefined && this.#made.has(call) ? t - call.t : undefined;
  }

  #readFound(content: unknown): void {
    if (!Array.isArray(content)) return;
    for (const block of content.filter(isRecord)) {
      const name = asString(block['tool_name']);
      if (block['type'] === 'tool_reference' && name !== undefined) this.found.add(name);
    }
  }

  #add(toolUseId: string, { n, t }: Moment): void {
    const toolName = this.#fates.toolNameOf(toolUseId) ?? '';
    if (toolName === 'ToolSearch') this.searches += 1;
    const call: ObservedCall = {
      toolUseId,
      toolName,
      t,
      n,
      requestN: undefined,
      answerN: undefined,
      state: 'running',
      handlerMs: undefined,
      wholeMs: undefined,
      error: undefined,
      completed: undefined,
    };
    this.#byId.set(toolUseId, call);
    const calls = this.#byTool.get(toolName);
    if (calls) calls.push(call);
    else this.#byTool.set(toolName, [call]);
  }
}

export function countState(calls: readonly ObservedCall[], state: CallState): number {
  return calls.filter((call) => call.state === state).length;
}

/** The 50th and 95th percentile, by the nearest rank; undefined without values. */
export function findPercentiles(values: ReadonlyArray<number | undefined>): Percentiles | undefined {
  const sorted = values.filter((value) => value !== undefined).toSorted((one, other) => one - other);
  if (sorted.length === 0) return undefined;
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
