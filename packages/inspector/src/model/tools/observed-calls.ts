// Records the calls of a session, from the model's messages, the requests to this process, their answers, and the results.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import {
  completedOf,
  hasRun,
  type CompletedCall,
} from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { CallState, Percentiles, ObservedCall } from './tool-entry.js';

/** An event's place in time and in the stream. */
export interface Moment {
  n: number;
  t: number;
}

const ERROR_CHARACTERS = 500;

/** The calls of one session. */
export class ObservedCalls {
  readonly #byId = new Map<string, ObservedCall>();
  readonly #byTool = new Map<string, ObservedCall[]>();
  /** The reasons of refusals, by call. */
  readonly #denials = new Map<string, string>();
  /** How often the model searched for tools, and what it found. */
  searches = 0;
  readonly found = new Set<string>();

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

  /** Reads a message of the model, which may contain calls. */
  readCalls(message: WireObject, { n, t }: Moment): void {
    for (const block of blocksOf(message)) {
      if (block['type'] !== 'tool_use') continue;
      const toolName = String(block['name']);
      if (toolName === 'ToolSearch') this.searches += 1;
      this.#add({ toolUseId: String(block['id']), toolName, t, n });
    }
  }

  /** Takes a request of the CLI to run a tool in this process. */
  begin(toolUseId: string, toolName: string, { n, t }: Moment): ObservedCall {
    const call = this.#byId.get(toolUseId) ?? this.#add({ toolUseId, toolName, t, n });
    call.requestN = n;
    return call;
  }

  /** Takes the answer of this process. */
  answer(call: ObservedCall, begun: number, { n, t }: Moment): void {
    call.answerN = n;
    call.handlerMs = t - begun;
  }

  /** Notes that a call was refused, by a person or a rule. */
  deny(toolUseId: string, reason: string): void {
    this.#denials.set(toolUseId, reason);
    const call = this.#byId.get(toolUseId);
    if (call) this.#settleDenied(call);
  }

  /** Reads a message to the model, which may contain results. */
  readResults(message: WireObject, moment: Moment): void {
    const completed = completedOf(message);
    if (completed) this.#complete(completed, moment);
    const { t } = moment;
    for (const block of blocksOf(message)) {
      if (block['type'] !== 'tool_result') continue;
      const call = this.#byId.get(String(block['tool_use_id']));
      if (!call) continue;
      if (call.toolName === 'ToolSearch') this.#readFound(block['content']);
      call.wholeMs = t - call.t;
      if (this.#denials.has(call.toolUseId)) this.#settleDenied(call);
      else if (completed && !hasRun(completed)) {
        call.state = 'cut';
        call.error = textOf(block['content']).slice(0, ERROR_CHARACTERS);
      } else if (block['is_error'] === true) {
        call.state = 'failed';
        call.error = textOf(block['content']).slice(0, ERROR_CHARACTERS) || 'It failed without a word.';
      } else call.state = 'done';
    }
  }

  /** Takes the completion of a call that was cut off. Its result, if any, is in the same message. */
  #complete({ toolUseId, toolName, how, reason }: CompletedCall, { n, t }: Moment): void {
    const call = this.#add({ toolUseId, toolName, t, n });
    call.completed = how;
    if (how === 'denied') this.#denials.set(toolUseId, this.#denials.get(toolUseId) || (reason ?? ''));
    else if (call.state === 'running') call.state = 'cut';
  }

  /** Marks running calls as cut off, because the session or its CLI has ended. */
  close(): void {
    for (const call of this.#byId.values()) if (call.state === 'running') call.state = 'cut';
  }

  #settleDenied(call: ObservedCall): void {
    call.state = 'denied';
    call.error = this.#denials.get(call.toolUseId);
  }

  #readFound(content: unknown): void {
    if (!Array.isArray(content)) return;
    for (const block of content.filter(isRecord)) {
      const name = asString(block['tool_name']);
      if (block['type'] === 'tool_reference' && name !== undefined) this.found.add(name);
    }
  }

  #add(begin: Pick<ObservedCall, 'toolUseId' | 'toolName' | 't' | 'n'>): ObservedCall {
    // A call may be known already: a message may repeat it, and a call that was cut off is completed later.
    const present = this.#byId.get(begin.toolUseId);
    if (present) return present;
    const call: ObservedCall = {
      ...begin,
      requestN: undefined,
      answerN: undefined,
      state: 'running',
      handlerMs: undefined,
      wholeMs: undefined,
      error: undefined,
      completed: undefined,
    };
    this.#byId.set(call.toolUseId, call);
    const calls = this.#byTool.get(call.toolName);
    if (calls) calls.push(call);
    else this.#byTool.set(call.toolName, [call]);
    return call;
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
