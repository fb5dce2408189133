// What is known of the version of one live CLI: from before its start, because it says so itself, or because it was asked
// when a request or a message depended on it.
import { readVersion } from '../options/supported-versions.js';
import { createDeferred, type Deferred } from '../util/deferred.js';
import type { OpenVersion } from './launch.js';

/** One per live CLI. */
export class LiveVersion {
  #known: string | undefined;
  /** Only while it could be found out and was not. */
  #open: OpenVersion | undefined;
  #learning: Deferred<void> | undefined;
  readonly #onLearned: (found: string | undefined) => void;

  /** `onLearned` is called when it was found out after the start; with undefined where the CLI gave none. */
  constructor(onLearned: (found: string | undefined) => void) {
    this.#onLearned = onLearned;
  }

  /** Undefined where it is not known, or not yet. */
  get known(): string | undefined {
    return this.#known;
  }

  /** Whether it is not known yet and will be: an older CLI must not be mistaken for the newest meanwhile. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The CLI is started. With `open`, it was not asked before. */
  begin(known: string | undefined, open: OpenVersion | undefined): void {
    this.#known = known;
    this.#open = open;
  }

  /** The CLI names its version. */
  note(reported: string): void {
    if (!this.#open || readVersion(reported) === undefined) return;
    this.#open.remember(reported);
    this.#settle(reported);
  }

  /** A promise while it is open, until it is known or the CLI is over; asks for it. Never rejects. */
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

  /** The CLI is over: those who wait for its version wait no longer. */
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
