// Keeps the version of one live CLI. It is known before the start, or the CLI reports it, or the CLI is asked when a
// request or a message depends on it.
import { readVersion } from '../options/supported-versions.js';
import { createDeferred, type Deferred } from '../util/deferred.js';
import type { OpenVersion } from './launch.js';

/** One per live CLI. */
export class LiveVersion {
  #known: string | undefined;
  /** Set as long as the version is not known but can be learned. */
  #open: OpenVersion | undefined;
  #learning: Deferred<void> | undefined;
  readonly #onLearned: (found: string | undefined) => void;

  /** `onLearned` is called when the version was learned after the start. It gets undefined if the CLI did not say. */
  constructor(onLearned: (found: string | undefined) => void) {
    this.#onLearned = onLearned;
  }

  /** Undefined if the version is not known, or not yet. */
  get known(): string | undefined {
    return this.#known;
  }

  /** Whether the version is not known yet but can be learned. Until then, the CLI must not be taken for the newest. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Notes what the launch knows. `open` is given if the version was not asked for before. */
  begin(known: string | undefined, open: OpenVersion | undefined): void {
    this.#known = known;
    this.#open = open;
  }

  /** Notes the version that the CLI reports. */
  note(reported: string): void {
    if (!this.#open || readVersion(reported) === undefined) return;
    this.#open.remember(reported);
    this.#settle(reported);
  }

  /**
   * Asks for the version if it is open; otherwise returns undefined. The promise resolves when the CLI has been asked, even if
   * it did not say, or when it is over. Never rejects.
   */
  learn(): Promise<void> | undefined {
    if (!this.#open) return undefined;
    if (!this.#learning) {
      this.#learning = createDeferred();
      this.#open.ask().then(
        (found) => this.#settle(found),
        () => this.#settle(undefined),
      );
    }
    return this.#learning.promise;
  }

  /** Notes that the CLI is over, so that nobody waits for its version any longer. */
  end(): void {
    this.#learning?.resolve();
  }

  #settle(found: string | undefined): void {
    if (!this.#open) return;
    this.#open = undefined;
    this.#known = readVersion(found);
    this.#onLearned(found);
    this.#learning?.resolve();
  }
}

/** For parts that only ask for the version. */
export type VersionView = Pick<LiveVersion, 'known' | 'isOpen' | 'learn'>;
