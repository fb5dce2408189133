// Knows what the calls of an attempt do, from the facts that are recorded about them: whether a handler works, or what a call
// waits for.
import type { KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';

/** A call whose result comes later, from any process. */
export interface AwaitedCall {
  readonly callKey: string;
  readonly toolName?: string | undefined;
  /** What the handler said about it. */
  readonly note?: string | undefined;
}

interface OpenCallWait {
  does: 'works' | 'waits' | 'pends';
  toolUseId?: string | undefined;
  toolName?: string | undefined;
  note?: string | undefined;
}

/** One per attempt. */
export class AttemptWaits {
  readonly #calls = new Map<string, OpenCallWait>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Whether a handler is at work. */
  get isWorking(): boolean {
    return [...this.#calls.values()].some(({ does }) => does === 'works');
  }

  /** The calls that are pending. */
  get pending(): AwaitedCall[] {
    return [...this.#calls].flatMap(([callKey, { does, toolName, note }]) =>
      does === 'pends'
        ? [{ callKey, ...(toolName !== undefined && { toolName }), ...(note !== undefined && { note }) }]
        : [],
    );
  }

  /** The ids that the model gave the calls that wait or are pending. */
  get toolUseIds(): string[] {
    return [...this.#calls.values()].flatMap(({ does, toolUseId }) =>
      does === 'works' ? [] : (toolUseId ?? []),
    );
  }

  /** Takes over the calls that an earlier attempt left pending. */
  recall(known: KnownCalls): void {
    for (const call of known.list()) {
      const { pending } = call;
      if (!pending || call.ended || call.withdrawn) continue;
      const { toolUseId, toolName } = call;
      this.#calls.set(call.callKey, { does: 'pends', toolUseId, toolName, note: pending.note });
    }
  }

  /** Notes a fact that is being recorded. */
  note(fact: CallFact): void {
    if (fact.type === 'covers') return;
    const { callKey } = fact;
    const call = this.#calls.get(callKey);
    switch (fact.type) {
      case 'begun':
        this.#calls.set(callKey, { does: 'works', toolUseId: fact.toolUseId, toolName: fact.toolName });
        break;
      case 'waiting':
        if (call) call.does = 'waits';
        break;
      case 'working':
        if (call) call.does = 'works';
        break;
      case 'pending':
        if (call) Object.assign(call, { does: 'pends', note: fact.note });
        break;
      case 'ended':
      case 'left':
      case 'withdrawn':
        this.#calls.delete(callKey);
        break;
      default:
        return;
    }
    this.#onChange();
  }
}
