// What a command has of the outside world: where it writes and reads, whether a person is there, and when it
// is asked to stop. Commands touch the process only through this, so that tests can hand them another one.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';

/** A format of `util.styleText`, or several. */
export type Style = Parameters<typeof styleText>[0];

/** The outside world of a command. */
export interface Terminal {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable & { isTTY?: boolean; columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Fires when the command is to end: Ctrl-C, SIGTERM, or nobody reads its output any more. */
  readonly signal: AbortSignal;
  /** Has Ctrl-C go to a handler first, until the function it returns is called; where the handler returns false, the command is to end as usual. */
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
export function printLine(terminal: Terminal, line = ''): void {
  terminal.stdout.write(`${line}\n`);
}

/** Writes whole lines to the standard error: everything that is not the answer itself. */
export function noteLine(terminal: Terminal, line = ''): void {
  terminal.stderr.write(`${line}\n`);
}

/** Whether a stream gets colours: it is a terminal, and NO_COLOR is not set. */
export function isColoured(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout'): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = terminal.env;
  const isForced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return !NO_COLOR && (isForced || (terminal[stream].isTTY === true && TERM !== 'dumb'));
}

/** Colours texts where the stream gets colours. */
export function createStyler(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout') {
  const isOn = isColoured(terminal, stream);
  // Told not to look at the streams of this process: the decision is taken above.
  return (style: Style, text: string): string =>
    isOn ? (styleText as (style: Style, text: string, options: object) => string)(style, text, PLAIN) : text;
}

const PLAIN = { validateStream: false };

/** Whether somebody can be asked: the input is a terminal, and so is the stream questions go to. */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
}

/** Asks one question and gives the line typed; undefined when the input ends or the signal fires first. */
export function askLine(
  terminal: Terminal,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const reader = createInterface({ input: terminal.stdin, output: terminal.stderr, terminal: false });
    const finish = (answer: string | undefined): void => {
      signal.removeEventListener('abort', giveUp);
      reader.off('close', giveUp);
      // The listeners of its own stay: by them it lets go of the input.
      reader.close();
      resolve(answer);
    };
    const giveUp = (): void => finish(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    reader.once('line', finish);
    reader.once('close', giveUp);
    terminal.stderr.write(question);
  });
}
