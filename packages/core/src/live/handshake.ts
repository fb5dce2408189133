// Sends the handshake to a CLI, repeats it on request, and checks the answers. The CLI is ended if it refuses the first
// handshake, or neither answers nor begins to work in time. It is also ended if it does not promise to honour a hook which must
// be honoured, because calls that the hook should block would run.
import { AbortError, HandshakeError } from '../errors.js';
import { createQuietDeferred } from '../util/deferred.js';
import { isRecord } from '../util/guards.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { InitializeResponse } from '../wire/protocol/control/control.js';

const DEFAULT_TIMEOUT_MS = 60_000;

export interface HandshakeOptions {
  timeoutMs: number | undefined;
  /** Whether a hook has `onFailure: "block"`, so that nothing may run unless the CLI promises to honour it. */
  mustHonourHooks: boolean;
  /** Whether the CLI waits for us, rather than we for the CLI. */
  isBusy(): boolean;
  /** Whether the CLI has begun to work although it has not answered the handshake. */
  isAtWork(): boolean;
  /** Called for each answer of the CLI that is accepted, the first and later ones. */
  onAnswered(reply: InitializeResponse): void;
  onFailed(error: HandshakeError): void;
}

/** One per live CLI. */
export class Handshake {
  readonly #options: HandshakeOptions;
  readonly #reply = createQuietDeferred<InitializeResponse>();
  readonly #watch: HandshakeWatch;
  readonly #givenUp = new AbortController();
  #renewed: InitializeResponse | undefined;

  constructor(options: HandshakeOptions) {
    this.#options = options;
    this.#watch = new HandshakeWatch({
      timeoutMs: options.timeoutMs,
      isBusy: () => options.isBusy(),
      onTimeout: (error) => this.#expire(error),
    });
  }

  /** The latest answer that was accepted. Rejects if there will be none. */
  get reply(): Promise<InitializeResponse> {
    return this.#renewed ? Promise.resolve(this.#renewed) : this.#reply.promise;
  }

  /** Sends the handshake with `request`, which must stop waiting when the signal aborts. */
  send(request: (signal: AbortSignal) => Promise<unknown>): void {
    this.#watch.start();
    request(this.#givenUp.signal).then(
      (response) => this.#accept(response),
      (error: Error) => this.#refuse(error),
    );
  }

  /** Repeats the handshake once the first one is settled. If the CLI refuses, the earlier agreement stays in force. */
  async renew(request: () => Promise<unknown>): Promise<InitializeResponse> {
    await this.#reply.promise.catch(() => {});
    const reply = asReply(await request());
    const refusal = this.#findRefusal(reply);
    if (refusal) throw new HandshakeError('HANDSHAKE_REFUSED', refusal);
    this.replace(reply);
    return reply;
  }

  /** Notes that the CLI has answered again, perhaps in its reply to another request. */
  replace(reply: InitializeResponse): void {
    this.#renewed = reply;
    this.#options.onAnswered(reply);
  }

  /** Notes that a control request was settled. The time limit begins again, because the CLI may have waited for us. */
  settled(): void {
    this.#watch.restart();
  }

  /** Notes that the CLI has ended or is ending, so that it will not answer. */
  end(error: Error): void {
    this.#watch.stop();
    this.#reply.reject(error);
  }

  #accept(response: unknown): void {
    this.#watch.stop();
    const reply = asReply(response);
    const refusal = this.#findRefusal(reply);
    if (refusal) {
      const error = new HandshakeError('HANDSHAKE_REFUSED', refusal);
      this.end(error);
      this.#options.onFailed(error);
      return;
    }
    this.#reply.resolve(reply);
    this.#options.onAnswered(reply);
  }

  #findRefusal(reply: InitializeResponse): string | undefined {
    return this.#options.mustHonourHooks ? findHookRefusal(reply) : undefined;
  }

  #refuse(cause: Error): void {
    this.end(cause);
    // We gave the handshake up, or the CLI is ending. Whoever caused that reports the reason.
    if (cause instanceof AbortError) return;
    const error = new HandshakeError('HANDSHAKE_REFUSED', `The CLI refused the handshake: ${cause.message}`, {
      cause,
    });
    this.#options.onFailed(error);
  }

  #expire(error: HandshakeError): void {
    this.#reply.reject(error);
    // A CLI that works without having answered may go on. Its open handshake request must not keep the input open.
    if (this.#options.isAtWork()) this.#givenUp.abort(error);
    else this.#options.onFailed(error);
  }
}

interface HandshakeWatchOptions {
  /** Default 60 000 ms; with 0 there is no limit. */
  timeoutMs: number | undefined;
  /** Whether the CLI waits for us, rather than we for the CLI. */
  isBusy(): boolean;
  onTimeout(error: HandshakeError): void;
}

/**
 * The time limit of the handshake. It is started once and may be stopped any number of times. Time in which the CLI
 * waits for one of our answers (a start-up hook, an MCP server) does not count.
 */
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

  /** Gives the CLI its full time again. Does nothing if the limit is not running. */
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

function asReply(response: unknown): InitializeResponse {
  return (isRecord(response) ? response : {}) as InitializeResponse & WireObject;
}

function findHookRefusal(reply: InitializeResponse): string | undefined {
  if (reply.hook_on_failure_supported !== true) {
    return 'A hook has onFailure: "block", but this CLI does not promise to honour it; nothing was sent to the model';
  }
  if (reply.hooks_applied === false) {
    return 'A hook has onFailure: "block", but this session was already running and did not register the hooks; nothing was sent to the model';
  }
  return undefined;
}
