// Moves messages from prompt sources to the input: pulls a message only when the pipe has room, stamps
// the ids that let answers be told apart, and runs a source's `finally` when the session ends first.
import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** After these the CLI says no more about a message. */
const DONE_STATES: ReadonlySet<unknown> = new Set(['completed', 'cancelled']);

/** Where the pump's messages go and who is told. */
export interface PromptSink {
  /** Writes a message; false when the pipe is full. */
  send(message: SDKUserMessage): boolean;
  /** Resolves when there is room again, or the pipe is closed. */
  drained(): Promise<void>;
  /** A message is about to be written. */
  onSent(message: SDKUserMessage): void;
}

export interface PromptPumpOptions {
  sink: PromptSink;
  /** Marks every message as composed by the client, so that the CLI expands nothing in it. */
  verbatim: boolean;
}

/** Any number of sources feeding one input, one message at a time each. */
export class PromptPump {
  readonly #options: PromptPumpOptions;
  /** Open sources, each with what tells its runner that the pump was stopped. */
  readonly #open = new Map<AsyncIterator<SDKUserMessage>, () => void>();
  /** Ids the pump made up, until the CLI is done with their messages. */
  readonly #ownIds = new Set<string>();
  #sent = 0;
  #stopped = false;

  constructor(options: PromptPumpOptions) {
    this.#options = options;
  }

  /** How many sources have not ended yet. */
  get openSources(): number {
    return this.#open.size;
  }

  /** Whether a message only reports on an id that the pump made up: the caller gave none and expects no word of it. */
  claims(message: WireObject): boolean {
    if (message['type'] !== 'command_lifecycle') return false;
    const id = message['command_uuid'];
    if (typeof id !== 'string' || !this.#ownIds.has(id)) return false;
    if (DONE_STATES.has(message['state'])) this.#ownIds.delete(id);
    return true;
  }

  /** Runs one source: true when it came to its end, false when the pump was stopped first. Rejects with the source's own error, untouched. */
  run(source: AsyncIterator<SDKUserMessage>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      // A source that is asleep for ever must not keep its runner waiting after the end.
      this.#open.set(source, () => resolve(false));
      this.#drain(source).then(resolve, reject);
    });
  }

  /** Ends every source: its `return` runs, so that a generator's `finally` does. Waits for none of them: one may be asleep for ever. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const [source, tellRunner] of this.#open) {
      leaveSource(source);
      tellRunner();
    }
    this.#open.clear();
  }

  async #drain(source: AsyncIterator<SDKUserMessage>): Promise<boolean> {
    try {
      while (!this.#stopped) {
        const step = await source.next();
        if (step.done) return true;
        if (!this.#stopped && !this.#writeFrom(source, step.value)) await this.#options.sink.drained();
      }
    } catch (error) {
      // After the end nobody asks any more; a source that fails while it is being told to stop is not news.
      if (!this.#stopped) throw error;
    } finally {
      this.#open.delete(source);
    }
    return false;
  }

  #writeFrom(source: AsyncIterator<SDKUserMessage>, message: SDKUserMessage): boolean {
    try {
      return this.#write(message);
    } catch (error) {
      // The source did nothing wrong that it knows of, so it is left as a loop that throws would leave it.
      leaveSource(source);
      throw error;
    }
  }

  #write(message: SDKUserMessage): boolean {
    const stamped = this.#stamp(message);
    this.#options.sink.onSent(stamped);
    return this.#options.sink.send(stamped);
  }

  /**
   * From the second message on, one without a uuid gets one: only then can the CLI's reports name it.
   * The first is left as it came, because nobody knows yet whether a second will follow.
   */
  #stamp(message: SDKUserMessage): SDKUserMessage {
    if (message.type !== 'user') return message;
    const count = ++this.#sent;
    const needsId = count > 1 && message.uuid === undefined;
    if (!needsId && !this.#options.verbatim) return message;
    return {
      ...message,
      ...(needsId ? { uuid: this.#makeId() } : {}),
      ...(this.#options.verbatim ? { client_composed: true } : {}),
    };
  }

  #makeId(): Uuid {
    const id = randomUUID();
    this.#ownIds.add(id);
    return id;
  }
}

/** Tells a source that nobody pulls any more; what it makes of it is not news. */
export function leaveSource(source: AsyncIterator<SDKUserMessage>): void {
  try {
    source.return?.().then(undefined, () => {});
  } catch {
    // A source whose `return` throws at once has still been told.
  }
}
