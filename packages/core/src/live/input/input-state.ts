// The state of the CLI's input that a live CLI and its parts share: the first prompt, the holds that keep the input
// open, and the messages that the CLI ignored.
import { createDeferred, createQuietDeferred, type Deferred } from '../../util/deferred.js';

/** The first prompt. `LiveCli` announces it, `ready()` may hold it back, and the feed notes when it opens it. */
export class FirstPrompt {
  /** Made for the first one who waits: hardly any session needs it, and thousands may wait for people at a time. */
  #begun: Deferred<void> | undefined;
  #failure: { error: unknown } | undefined;
  #isWritten = false;
  #hasBegun = false;
  #isGiven = false;
  #isAtHand = false;
  #isDue = true;
  #holds = 0;
  #released: Deferred<void> | undefined;

  /** Whether a prompt was given, at the start or later with `begin`. */
  get isGiven(): boolean {
    return this.#isGiven;
  }

  /**
   * Whether the prompt's first message is there already, as in a text. Another source may give one at any time, or
   * never.
   */
  get isAtHand(): boolean {
    return this.#isAtHand;
  }

  /** Whether the prompt may still come, which keeps the input open. True until the feed opens the prompt. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether the CLI may still have to take up the prompt's first message. */
  get isToBegin(): boolean {
    return this.#isGiven && !this.#hasBegun;
  }

  /** Settles when the CLI has taken up the first message, or none is at hand. Rejects if the CLI ends before. */
  get begun(): Promise<void> {
    this.#begun ??= createQuietDeferred();
    if (this.#hasBegun) this.#begun.resolve();
    else if (this.#failure) this.#begun.reject(this.#failure.error);
    return this.#begun.promise;
  }

  /** Whether something holds the prompt back. */
  get isHeld(): boolean {
    return this.#released !== undefined;
  }

  /** Notes that there is a prompt. */
  announce(isAtHand: boolean): void {
    this.#isGiven = true;
    this.#isAtHand = isAtHand;
  }

  /** Notes that the feed now writes the prompt. */
  noteOpened(): void {
    this.#isDue = false;
  }

  /** Notes that the source has given its first message, which may have to wait before it is written. */
  noteAtHand(): void {
    this.#isAtHand = true;
  }

  /** Notes that a message was written. */
  noteWritten(): void {
    this.#isWritten = true;
  }

  /** Notes that the CLI sent a message. Once the prompt is written, this shows that its turn has begun. */
  noteHeard(): void {
    if (this.#isWritten && !this.#hasBegun) this.noteBegun();
  }

  /** Notes that the first turn has begun, or that the source has no message yet. */
  noteBegun(): void {
    this.#hasBegun = true;
    this.#begun?.resolve();
  }

  /** Fails those who wait for the first message, because nothing more is written. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#begun?.reject(error);
  }

  /** Settles when nothing holds the prompt back any more. */
  async released(): Promise<void> {
    while (this.#released) await this.#released.promise;
  }

  /** Holds the prompt back, if it is not written yet, until the returned function is called. */
  hold(): () => void {
    let isHeld = true;
    this.#holds += 1;
    this.#released ??= createDeferred();
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds > 0) return;
      this.#released?.resolve();
      this.#released = undefined;
    };
  }
}

/** For parts that only ask about the first prompt. */
export type PromptView = Pick<FirstPrompt, 'isGiven' | 'isAtHand' | 'isDue'>;

/**
 * Counts what waits before it can be written: calls of `ready()`, and requests that need the version. The input stays open
 * for them.
 */
export class InputHolds {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Keeps the input open until the returned function is called. That function must be called only once. */
  hold(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
    };
  }
}

/** Messages that the CLI did not take up. The input's lifetime notes them. */
export class IgnoredMessages {
  #uuids: string[] | undefined;
  readonly #onIgnored: (uuid: string) => void;

  constructor(onIgnored: (uuid: string) => void) {
    this.#onIgnored = onIgnored;
  }

  get uuids(): readonly string[] {
    return this.#uuids ?? [];
  }

  /** Notes messages that the CLI has not taken up and will not take up. */
  note(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      (this.#uuids ??= []).push(uuid);
      this.#onIgnored(uuid);
    }
  }
}
