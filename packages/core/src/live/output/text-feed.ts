// Gives readers the text of the model while it comes. What text is in a message is decided in `text-pieces`.
import type { AsyncReader } from '../../util/queues/async-queue.js';
import { Broadcast, type BroadcastOptions } from '../../util/queues/broadcast.js';
import { TextPicker } from './text-pieces.js';

/** Whose text a text stream has. */
export interface TextStreamOptions {
  /** Also what subagents write, as far as the CLI reports it. Default false. */
  subagents?: boolean;
}

/** The text of the model, piece by piece, for one reader. */
export type TextStream = AsyncReader<string>;

/** Passes text on to its readers; without readers it is dropped. */
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

  /** Takes a message, a partial one too. */
  observe(message: object): void {
    const { type } = message as { type?: unknown };
    // Pieces are followed even without a reader: one that comes in the middle must not get the whole text again.
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

  /** A new reader of what comes from now on; `onLeave` is called when it leaves its loop. */
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
