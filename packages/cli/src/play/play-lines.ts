// The lines that `inboard play` reads: typed at a terminal, or from a pipe. A question to the person takes the place of the
// prompt until it is answered.
import { createInterface } from 'node:readline';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { dropTyped } from '../terminal/drop-typed.js';
import { LineEditor } from '../terminal/line-editor.js';
import { askLine, isInteractive, noteLine, type Terminal } from '../terminal/terminal.js';

const PROMPT = 'you> ';

export class PlayLines {
  /** Whether a person types. */
  readonly isTyped: boolean;
  readonly #terminal: Terminal;
  readonly #editor: LineEditor;
  readonly #piped: PipedLines | undefined;
  /** Ends the prompt that is on the screen, to make room for a question. */
  #giveWay: AbortController | undefined;
  #question: Promise<unknown> = Promise.resolve();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.isTyped = isInteractive(terminal);
    this.#editor = new LineEditor(terminal);
    this.#piped = this.isTyped ? undefined : new PipedLines(terminal);
  }

  /** The next line of the conversation. Undefined if the input has ended, the person leaves, or the signal fires. */
  async readPrompt(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      const question = this.#question;
      await question;
      if (question !== this.#question) continue;
      const giveWay = new AbortController();
      this.#giveWay = giveWay;
      const either = AbortSignal.any([signal, giveWay.signal]);
      const line = await (this.#piped?.next(either) ?? this.#editor.read(PROMPT, either));
      if (line === undefined && giveWay.signal.aborted && !signal.aborted) continue;
      // The log of a pipe shows what was asked.
      if (this.#piped && line !== undefined) noteLine(this.#terminal, PROMPT + line);
      return line;
    }
  }

  /** Runs `ask` while no prompt and no other question is on the screen. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    const asking = this.#question.then(ask);
    this.#question = asking.catch(() => {});
    this.#giveWay?.abort();
    return await asking;
  }

  /** Drops what was typed before a question was on the screen. */
  async dropTyped(signal: AbortSignal): Promise<void> {
    if (this.isTyped) await dropTyped(this.#terminal, signal);
  }

  /** The answer to a question. Undefined if there is none. */
  async readAnswer(question: string, signal: AbortSignal): Promise<string | undefined> {
    if (!this.#piped) return await askLine(this.#terminal, question, signal);
    const line = await this.#piped.next(signal);
    if (line !== undefined) noteLine(this.#terminal, question + line);
    return line;
  }

  /** Takes a line back, which is then the next one. */
  putBack(line: string): void {
    this.#piped?.putBack(line);
  }

  /** Writes something above the prompt. */
  aside(write: () => void): void {
    this.#editor.aside(write);
  }

  close(): void {
    this.#piped?.close();
  }
}

/** The lines of a pipe, read one at a time. */
class PipedLines {
  readonly #lines: string[] = [];
  readonly #reader: ReturnType<typeof createInterface>;
  #hasEnded = false;
  #waiting: Deferred<void> | undefined;

  constructor({ stdin }: Terminal) {
    this.#reader = createInterface({ input: stdin, terminal: false });
    this.#reader.on('line', (line) => {
      this.#lines.push(line);
      this.#waiting?.resolve();
    });
    this.#reader.on('close', () => {
      this.#hasEnded = true;
      this.#waiting?.resolve();
    });
  }

  async next(signal: AbortSignal): Promise<string | undefined> {
    const stop = (): void => this.#waiting?.resolve();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (this.#lines.length === 0 && !this.#hasEnded && !signal.aborted) {
        this.#waiting = createDeferred<void>();
        await this.#waiting.promise;
      }
      return signal.aborted ? undefined : this.#lines.shift();
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  putBack(line: string): void {
    this.#lines.unshift(line);
  }

  close(): void {
    this.#reader.close();
  }
}
