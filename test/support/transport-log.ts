// A receiver that remembers what a transport told it, and complains about what must never happen.
import type { InboardError } from '../../packages/core/src/errors.js';
import type {
  Transport,
  TransportEnd,
  TransportReceiver,
} from '../../packages/core/src/wire/transport/transport.js';
import { waitUntil } from './wait-until.js';

/** What arrived so far. */
export class TransportLog implements TransportReceiver {
  readonly lines: string[] = [];
  readonly faults: InboardError[] = [];
  readonly end: Promise<TransportEnd>;
  ends = 0;
  isOpening = false;
  readonly #onLine: ((line: string) => void) | undefined;
  #resolveEnd!: (end: TransportEnd) => void;

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
    this.end = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
  }

  /** Opens a transport with a new log as its receiver. */
  static open(transport: Transport, onLine?: (line: string) => void): TransportLog {
    const log = new TransportLog(onLine);
    log.isOpening = true;
    transport.open(log);
    log.isOpening = false;
    return log;
  }

  line(text: string): void {
    this.#check('line');
    this.lines.push(text);
    this.#onLine?.(text);
  }

  fault(error: InboardError): void {
    this.#check('fault');
    this.faults.push(error);
  }

  closed(end: TransportEnd): void {
    this.#check('closed');
    this.ends += 1;
    this.#resolveEnd(end);
  }

  /** Resolves when that many lines are there. */
  async waitForLines(count: number): Promise<void> {
    await waitUntil(() => this.lines.length >= count, 15_000, `${count} lines`);
  }

  #check(what: string): void {
    if (this.isOpening) throw new Error(`${what} came while open() was running`);
    if (this.ends > 0) throw new Error(`${what} came after closed()`);
  }
}
