// Keeps the end of what a CLI wrote to stderr for error reports, and passes all of it on.
import { StringDecoder } from 'node:string_decoder';
import { callListener } from '../../../util/call-listener.js';

const KEPT_CHARACTERS = 4096;

/** The user's callback for stderr, and the callback for its errors. */
export interface StderrReader {
  /** Receives every piece as it comes. */
  onText?: (text: string) => void;
  /** Called once, with the first value that `onText` throws or rejects with. */
  onReaderError: (error: unknown) => void;
}

/** The end of a byte stream, of limited size. */
export class StderrTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #reader: StderrReader;
  #text = '';
  #failed = false;

  constructor(reader: StderrReader) {
    this.#reader = reader;
  }

  /** The kept text: about the last four thousand characters. */
  get text(): string {
    return this.#text;
  }

  push(chunk: Uint8Array | string): void {
    this.#take(typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk)));
  }

  /** Passes on a character that was cut off at the end of the stream. */
  end(): void {
    this.#take(this.#decoder.end());
  }

  #take(text: string): void {
    if (text === '') return;
    this.#text = (this.#text + text).slice(-KEPT_CHARACTERS);
    // The text must not begin with the second half of a character.
    if (/^[\udc00-\udfff]/.test(this.#text)) this.#text = this.#text.slice(1);
    // An error thrown inside a stream's event would crash the host.
    callListener(
      () => this.#reader.onText?.(text),
      (error) => {
        if (!this.#failed) this.#reader.onReaderError(error);
        this.#failed = true;
      },
    );
  }
}
