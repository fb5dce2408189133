// Draws a line at the bottom of the terminal that says what the command waits for, and for how long. The line is
// redrawn in place, so it is only shown on a terminal.
import type { Terminal } from './terminal.js';

const FRAMES = ['|', '/', '-', '\\'];
const INTERVAL_MS = 120;
const CLEAR = '\r\u001b[2K';

/** Shows one text at a time. Code that writes to the terminal calls `hide` first. The line comes back by itself. */
export class StatusLine {
  readonly #terminal: Terminal;
  readonly #isOn: boolean;
  #text: string | undefined;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #isDrawn = false;

  constructor(terminal: Terminal, isWanted = true) {
    this.#terminal = terminal;
    this.#isOn = isWanted && terminal.stderr.isTTY === true && terminal.env['TERM'] !== 'dumb';
  }

  /** Sets what the command waits for from now on. Undefined removes the line. */
  set(text: string | undefined): void {
    if (!this.#isOn || text === this.#text) return;
    this.#text = text;
    this.#since = performance.now();
    this.hide();
    clearInterval(this.#timer);
    if (text === undefined) return;
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), INTERVAL_MS).unref();
  }

  /** Removes the line until it is drawn again. */
  hide(): void {
    if (this.#isDrawn) this.#terminal.stderr.write(CLEAR);
    this.#isDrawn = false;
  }

  #draw(): void {
    const seconds = Math.floor((performance.now() - this.#since) / 1000);
    // A terminal without a size gives 0.
    const columns = this.#terminal.stderr.columns || 80;
    const line = `${FRAMES[this.#frame % FRAMES.length]} ${this.#text}${seconds > 0 ? ` ${seconds} s` : ''}`;
    this.#frame += 1;
    this.#isDrawn = true;
    // The line is cut, because a line that wraps could not be cleared.
    this.#terminal.stderr.write(CLEAR + line.slice(0, columns - 1));
  }
}
