// Keeps the last lines a CLI wrote to stderr, for error reports, and passes all of it on.
import { StringDecoder } from 'node:string_decoder';

const KEPT_CHARACTERS = 4096;

/** Who else reads stderr, and who is told when that reader fails. */
export interface StderrReader {
  /** Gets every piece as it comes. */
  onText?: (text: string) => void;
  /** Called once, for the first thing thrown by `onText`. */
  onReaderError: (error: unknown) => void;
}

/** A bounded memory of a byte stream's end. */
export class StderrTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #reader: StderrReader;
  #text = '';
  #failed = false;

  constructor(reader: StderrReader) {
    this.#reader = reader;
  }

  /** What is kept: about the last four thousand characters. */
  get text(): string {
    return this.#text;
  }

  push(chunk: Uint8Array | string): void {
    this.#take(typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk)));
  }

  /** Gives out a character that was cut off at the end of the stream. */
  end(): void {
    this.#take(this.#decoder.end());
  }

  #take(text: string): void {
    if (text === '') return;
    this.#text = (this.#text + text).slice(-KEPT_CHARACTERS);
    // Not to begin with the second half of a character.
    if (/^[\udc00-\udfff]/.test(this.#text)) this.#text = this.#text.slice(1);
    try {
      this.#reader.onText?.(text);
    } catch (error) {
      // Thrown inside a stream's event it would take the whole host down.
      if (!this.#failed) this.#reader.onReaderError(error);
      this.#failed = true;
    }
  }
}
