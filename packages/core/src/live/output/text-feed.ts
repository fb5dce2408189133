// Gives readers the model's text as it arrives. `text-pieces` finds the text in a message.
import type { AsyncReader } from '../../util/queues/async-queue.js';
import { Broadcast, type BroadcastOptions } from '../../util/queues/broadcast.js';
import { TextPicker } from './text-pieces.js';

/** Decides whose text a text stream contains. */
export interface TextStreamOptions {
  /** Whether to include the text of subagents, as far as the CLI reports it. Default false. */
  subagents?: boolean;
}

/** The text of the model, piece by piece, for one reader. */
export type TextStream = AsyncReader<string>;

/** Passes text on to its readers. Without readers the text is dropped. */
export class TextFeed {
  readonly #picker = new TextPicker();
  readonly #main: Broadcast<string>;
  readonly #withSubagents: Broadcast<string>;

  constructor(options: BroadcastOptions = {}) {
    this.#main = new Broadcast(options);
    this.#withSubagents = new Broadcast(options);
  }

  get readers(): number {
    return this.#main.readers + this.#withSubagents.readers;
  }

  /** Takes a message, whole or partial. */
  observe(message: object): void {
    const { type } = message as { type?: unknown };
    // Pieces are followed even without a reader. A reader that joins in the middle of an answer must not get its
    // whole text again.
    if (type !== 'stream_event' && this.readers === 0) return;
    for (const { text, parent } of this.#picker.pick(message)) {
      if (parent === undefined) this.#main.push(text);
      this.#withSubagents.push(text);
    }
  }

  end(): void {
    this.#main.end();
    this.#withSubagents.end();
  }

  fail(error: unknown): void {
    this.#main.fail(error);
    this.#withSubagents.fail(error);
  }

  /** A new reader of the text from now on. `onLeave` is called when the reader leaves its loop. */
  read({ subagents = false }: TextStreamOptions = {}, onLeave?: () => Promise<void>): TextStream {
    const pieces = (subagents ? this.#withSubagents : this.#main).subscribe();
    return {
      next: () => pieces.next(),
      return: async () => {
        await pieces.return?.();
        await onLeave?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}
