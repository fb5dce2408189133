// Moves messages from prompt sources to the input: pulls a message only when the pipe has room, and runs a source's
// `finally` when the CLI ends first. Messages go as they are: an id of ours would change which of them share a turn.
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';

/** Where the pump's messages go. */
export interface PromptSink {
  /** Writes a message; false when the pipe is full. */
  send(message: SDKUserMessage): boolean;
  /** Resolves when there is room again, or the pipe is closed. */
  drained(): Promise<void>;
  /** A promise while this message may not be written yet. */
  held?(message: SDKUserMessage): Promise<void> | undefined;
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
  #stopped = false;

  constructor(options: PromptPumpOptions) {
    this.#options = options;
  }

  /** How many sources have not ended yet. */
  get openSources(): number {
    return this.#open.size;
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
        const held = this.#options.sink.held?.(step.value);
        if (held) await held;
        if (!this.#stopped && !this.#write(source, step.value)) await this.#options.sink.drained();
      }
    } catch (error) {
      // A source that fails because it was stopped is not reported: its `run` has resolved already.
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
      // The source itself did not fail, so it is left as a loop whose body throws would leave it.
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

/** Ends a source early, as leaving a loop would. Its errors are ignored, as those of a source that is no longer read. */
export function leaveSource(source: AsyncIterator<SDKUserMessage>): void {
  try {
    source.return?.().then(undefined, () => {});
  } catch {
    // A source whose `return` throws at once has been ended all the same.
  }
}
