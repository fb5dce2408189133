// Keeps account of the written user messages that still wait for an answer. Results are counted only if the CLI
// reports nothing better, because messages written together, or while a tool runs, may share one result. A message
// that an idle CLI has read is done, whether the CLI named it or not.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** The state that the CLI last reported. `unreported` on versions that report none. */
export type CliState = 'unreported' | 'idle' | 'running' | 'requires_action';

/** The command states of a message that waits or whose turn runs. In any other state the CLI is done with the message. */
const OPEN_COMMAND_STATES = new Set(['queued', 'started']);

/** Follows the messages that are written and read. */
export class TurnLedger {
  /** The waiting messages, oldest first. The key is the uuid or, for a message without one, its number. */
  readonly #open = new Set<string>();
  /** Every uuid ever written. The CLI silently drops a second message with the same uuid. */
  readonly #known = new Set<string>();
  /** The uuids of messages that the CLI has reported as queued or started. */
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

  /** Whether the CLI is idle, as far as it reports. */
  get isBetweenTurns(): boolean {
    return this.#state === 'idle' || (this.#state === 'unreported' && !this.#isInTurn);
  }

  /** Whether a result came after the last message was written. */
  get resultSinceWrite(): boolean {
    return this.#resultSinceWrite;
  }

  /**
   * Whether a turn is under way and no result has come since the last message was written. The input cannot end then.
   */
  get isUnderWay(): boolean {
    return (
      !this.#resultSinceWrite && this.#state !== 'idle' && (this.#isInTurn || this.#state !== 'unreported')
    );
  }

  /** How many messages were written that need an answer. */
  get written(): number {
    return this.#written;
  }

  /** Whether the CLI is known to have read all written messages. */
  get isAllRead(): boolean {
    return this.#read === this.#written;
  }

  /** Notes that the CLI has read this many messages, because it answered a request that was written behind them. */
  noteRead(count: number): void {
    this.#read = Math.max(this.#read, count);
  }

  /**
   * Drops the open messages of an idle CLI that has read everything, because it will not answer them any more. Returns the
   * uuids of those that have one.
   */
  dropOpen(): string[] {
    const dropped = [...this.#open].filter((key) => !key.startsWith('#'));
    this.#open.clear();
    return dropped;
  }

  /** Returns the uuids of messages that the CLI reported as completed but never took up. Each is returned only once. */
  takeIgnored(): readonly string[] | undefined {
    const ignored = this.#ignored;
    this.#ignored = undefined;
    return ignored;
  }

  /** Notes a written message. A message with `shouldQuery: false` only adds to the conversation and gets no answer. */
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

  /** Counts everything written as answered. If the CLI begins a turn after all, that turn counts as unanswered. */
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
    // Messages without a uuid are answered in their order, alone or with others, so any result answers the first of
    // them. If a CLI that reports no state sends a result that names no message, the result answers the oldest.
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
    // A message that is completed but never began was in the transcript that the CLI resumed.
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
