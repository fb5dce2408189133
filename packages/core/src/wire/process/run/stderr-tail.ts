// Keeps the end of a CLI's stderr for error reports, and passes the whole text on to the caller's callback.
import { StringDecoder } from 'node:string_decoder';
import { callListener } from '../../../util/call-listener.js';

const KEPT_CHARACTERS = 4096;

/** The caller's callback for stderr, and a callback for the errors that it throws. */
export interface StderrReader {
  /** Receives every piece as it comes. */
  onText?: (text: string) => void;
  /** Called once, with the first value that `onText` throws or rejects with. */
  onReaderError: (error: unknown) => void;
}

/** The last characters of a stream of bytes. */
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

  /** Passes on the rest of the stream, if it ends in the middle of a character. */
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
