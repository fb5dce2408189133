// Holds a result, and everything after it, until the transcript is in the session store. A consumer who sees a result
// can therefore rely on the store. Without a store everything passes at once.
import type { WireObject } from '../wire/protocol/codec.js';
import type { UndecodedPiece } from '../wire/protocol/piece-run.js';
import type { SDKMessage } from '../wire/protocol/messages/messages.js';
import type { SessionStore, TranscriptMirrorFrame } from '../wire/protocol/config/session-store.js';
import { createSessionMirror, type SessionMirror } from '../record/history/store/session-mirror.js';

export interface MirrorGateOptions {
  store: SessionStore | undefined;
  projectKey?: string | undefined;
  flush: 'batched' | 'eager' | undefined;
  /** Whether entries that have calls go to the store at once. */
  sendsCalls?: (() => boolean) | undefined;
  /** Gives a message to the consumer. `line` is its text. */
  push: (message: SDKMessage, line: string) => void;
  /** Gives a message that is not decoded yet to the consumer. */
  pushPiece: (piece: UndecodedPiece) => void;
  onIgnored: (filePath: string) => void;
  /** Called when the store refuses all further entries for good. */
  onRefused: (error: Error) => void;
}

/** One per live CLI. */
export class MirrorGate {
  readonly #push: MirrorGateOptions['push'];
  readonly #pushPiece: MirrorGateOptions['pushPiece'];
  readonly #mirror: SessionMirror | undefined;
  /** Settles when everything held so far was passed on. Undefined if nothing is held. */
  #held: Promise<void> | undefined;
  /** Set when the store accepts entries only from another process. The held messages belong to that process now. */
  #refusal: Error | undefined;
  #hasLost = false;

  constructor({
    store,
    projectKey,
    flush,
    sendsCalls,
    push,
    pushPiece,
    onIgnored,
    onRefused,
  }: MirrorGateOptions) {
    this.#push = push;
    this.#pushPiece = pushPiece;
    this.#mirror =
      store &&
      createSessionMirror({
        store,
        projectKey,
        flush,
        sendsCalls,
        onError: (message) => {
          this.#hasLost = true;
          push(message, JSON.stringify(message));
        },
        onIgnored,
        onRefused: (error) => {
          this.#refusal = error;
          onRefused(error);
        },
      });
  }

  /** Whether the store failed to take something. The CLI's own transcript is then the only complete one. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  /** Takes a message of the CLI: transcript frames go to the store, everything else to the consumer. */
  pass(message: WireObject, line: string): void {
    if (message['type'] === 'transcript_mirror') {
      this.#mirror?.receive(message as unknown as TranscriptMirrorFrame);
      return;
    }
    const give = (): void => {
      if (!this.#refusal) this.#push(message as unknown as SDKMessage, line);
    };
    if (this.#mirror && message['type'] === 'result') this.#afterFlush(give);
    else if (this.#held) this.#hold(this.#held.then(give));
    else give();
  }

  /** Takes a piece of an answer, which is never a transcript frame or a result. */
  passPiece(piece: UndecodedPiece): void {
    const give = (): void => {
      if (!this.#refusal) this.#pushPiece(piece);
    };
    if (this.#held) this.#hold(this.#held.then(give));
    else give();
  }

  /** Resolves when everything that came so far is stored: true if the store took all of it. */
  async flush(): Promise<boolean> {
    await this.#mirror?.flush();
    return !this.#hasLost && this.#refusal === undefined;
  }

  /**
   * Runs `end` when everything is stored and passed on, or at once without a store. The store may refuse as late as this, so
   * `end` gets the refusal.
   */
  finish(end: (refusal?: Error) => void): void {
    if (this.#mirror) this.#afterFlush(() => end(this.#refusal));
    else end();
  }

  #afterFlush(then: () => void): void {
    const before = this.#held ?? Promise.resolve();
    this.#hold(before.then(() => this.#mirror?.flush()).then(then));
  }

  #hold(held: Promise<void>): void {
    this.#held = held;
    void held.then(() => {
      if (this.#held === held) this.#held = undefined;
    });
  }
}
