// Keeps the calls of a session with what became of each, and what the last event changed. `call-fates` and `message-fates` read the
// events.
import { createFatedCall, type CallFate, type FatedCall } from './fated-call.js';

/** The calls of one session. */
export class FatedCalls {
  begun: string[] = [];
  changed: string[] = [];
  ended: string[] = [];
  reopened: string[] = [];
  answered: string[] = [];
  failed = 0;
  /** The calls that are not over. */
  readonly open = new Set<string>();
  /** The calls that the end of the last CLI cut off. */
  readonly cutWithCli = new Set<string>();
  readonly #calls = new Map<string, FatedCall>();
  /** The open calls of each subagent, by the call that started it. */
  readonly #openOf = new Map<string, Set<string>>();

  /** Forgets what the event before changed. */
  startEvent(): void {
    this.begun = [];
    this.changed = [];
    this.ended = [];
    this.reopened = [];
    this.answered = [];
  }

  get(toolUseId: string): FatedCall | undefined {
    return this.#calls.get(toolUseId);
  }

  has(toolUseId: string): boolean {
    return this.#calls.has(toolUseId);
  }

  /** A call, which is added if it is not known. */
  begin(toolUseId: string, toolName: string, parent: string | null): FatedCall {
    const known = this.#calls.get(toolUseId);
    if (known) return known;
    const call = createFatedCall(toolName, parent);
    this.#calls.set(toolUseId, call);
    this.#note(toolUseId, call);
    this.begun.push(toolUseId);
    return call;
  }

  /** Says what became of a call. One that is `open` again waits for another result. */
  set(toolUseId: string, fate: CallFate): void {
    const call = this.#calls.get(toolUseId);
    if (!call || call.fate === fate) return;
    if (call.fate === 'failed') this.failed -= 1;
    if (fate === 'failed') this.failed += 1;
    call.fate = fate;
    this.changed.push(toolUseId);
    if (fate !== 'open' || !call.isOver) return;
    call.isOver = false;
    call.hasResult = false;
    this.#note(toolUseId, call);
    this.reopened.push(toolUseId);
  }

  /** Takes the decision of a person, a callback, a hook or a rule about a call. */
  decide(toolUseId: string, isDenied: boolean): void {
    const call = this.#calls.get(toolUseId);
    if (!call || (call.isOver && !isDenied)) return;
    call.isDenied = isDenied;
    if (isDenied && call.fate !== 'done') this.set(toolUseId, 'denied');
    else if (!isDenied && call.fate === 'denied') this.set(toolUseId, 'open');
  }

  /** Takes the result of a call. Only the first one counts: a CLI may repeat it for the next turn. */
  takeResult(toolUseId: string, fate: CallFate): void {
    const call = this.#calls.get(toolUseId);
    if (!call || call.hasResult) return;
    call.hasResult = true;
    this.answered.push(toolUseId);
    this.set(toolUseId, fate);
    this.end(toolUseId);
  }

  /** Ends a call that gets no result. */
  giveUp(toolUseId: string): void {
    if (this.#calls.get(toolUseId)?.fate === 'open') this.set(toolUseId, 'cut');
    this.end(toolUseId);
  }

  /** Ends a call, and what its subagent was still doing. */
  end(toolUseId: string): void {
    if (!this.#calls.has(toolUseId)) return;
    this.#close(toolUseId);
    this.giveUpCallsOf(toolUseId);
  }

  /** Ends the calls of a subagent that has ended. */
  giveUpCallsOf(parent: string): void {
    // A list instead of recursion, because a recording may nest subagents without limit.
    const parents = [parent];
    for (const each of parents)
      for (const id of this.#openOf.get(each) ?? []) {
        if (this.#calls.get(id)?.fate === 'open') this.set(id, 'cut');
        this.#close(id);
        parents.push(id);
      }
  }

  #close(toolUseId: string): void {
    const call = this.#calls.get(toolUseId) as FatedCall;
    // A call that was cut off took until then, whatever is learnt of it later.
    if (call.isOver) return;
    call.isOver = true;
    this.#forget(toolUseId, call);
    this.ended.push(toolUseId);
  }

  #note(toolUseId: string, { parent }: FatedCall): void {
    this.open.add(toolUseId);
    if (parent === null) return;
    const siblings = this.#openOf.get(parent) ?? new Set();
    this.#openOf.set(parent, siblings.add(toolUseId));
  }

  #forget(toolUseId: string, { parent }: FatedCall): void {
    this.open.delete(toolUseId);
    if (parent === null) return;
    const siblings = this.#openOf.get(parent);
    siblings?.delete(toolUseId);
    if (siblings?.size === 0) this.#openOf.delete(parent);
  }
}
