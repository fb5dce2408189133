// Reads the lines that a person types, with editing and history on the arrow keys. Between prompts the terminal is in
// its ordinary mode, so Ctrl-C sends a signal.
import { createInterface, cursorTo, clearScreenDown, moveCursor, type Interface } from 'node:readline';
import type { Terminal } from './terminal.js';

const MAX_HISTORY = 1000;

/** Reads lines at a terminal and remembers them. */
export class LineEditor {
  readonly #terminal: Terminal;
  /** The lines of the history, newest first, as in `readline`. */
  #history: string[] = [];
  #reader: Interface | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Adds a text that was not typed here to the history, unless it has several lines. */
  remember(line: string): void {
    if (!line.includes('\n')) this.#history.unshift(line);
  }

  /**
   * Returns the typed text. It has several lines if they were pasted. Returns undefined if the person leaves with Ctrl-D,
   * or with Ctrl-C on an empty line, or if the signal fires.
   */
  read(question: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const { stdin: input, stderr: output } = this.#terminal;
    return new Promise((resolve) => {
      const reader = createInterface({
        input,
        output,
        terminal: true,
        prompt: question,
        history: [...this.#history],
        historySize: MAX_HISTORY,
        removeHistoryDuplicates: true,
      });
      const lines: string[] = [];
      let isSettling = false;
      const finish = (text: string | undefined): void => {
        if (this.#reader !== reader) return;
        this.#reader = undefined;
        signal.removeEventListener('abort', leave);
        reader.close();
        resolve(text);
      };
      const leave = (): void => {
        if (this.#reader === reader) output.write('\n');
        finish(undefined);
      };
      // Pasted lines arrive together. If the last one has no line end, it can still be edited.
      const settle = (): void => {
        isSettling = false;
        if (this.#reader === reader && lines.length > 0 && reader.line === '') finish(lines.join('\n'));
      };
      this.#reader = reader;
      signal.addEventListener('abort', leave, { once: true });
      reader.on('history', (history) => {
        this.#history = [...history];
      });
      reader.on('line', (line) => {
        lines.push(line);
        if (!isSettling) setImmediate(settle);
        isSettling = true;
      });
      reader.on('SIGINT', () => {
        if (reader.line === '' && lines.length === 0) return leave();
        lines.length = 0;
        reader.write(null, { ctrl: true, name: 'e' });
        reader.write(null, { ctrl: true, name: 'u' });
      });
      reader.on('close', leave);
      reader.prompt();
    });
  }

  /** Writes something while a line is being typed. The prompt is removed first and shown again afterwards. */
  aside(write: () => void): void {
    const reader = this.#reader;
    if (!reader) return write();
    const { stderr } = this.#terminal;
    moveCursor(stderr, 0, -reader.getCursorPos().rows);
    cursorTo(stderr, 0);
    clearScreenDown(stderr);
    write();
    reader.prompt(true);
  }
}
