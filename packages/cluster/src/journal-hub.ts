// Who waits for changes in a cluster's journal: all of them share one `listen`, which is opened for the first and closed a little
// after the last. Changes are hints: each waiter reads the journal itself, and looks now and then even if nothing was said.
import { BackOff } from '@inboard/core/util/back-off.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Journal, JournalChange } from './journal/journal.js';

/** How often somebody who waits looks by himself, in milliseconds. */
const POLL_MS = 2000;
/** With many who wait, each looks less often: all together 50 times a second at most. */
const POLL_MS_EACH = 20;
/** A connection that listens is kept so long after its last use: one outcome is often followed by another. */
const LINGER_MS = 1000;
const RETRIES = { firstMs: 1000, longestMs: 10_000 };
/** So many changes are remembered: more than come while a message is stored. */
const MOST_REMEMBERED = 256;

/** A place in what a hub hears. */
export interface HeardPlace {
  /** The `listen` that it is a place in. */
  readonly listening: object;
  readonly count: number;
}

/** Waits for changes of one kind. Whoever makes one ends it. */
export interface JournalWatch {
  /** Whether there is nothing more to wait for: the signal fired, or the hub was closed. */
  readonly isOver: boolean;
  /** What was said up to now is known: call it before reading. */
  settle(): void;
  /** Something has changed, whatever the journal says. */
  note(): void;
  /** Resolves when something may have changed since `settle`, after a while, and when it is over. */
  changed(): Promise<void>;
  /** Calls back once when it is over; the returned function cancels that. */
  whenOver(react: () => void): () => void;
  end(): void;
}

/** Shares one `listen` of a journal. */
export class JournalHub {
  readonly #journal: () => Promise<Journal>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #watches = new Set<Watch>();
  #listening: Promise<AsyncDisposable | undefined> | undefined;
  #linger: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #backOff = new BackOff(RETRIES);
  #isClosed = false;
  /** The `listen` that hears changes now; undefined while none does. */
  #hearing: object | undefined;
  /** How many changes were heard, and the last of them. */
  #heard = 0;
  #recent: Array<JournalChange | undefined> = [];

  constructor(journal: () => Promise<Journal>, onTrouble: (error: unknown) => void) {
    this.#journal = journal;
    this.#onTrouble = onTrouble;
  }

  /** A watch for changes that concern somebody; a change about everything concerns all. */
  watch(concerns: (change: JournalChange) => boolean, signal?: AbortSignal): JournalWatch {
    const watch = new Watch({
      concerns,
      signal,
      pollMs: () => Math.max(POLL_MS, this.#watches.size * POLL_MS_EACH),
      onEnd: () => this.#leave(watch),
    });
    if (this.#isClosed) watch.finish();
    else {
      this.#watches.add(watch);
      clock.clearTimeout(this.#linger);
      this.#listen();
    }
    return watch;
  }

  /** Where it is now in what it hears; undefined while it hears nothing. */
  get place(): HeardPlace | undefined {
    return this.#hearing && { listening: this.#hearing, count: this.#heard };
  }

  /** Whether it is certain that no change that concerns somebody was told since a place. */
  isQuietSince(place: HeardPlace | undefined, concerns: (change: JournalChange) => boolean): boolean {
    if (!place || place.listening !== this.#hearing) return false;
    const since = this.#heard - place.count;
    if (since > this.#recent.length) return false;
    return this.#recent
      .slice(this.#recent.length - since)
      .every((change) => change?.key !== undefined && !concerns(change));
  }

  /** Ends all that wait, and resolves when nothing listens any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.finish();
    this.#watches.clear();
    await this.#stop();
  }

  #leave(watch: Watch): void {
    if (!this.#watches.delete(watch) || this.#watches.size > 0 || this.#isClosed) return;
    this.#linger = clock.setTimeout(() => void this.#stop(), LINGER_MS).unref();
  }

  #listen(): void {
    this.#listening ??= this.#open();
  }

  async #open(): Promise<AsyncDisposable | undefined> {
    clock.clearTimeout(this.#retry);
    try {
      const journal = await this.#journal();
      const listening = await journal.listen((change) => this.#tell(change));
      this.#backOff.reset();
      this.#hearing = listening;
      // What changed before somebody listened was not said.
      this.#tell(undefined);
      return listening;
    } catch (error) {
      if (this.#isClosed) return undefined;
      this.#onTrouble(error);
      // Those who wait look by themselves meanwhile.
      this.#retry = clock
        .setTimeout(() => {
          this.#listening = undefined;
          if (this.#watches.size > 0) this.#listen();
        }, this.#backOff.next())
        .unref();
      return undefined;
    }
  }

  async #stop(): Promise<void> {
    clock.clearTimeout(this.#linger);
    clock.clearTimeout(this.#retry);
    const listening = this.#listening;
    this.#listening = undefined;
    this.#hearing = undefined;
    this.#recent = [];
    try {
      await (await listening)?.[Symbol.asyncDispose]();
    } catch (error) {
      this.#onTrouble(error);
    }
  }

  #tell(change: JournalChange | undefined): void {
    this.#heard += 1;
    this.#recent.push(change);
    if (this.#recent.length > MOST_REMEMBERED) this.#recent.shift();
    for (const watch of this.#watches) watch.hear(change);
  }
}

interface WatchParts {
  concerns: (change: JournalChange) => boolean;
  signal: AbortSignal | undefined;
  pollMs: () => number;
  onEnd: () => void;
}

class Watch implements JournalWatch {
  readonly #parts: WatchParts;
  readonly #stopListening: (() => void) | undefined;
  readonly #reactions = new Set<() => void>();
  #waiting: Deferred<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDirty = false;
  #isOver = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    const { signal } = parts;
    if (signal?.aborted) this.#isOver = true;
    else this.#stopListening = signal && onAbort(signal, () => this.finish());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  settle(): void {
    this.#isDirty = false;
  }

  async changed(): Promise<void> {
    if (this.#isDirty || this.#isOver) return;
    this.#waiting ??= createQuietDeferred();
    // Keeps the process alive: somebody waits.
    this.#timer ??= clock.setTimeout(() => this.#wake(), this.#parts.pollMs());
    await this.#waiting.promise;
  }

  whenOver(react: () => void): () => void {
    if (this.#isOver) react();
    else this.#reactions.add(react);
    return () => this.#reactions.delete(react);
  }

  hear(change: JournalChange | undefined): void {
    if (change?.key === undefined || this.#parts.concerns(change)) this.note();
  }

  note(): void {
    this.#isDirty = true;
    this.#wake();
  }

  /** There is nothing more to wait for. */
  finish(): void {
    this.#isOver = true;
    this.#stopListening?.();
    this.#wake();
    for (const react of this.#reactions) react();
    this.#reactions.clear();
  }

  end(): void {
    this.finish();
    this.#parts.onEnd();
  }

  #wake(): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
