// What a live CLI and its parts share about the CLI's input: its first prompt, who keeps it open, and what the CLI left
// lying there. Each object alone changes its own fields.
import { createDeferred, type Deferred } from '../../util/deferred.js';

/** The first prompt. `LiveCli` announces it, the feed notes that it goes in, and `ready()` holds it back until then. */
export class FirstPrompt {
  #isGiven = false;
  #isAtHand = false;
  #isDue = true;
  #holds = 0;
  #released: Deferred<void> | undefined;

  /** Whether messages come from a prompt, and not through `streamInput` alone. */
  get isGiven(): boolean {
    return this.#isGiven;
  }

  /** Whether its first message is there already, as in a text. Another source may give one at any time, or never. */
  get isAtHand(): boolean {
    return this.#isAtHand;
  }

  /** Whether it may still come, which keeps the input open: true until the feed opens it. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** Whether it must wait. */
  get isHeld(): boolean {
    return this.#released !== undefined;
  }

  /** There is a prompt. */
  announce(isAtHand: boolean): void {
    this.#isGiven = true;
    this.#isAtHand = isAtHand;
  }

  /** It goes in now. */
  noteOpened(): void {
    this.#isDue = false;
  }

  /** Settles when nothing holds it back any more. */
  async released(): Promise<void> {
    while (this.#released) await this.#released.promise;
  }

  /** Holds it back, where it is not written yet, until the returned function is called. */
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

/** Those that wait for something before they write: calls of `ready()`, requests that need the version. The input stays open for them. */
export class InputHolds {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Keeps the input open until the returned function is called, once. */
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

  /** The CLI is idle and has not taken up these messages. */
  note(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      (this.#uuids ??= []).push(uuid);
      this.#onIgnored(uuid);
    }
  }
}
