// Which of the written user messages still wait for an answer. Results are counted only where the CLI reports nothing
// better: messages written together, or while a tool runs, may share one result.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** The state the CLI last reported; `unreported` on versions that report none. */
export type CliState = 'unreported' | 'idle' | 'running' | 'requires_action';

/** Command states in which a message's turn is still to come; any other means that it is done with. */
const OPEN_COMMAND_STATES = new Set(['queued', 'started']);

/** Follows what is written and what is read. */
export class TurnLedger {
  /** Messages that wait, by uuid or, for the one without, by their order. */
  readonly #open = new Set<string>();
  /** Every uuid ever written: the CLI silently drops a second message with the same one. */
  readonly #known = new Set<string>();
  #written = 0;
  #isInTurn = false;
  #isSettled = false;
  #state: CliState = 'unreported';
  #lastResult: SDKResultMessage | undefined;
  #resultSinceWrite = false;

  get unanswered(): number {
    return this.#open.size + (this.#isSettled && this.#isInTurn ? 1 : 0);
  }

  get state(): CliState {
    return this.#state;
  }

  get lastResult(): SDKResultMessage | undefined {
    return this.#lastResult;
  }

  /** Whether a turn has begun that has no result yet. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  /** Whether a result came after the last message was written. */
  get resultSinceWrite(): boolean {
    return this.#resultSinceWrite;
  }

  /** A message is written; one with `shouldQuery: false` only adds to the conversation and gets no answer. */
  wrote(message: SDKUserMessage): void {
    if (message.type !== 'user' || message.shouldQuery === false) return;
    this.#written += 1;
    if (message.uuid === undefined) this.#open.add(`#${this.#written}`);
    else if (this.#known.has(message.uuid)) return;
    else {
      this.#known.add(message.uuid);
      this.#open.add(message.uuid);
    }
    this.#resultSinceWrite = false;
  }

  /** Counts everything written as answered; should the CLI begin a turn after all, that turn counts as unanswered. */
  settle(): void {
    this.#open.clear();
    this.#isSettled = true;
  }

  observe(message: WireObject): void {
    switch (message['type']) {
      case 'result':
        this.#observeResult(message as unknown as SDKResultMessage & WireObject);
        return;
      case 'command_lifecycle':
        this.#observeCommand(message);
        return;
      case 'system':
        if (message['subtype'] === 'session_state_changed') this.#observeState(message['state']);
        else if (message['subtype'] === 'init') this.#isInTurn = true;
    }
  }

  #observeResult(result: SDKResultMessage & WireObject): void {
    this.#lastResult = result;
    this.#resultSinceWrite = true;
    this.#isInTurn = false;
    const named = result['user_message_uuids'] ?? result['user_message_uuid'];
    const uuids = Array.isArray(named) ? named : [named];
    let matched = false;
    for (const uuid of uuids) if (typeof uuid === 'string' && this.#open.delete(uuid)) matched = true;
    // The one message without a uuid was written first, so any result answers it. A result that names
    // nothing on a CLI that reports nothing answers the oldest.
    const nameless = this.#firstNameless();
    if (nameless !== undefined) this.#open.delete(nameless);
    else if (!matched && this.#state === 'unreported') this.#deleteOldest();
  }

  #observeCommand(message: WireObject): void {
    const uuid = message['command_uuid'];
    if (typeof uuid === 'string' && !OPEN_COMMAND_STATES.has(String(message['state'])))
      this.#open.delete(uuid);
  }

  #observeState(state: unknown): void {
    if (state === 'idle' || state === 'running' || state === 'requires_action') this.#state = state;
  }

  #firstNameless(): string | undefined {
    for (const key of this.#open) if (key.startsWith('#')) return key;
    return undefined;
  }

  #deleteOldest(): void {
    for (const key of this.#open) {
      this.#open.delete(key);
      return;
    }
  }
}
