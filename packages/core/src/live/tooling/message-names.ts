// Which of the user's messages the running turn answers, by a name that stays the same after a restart: its id, or for
// the first of a conversation a word, because that one may be sent without an id.
import { randomUUID } from '../../util/random-uuid.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** Messages that are remembered: far more than can wait at a time. */
const MAX_WAITING = 1_000;

/** Follows what is written and what is read. */
export class MessageNames {
  /** Names of messages that are known by another one, by their ids. */
  readonly #names = new Map<string, string>();
  /** Written and not answered, oldest first, by name. */
  #waiting: string[] = [];
  #nameOfNext: string | undefined;
  #current: string | undefined;
  #last: string = randomUUID();
  /** The turn that goes on when the CLI begins one unasked. */
  #continued: string | undefined;

  /** The name of the first message that is written; without one, each is named by its id. */
  constructor(nameOfFirst: string | undefined) {
    this.#nameOfNext = nameOfFirst;
  }

  /** The message whose turn runs; between turns, the last one. */
  get current(): string {
    return this.#current ?? this.#continued ?? this.#last;
  }

  /** The message with this id stands for another: it was sent again, or continues its turn. */
  rename(uuid: string, name: string): void {
    this.#names.set(uuid, name);
  }

  /** What the message with this id is called. */
  nameOf(uuid: string): string {
    return this.#names.get(uuid) ?? uuid;
  }

  /** The CLI that is started next goes on with the turn of this message; undefined: it does not after all. */
  expect(name: string | undefined): void {
    this.#continued = name;
  }

  wrote(message: SDKUserMessage): void {
    if (message.type !== 'user' || message.shouldQuery === false) return;
    const { uuid } = message;
    const first = this.#nameOfNext;
    this.#nameOfNext = undefined;
    if (uuid !== undefined && first !== undefined && !this.#names.has(uuid)) this.#names.set(uuid, first);
    // Without an id it cannot be found again, so its name must not fit any other.
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

  /** The CLI is gone, and the messages it had with it. */
  cut(): void {
    if (this.#current !== undefined) this.#last = this.#current;
    this.#current = undefined;
    this.#continued = undefined;
    this.#waiting = [];
  }

  /** The CLI reports a turn that goes on under an id of its own. */
  #nameOfStarted(uuid: string): string {
    const name = this.nameOf(uuid);
    return this.#waiting.includes(name) ? name : (this.#continued ?? name);
  }

  /** Messages that are taken into a running turn do not change whose turn it is. */
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
