// Knows whether a conversation has a CLI that takes requests. A CLI takes them from the end of its handshake until it is gone
// or suspended.
import type { LiveCli } from '../../live/live-cli.js';
import { createQuietDeferred, type Deferred } from '../../util/deferred.js';

/** Gives callers the CLI that is ready, or the next one that will be. */
export class CliReadiness {
  #next: Deferred<LiveCli> = createQuietDeferred();

  get promise(): Promise<LiveCli> {
    return this.#next.promise;
  }

  resolve(live: LiveCli): void {
    this.#next.resolve(live);
  }

  /** The CLI that was ready is gone, or about to go. */
  renew(): void {
    this.#next = createQuietDeferred();
  }

  /** No CLI will be ready any more. */
  end(reason: Error): void {
    this.#next.reject(reason);
    // The promise may have been resolved with a CLI that is gone now, so a new promise is rejected as well.
    this.renew();
    this.#next.reject(reason);
  }
}
