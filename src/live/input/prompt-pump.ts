// Moves messages from prompt sources to the input: pulls a message only when the pipe has room, adds the ids by which
// answers are matched, and runs a source's `finally` when the CLI ends first.
import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { Uuid } from '../../wire/protocol/messages/message-values.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** After these the CLI reports no more about a message. */
const DONE_STATES: ReadonlySet<unknown> = new Set(['completed', 'cancelled']);

/** Where the pump's messages go. */
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
  /** Open sources, each with the function that resolves its `run` when the pump is stopped. */
  readonly #open = new Map<AsyncIterator<SDKUserMessage>, () => void>();
  /** Ids the pump generated, until the CLI is done with their messages. */
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

  /** Whether a message only reports on an id that the pump generated: the caller gave none and expects no report. */
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
      // A source that never yields must not keep its caller waiting after the end.
      this.#open.set(source, () => resolve(false));
      this.#drain(source).then(resolve, reject);
    });
  }

  /** Ends every source: its `return` runs, so that a generator's `finally` does. Waits for none of them: one may never yield. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const [source, resolveRun] of this.#open) {
      leaveSource(source);
      resolveRun();
    }
    this.#open.clear();
  }

  async #drain(source: AsyncIterator<SDKUserMessage>): Promise<boolean> {
    try {
      while (!this.#stopped) {
        const step = await source.next();
        if (step.done) return true;
        if (!this.#stopped && !this.#write(source, step.value)) await this.#options.sink.drained();
      }
    } catch (error) {
      // A source that fails because it was stopped is not reported: nobody waits for it any more.
      if (!this.#stopped) throw error;
    } finally {
      this.#open.delete(source);
    }
    return false;
  }

  #write(source: AsyncIterator<SDKUserMessage>, message: SDKUserMessage): boolean {
    const { sink } = this.#options;
    try {
      const complete = this.#addId(message);
      sink.onSent(complete);
      return sink.send(complete);
    } catch (error) {
      // The source itself did not fail, so it is left as a loop whose body throws would leave it.
      leaveSource(source);
      throw error;
    }
  }

  /**
   * From the second message on, one without a uuid gets one: only then can the CLI's reports name it.
   * The first is left as it is, because it may stay the only one.
   */
  #addId(message: SDKUserMessage): SDKUserMessage {
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

/** Ends a source early, as leaving a loop would; its errors are ignored, as nobody reads it any more. */
export function leaveSource(source: AsyncIterator<SDKUserMessage>): void {
  try {
    source.return?.().then(undefined, () => {});
  } catch {
    // A source whose `return` throws at once has been ended all the same.
  }
}
