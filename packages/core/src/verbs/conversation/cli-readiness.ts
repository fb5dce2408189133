// Whether a conversation has a CLI that can be spoken to: after the handshake of one, until it is gone or suspended.
import type { LiveCli } from '../../live/live-cli.js';
import { createQuietDeferred, type Deferred } from '../../util/deferred.js';

/** Those who wait get the next CLI that is ready. */
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
    // It may have been resolved with a CLI that is gone now.
    this.renew();
    this.#next.reject(reason);
  }
}
