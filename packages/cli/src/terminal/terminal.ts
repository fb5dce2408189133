// What a command sees of the outside world: its streams, whether a person is there, and when the command must stop.
// Commands get their streams only through this interface, so that tests can pass others. They print foreign text with the
// functions here, which clean it.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { cleanJson, TextCleaner } from '@inboard/core/util/terminal-text.js';
import { renderText, StyledText, type Style, type TerminalText } from './styled-text.js';

/** What a command sees of the outside world. Tests pass an object of their own. */
export interface Terminal {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number; rows?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Fires when the command is to end: on Ctrl-C, SIGTERM or SIGHUP, or when its output has been closed. */
  readonly signal: AbortSignal;
  /**
   * Gives Ctrl-C to a handler first, until the returned function is called. If the handler returns false, the command
   * ends as usual.
   */
  readonly takeInterrupt: (handler: () => boolean) => () => void;
}

/** Why a command is to end. */
export class StopRequest extends Error {
  readonly kind: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'EPIPE';

  constructor(kind: StopRequest['kind']) {
    super(kind === 'EPIPE' ? 'Nobody reads the output any more' : `Stopped by ${kind}`);
    this.name = 'StopRequest';
    this.kind = kind;
  }
}

/** Writes whole lines to the standard output. */
export function printLine(terminal: Terminal, line: TerminalText = ''): void {
  terminal.stdout.write(`${renderText(line)}\n`);
}

/** Writes whole lines to the standard error: everything that is not the answer itself. */
export function noteLine(terminal: Terminal, line: TerminalText = ''): void {
  terminal.stderr.write(`${renderText(line)}\n`);
}

/** Writes a value as JSON to the standard output. */
export function printJson(terminal: Terminal, value: unknown, indent?: number): void {
  terminal.stdout.write(`${cleanJson(stringifyDeep(value, indent) ?? '')}\n`);
}

/** Writes a document to the standard output as it is. The caller has cleaned the foreign text in it. */
export function printDocument(terminal: Terminal, text: string): void {
  terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Writes text to the standard output piece by piece. */
export class TerminalTextWriter {
  readonly #terminal: Terminal;
  readonly #cleaner = new TextCleaner();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  write(piece: string): void {
    this.#terminal.stdout.write(this.#cleaner.push(piece));
  }

  /** Ends the text and its last line. */
  endLine(): void {
    this.#terminal.stdout.write(`${this.#cleaner.end()}\n`);
  }
}

/** Whether a stream gets colours. It does if it is a terminal with colours or FORCE_COLOR is set, unless NO_COLOR is set. */
export function isColoured(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout'): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = terminal.env;
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return !NO_COLOR && (isForced || (terminal[stream].isTTY === true && TERM !== 'dumb'));
}

/** Creates a function that styles texts. It leaves them plain if the stream gets no colours. */
export function createStyler(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout') {
  const isOn = isColoured(terminal, stream);
  return (style: Style, text: TerminalText): StyledText => StyledText.of(isOn ? style : undefined, text);
}

/** Whether a person can be asked: both the input and the stream for questions are terminals. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

/** Asks one question and returns the typed line. Undefined if the input ends or the signal fires first. */
export function askLine(
  terminal: Terminal,
  question: TerminalText,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted || terminal.stdin.readableEnded) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const reader = createInterface({ input: terminal.stdin, output: terminal.stderr, terminal: false });
    const finish = (answer: string | undefined): void => {
      signal.removeEventListener('abort', giveUp);
      // Not `removeAllListeners`: the reader has a `close` listener of its own, which releases the input.
      reader.off('close', giveUp);
      reader.close();
      resolve(answer);
    };
    const giveUp = (): void => finish(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    reader.once('line', finish);
    reader.once('close', giveUp);
    terminal.stderr.write(renderText(question));
  });
}
