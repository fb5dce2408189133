// The time limit of the handshake. Time in which the CLI waits for one of our answers (a start-up hook, an MCP server)
// does not count, and nothing is timed once the handshake was answered.
import { HandshakeError } from '../errors.js';

const DEFAULT_TIMEOUT_MS = 60_000;

export interface HandshakeWatchOptions {
  /** Default 60 000 ms; 0 waits for ever. */
  timeoutMs: number | undefined;
  /** Whether the CLI waits for us rather than we for it. */
  isBusy(): boolean;
  onTimeout(error: HandshakeError): void;
}

/** Started once, stopped any number of times. */
export class HandshakeWatch {
  readonly #options: HandshakeWatchOptions;
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HandshakeWatchOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  start(): void {
    if (this.#timeoutMs > 0) this.#timer = setTimeout(() => this.#expire(), this.#timeoutMs);
  }

  /** One of our answers has just been given: from now on the CLI has its full time again. */
  restart(): void {
    if (this.#timer === undefined) return;
    this.stop();
    this.start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #expire(): void {
    if (this.#options.isBusy()) {
      this.start();
      return;
    }
    this.#timer = undefined;
    this.#options.onTimeout(
      new HandshakeError(
        'HANDSHAKE_TIMEOUT',
        `The CLI did not answer the handshake within ${this.#timeoutMs} ms. Its stderr may say ` +
          'why; to change the limit, set the option "handshakeTimeoutMs" (0 for none).',
        { retryable: true },
      ),
    );
  }
}
