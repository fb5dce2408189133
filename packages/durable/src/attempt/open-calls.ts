// Knows what the open calls of a turn do: whether a handler works, or what a call waits for. A turn that only waits needs no CLI, and
// this file decides that, for attempts and for the workers of a cluster.
import type { CliActivity } from './cli-activity.js';

/** A call whose result comes later, from any process. */
export interface AwaitedCall {
  readonly callKey: string;
  readonly toolName?: string | undefined;
  /** What the handler said about it. */
  readonly note?: string | undefined;
}

/** What is known of a call that begins. */
export interface BegunCall {
  readonly toolUseId?: string | undefined;
  readonly toolName?: string | undefined;
}

interface OpenCall extends BegunCall {
  /** How often it is being answered now. The CLI may ask for a call again while its handler still runs. */
  times: number;
  /** For how many answers it waits. A handler may ask two people at once. */
  waits: number;
  pends?: { note: string | undefined } | undefined;
}

/** One per session. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  /** How many calls have a handler at work. */
  get working(): number {
    return [...this.#calls.values()].filter(isWorking).length;
  }

  /** The ids that the model gave the calls that wait or are pending. */
  get waitingToolUses(): string[] {
    return [...this.#calls.values()].flatMap((call) => (isWorking(call) ? [] : (call.toolUseId ?? [])));
  }

  /** The calls that are pending. */
  get pending(): AwaitedCall[] {
    return [...this.#calls].flatMap(([callKey, { pends, toolName }]) =>
      pends
        ? [
            {
              callKey,
              ...(toolName !== undefined && { toolName }),
              ...(pends.note !== undefined && { note: pends.note }),
            },
          ]
        : [],
    );
  }

  has(callKey: string): boolean {
    return this.#calls.has(callKey);
  }

  /** Whether a call that is open waits for at least one answer. */
  isWaiting(callKey: string): boolean {
    return (this.#calls.get(callKey)?.waits ?? 0) > 0;
  }

  begin(callKey: string, { toolUseId, toolName }: BegunCall): void {
    const { times = 0, waits = 0 } = this.#calls.get(callKey) ?? {};
    this.#calls.set(callKey, { toolUseId, toolName, times: times + 1, waits });
  }

  /** Notes that the call waits for one more answer. */
  wait(callKey: string): void {
    const call = this.#calls.get(callKey);
    if (call) call.waits += 1;
  }

  /** Notes that one of these answers has come, or will not come. */
  goOn(callKey: string): void {
    const call = this.#calls.get(callKey);
    if (call) call.waits = Math.max(0, call.waits - 1);
  }

  /** Notes that the handler has returned, and that the result comes later. */
  pend(callKey: string, note: string | undefined): void {
    const call = this.#calls.get(callKey);
    if (call) call.pends = { note };
  }

  end(callKey: string): void {
    const call = this.#calls.get(callKey);
    if (!call) return;
    call.times -= 1;
    if (call.times <= 0) this.#calls.delete(callKey);
  }

  /** Forgets a call, however often it is being answered. */
  drop(callKey: string): void {
    this.#calls.delete(callKey);
  }
}

/** What a turn does besides thinking. */
export interface TurnWaits {
  /** How many questions to people and pending calls are open. */
  readonly awaited: number;
  /** How many handlers are at work. */
  readonly working: number;
  /** The ids that the model gave the calls that wait for people or are pending. */
  readonly toolUseIds: readonly string[];
  /** Undefined if there is no CLI. */
  readonly cli: CliActivity | undefined;
}

/**
 * Whether nothing happens in a turn but waiting for people and pending calls. Not while a handler or a tool of the CLI is at work, nor
 * while a subagent or a background task is.
 */
export function onlyWaits({ awaited, working, toolUseIds, cli }: TurnWaits): boolean {
  if (awaited === 0 || working > 0) return false;
  return cli?.isBusy(new Set(toolUseIds)) !== true;
}

function isWorking({ waits, pends }: OpenCall): boolean {
  return waits === 0 && !pends;
}
