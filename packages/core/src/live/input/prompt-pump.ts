// Moves messages from prompt sources to the input. It pulls a message only when the pipe has room, and runs a
// source's `finally` if the CLI ends first. It adds no uuid to a message, because that would change which messages
// share a turn.
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** Where the pump's messages go. */
export interface PromptSink {
  /** Writes a message. Returns false if the pipe is full. */
  send(message: SDKUserMessage): boolean;
  /** Resolves when the pipe has room again or is closed. */
  drained(): Promise<void>;
  /** Returns a promise as long as this message may not be written. */
  held?(message: SDKUserMessage): Promise<void> | undefined;
  /** Called just before a message is written. */
  onSent(message: SDKUserMessage): void;
}

export interface PromptPumpOptions {
  sink: PromptSink;
  /** Marks every message as composed by the client, so that the CLI expands nothing in it. */
  verbatim: boolean;
}

/** Feeds one input from any number of sources, one message at a time from each. */
export class PromptPump {
  readonly #options: PromptPumpOptions;
  /** Open sources, each with the function that resolves its `run` when the pump is stopped. */
  readonly #open = new Map<AsyncIterator<SDKUserMessage>, () => void>();
  #stopped = false;

  constructor(options: PromptPumpOptions) {
    this.#options = options;
  }

  /** How many sources have not ended yet. */
  get openSources(): number {
    return this.#open.size;
  }

  /**
   * Runs one source. Resolves with true if the source came to its end, and with false if the pump was stopped first.
   * Rejects if the source fails or one of its messages cannot be written.
   */
  run(source: AsyncIterator<SDKUserMessage>): Promise<boolean> {
    return new Promise((resolve, reject) => {
      // A source that never yields must not keep its caller waiting after the end.
      this.#open.set(source, () => resolve(false));
      this.#drain(source).then(resolve, reject);
    });
  }

  /**
   * Ends every source. A source's `return` is called, so that a generator's `finally` runs. The pump waits for none
   * of them, because a source may never yield.
   */
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
        const held = this.#options.sink.held?.(step.value);
        if (held) await held;
        if (!this.#stopped && !this.#write(source, step.value)) await this.#options.sink.drained();
      }
    } catch (error) {
      // A source that fails because it was stopped is not reported. Its `run` has resolved already.
      if (!this.#stopped) throw error;
    } finally {
      this.#open.delete(source);
    }
    return false;
  }

  #write(source: AsyncIterator<SDKUserMessage>, message: SDKUserMessage): boolean {
    const { sink } = this.#options;
    try {
      const complete = this.#complete(message);
      sink.onSent(complete);
      return sink.send(complete);
    } catch (error) {
      // The source itself did not fail. It is left as by a loop whose body throws.
      leaveSource(source);
      throw error;
    }
  }

  #complete(message: SDKUserMessage): SDKUserMessage {
    return this.#options.verbatim && message.type === 'user'
      ? { ...message, client_composed: true }
      : message;
  }
}

/** Ends a source early, as leaving a loop would. Its errors are ignored, because nobody reads the source any more. */
export function leaveSource(source: AsyncIterator<SDKUserMessage>): void {
  try {
    source.return?.().then(undefined, () => {});
  } catch {
    // A source whose `return` throws at once has ended too.
  }
}
