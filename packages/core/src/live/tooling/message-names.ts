// Names the user's message that the running turn answers. The name stays the same after a restart. It is the
// message's id, except that the first message of a conversation has a fixed name, because it may be sent without an
// id.
import { randomUUID } from '../../util/random-uuid.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** How many messages are remembered. Far fewer can wait at a time. */
const MAX_WAITING = 1_000;

/** Follows the messages that are written and read. */
export class MessageNames {
  /** The names of messages that have another name than their id, by their ids. */
  readonly #names = new Map<string, string>();
  /** The names of messages that were written and not answered, oldest first. */
  #waiting: string[] = [];
  #nameOfNext: string | undefined;
  #current: string | undefined;
  #last: string = randomUUID();
  /** The name of the turn that goes on if the CLI begins a turn by itself. */
  #continued: string | undefined;

  /** `nameOfFirst` names the first message that is written. Without it, that message too is named by its id. */
  constructor(nameOfFirst: string | undefined) {
    this.#nameOfNext = nameOfFirst;
  }

  /** The name of the message whose turn runs. Between turns, that of the turn to be continued, or else of the last turn. */
  get current(): string {
    return this.#current ?? this.#continued ?? this.#last;
  }

  /**
   * Gives the message with this id the name of an earlier message. Used if it repeats that message, or continues that
   * message's turn.
   */
  rename(uuid: string, name: string): void {
    this.#names.set(uuid, name);
  }

  /** The name of the message with this id. */
  nameOf(uuid: string): string {
    return this.#names.get(uuid) ?? uuid;
  }

  /** Notes that the next CLI continues the turn of this message. Undefined takes that back. */
  expect(name: string | undefined): void {
    this.#continued = name;
  }

  wrote(message: SDKUserMessage): void {
    if (message.type !== 'user' || message.shouldQuery === false) return;
    const { uuid } = message;
    const first = this.#nameOfNext;
    this.#nameOfNext = undefined;
    if (uuid !== undefined && first !== undefined && !this.#names.has(uuid)) this.#names.set(uuid, first);
    // A message without an id cannot be found again, so its name must not match any other message.
    this.#waiting.push(uuid === undefined ? (first ?? randomUUID()) : this.nameOf(uuid));
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  }

  observe(message: WireObject): void {
    switch (message['type']) {
      case 'command_lifecycle':
        if (message['state'] === 'started') this.#begin(this.#nameOfStarted(String(message['command_uuid'])));
        return;
      case 'system':
        if (message['subtype'] === 'init') this.#begin(this.#continued ?? this.#waiting[0]);
        return;
      case 'result':
        this.#finish(message);
    }
  }

  /** Notes that the CLI is gone, and that its messages are gone with it. */
  cut(): void {
    if (this.#current !== undefined) this.#last = this.#current;
    this.#current = undefined;
    this.#continued = undefined;
    this.#waiting = [];
  }

  /** Names a turn that the CLI reports as started. The CLI reports a continued turn under an id of its own. */
  #nameOfStarted(uuid: string): string {
    const name = this.nameOf(uuid);
    return this.#waiting.includes(name) ? name : (this.#continued ?? name);
  }

  /** Begins a turn. Messages that join a running turn do not change its name. */
  #begin(name: string | undefined): void {
    if (this.#current !== undefined || name === undefined) return;
    this.#current = name;
    this.#last = name;
  }

  #finish(result: WireObject): void {
    this.#current = undefined;
    this.#continued = undefined;
    const named = result['user_message_uuids'];
    if (Array.isArray(named)) {
      const names = new Set(named.map((uuid) => this.nameOf(String(uuid))));
      this.#waiting = this.#waiting.filter((name) => !names.has(name));
    } else this.#waiting.shift();
  }
}
