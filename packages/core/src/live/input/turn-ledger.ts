// Which of the written user messages still wait for an answer. Results are counted only where the CLI reports nothing
// better: messages written together, or while a tool runs, may share one result. What a CLI has read and is idle about
// is done with, named or not.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** The state the CLI last reported; `unreported` on versions that report none. */
export type CliState = 'unreported' | 'idle' | 'running' | 'requires_action';

/** Command states in which a message's turn is still to come; any other means that it is done with. */
const OPEN_COMMAND_STATES = new Set(['queued', 'started']);

/** Follows what is written and what is read. */
export class TurnLedger {
  /** Messages that wait, oldest first, by uuid or, for those without, by their order. */
  readonly #open = new Set<string>();
  /** Every uuid ever written: the CLI silently drops a second message with the same one. */
  readonly #known = new Set<string>();
  /** Those that the CLI has reported to be queued or started. */
  readonly #begun = new Set<string>();
  #ignored: string[] | undefined;
  #written = 0;
  /** How many of the written messages the CLI is known to have read. */
  #read = 0;
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

  /** Whether it is idle, as far as it tells. */
  get isBetweenTurns(): boolean {
    return this.#state === 'idle' || (this.#state === 'unreported' && !this.#isInTurn);
  }

  /** Whether a result came after the last message was written. */
  get resultSinceWrite(): boolean {
    return this.#resultSinceWrite;
  }

  /** Whether a turn is under way and no result has come since the last message was written: only its result can end the input. */
  get isUnderWay(): boolean {
    return (
      !this.#resultSinceWrite && this.#state !== 'idle' && (this.#isInTurn || this.#state !== 'unreported')
    );
  }

  /** How many messages were written that want an answer. */
  get written(): number {
    return this.#written;
  }

  /** Whether the CLI is known to have read all that was written. */
  get isAllRead(): boolean {
    return this.#read === this.#written;
  }

  /** The CLI has read this many messages: it answered a request that was written behind them. */
  noteRead(count: number): void {
    this.#read = Math.max(this.#read, count);
  }

  /** The CLI is idle and has read everything: what is still open will not be answered any more. Gives the uuids among it. */
  dropOpen(): string[] {
    const dropped = [...this.#open].filter((key) => !key.startsWith('#'));
    this.#open.clear();
    return dropped;
  }

  /** The messages that the CLI reported to be done with and never took up, each once. */
  takeIgnored(): readonly string[] | undefined {
    const ignored = this.#ignored;
    this.#ignored = undefined;
    return ignored;
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
    // A message without a uuid is answered in its order, alone or with others: any result answers the first of them.
    // A result that names nothing on a CLI that reports nothing answers the oldest.
    const nameless = this.#firstNameless();
    if (nameless !== undefined) this.#open.delete(nameless);
    else if (!matched && this.#state === 'unreported') this.#deleteOldest();
  }

  #observeCommand(message: WireObject): void {
    const uuid = message['command_uuid'];
    if (typeof uuid !== 'string') return;
    if (OPEN_COMMAND_STATES.has(String(message['state']))) {
      this.#begun.add(uuid);
      return;
    }
    const hasBegun = this.#begun.delete(uuid);
    // Done with and never begun: the CLI found the message in the transcript it resumed.
    if (this.#open.delete(uuid) && !hasBegun && message['state'] === 'completed')
      (this.#ignored ??= []).push(uuid);
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
