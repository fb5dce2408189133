// The waiters for changes in a cluster's journal. All of them share one `listen`, which is opened for the first and closed a
// little after the last. Changes are hints: each waiter reads the journal itself, and looks now and then even without a hint.
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Journal, JournalChange } from './journal/journal.js';
import { JournalListener } from './work/host/journal-listener.js';

/** Milliseconds after which a waiter looks at the journal without a hint. */
const POLL_MS = 2000;
/**
 * With many waiters, the interval is this many milliseconds for each of them. So all of them together look at most 50 times a
 * second.
 */
const POLL_MS_EACH = 20;
/** Milliseconds that the `listen` is kept after its last use, because one outcome is often followed by another. */
const LINGER_MS = 1000;
const RETRIES = { firstMs: 1000, longestMs: 10_000 };
/** How many changes are remembered: more than arrive while a message is being stored. */
const MOST_REMEMBERED = 256;

/** A position in the series of changes that a hub has heard. */
export interface HeardPlace {
  /** The `listen` in which this is a position. */
  readonly listening: object;
  readonly count: number;
}

/** Waits for certain changes. The caller that makes a watch ends it. */
export interface JournalWatch {
  /** Whether the waiting is over, because the signal fired or the hub was closed. */
  readonly isOver: boolean;
  /** Marks all changes up to now as known. Call it before reading the journal. */
  settle(): void;
  /** Notes a change that the caller has learned of by itself. */
  note(): void;
  /** Resolves when something may have changed since `settle`, after the interval, or when the waiting is over. */
  changed(): Promise<void>;
  /** Calls `react` once when the waiting is over. The returned function cancels that. */
  whenOver(react: () => void): () => void;
  end(): void;
}

/** Shares one `listen` of a journal. */
export class JournalHub {
  readonly #journal: () => Promise<Journal>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #watches = new Set<Watch>();
  /** Listens, or tries to, while there are watches and a little longer. */
  #listener: JournalListener | undefined;
  #linger: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** How many changes were heard. The last of them are remembered below. */
  #heard = 0;
  #recent: Array<JournalChange | undefined> = [];

  constructor(journal: () => Promise<Journal>, onTrouble: (error: unknown) => void) {
    this.#journal = journal;
    this.#onTrouble = onTrouble;
  }

  /** A watch for the changes for which `concerns` is true. A change without a key concerns every watch. */
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

  /** The current position in the changes that the hub hears. Undefined while it hears nothing. */
  get place(): HeardPlace | undefined {
    const listening = this.#listener;
    return listening?.isListening ? { listening, count: this.#heard } : undefined;
  }

  /** Whether certainly no change for which `concerns` is true was told since a position. */
  isQuietSince(place: HeardPlace | undefined, concerns: (change: JournalChange) => boolean): boolean {
    if (!place || place.listening !== this.#listener) return false;
    const since = this.#heard - place.count;
    if (since > this.#recent.length) return false;
    return this.#recent
      .slice(this.#recent.length - since)
      .every((change) => change?.key !== undefined && !concerns(change));
  }

  /** Ends all watches. Resolves when the hub no longer listens. */
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
    if (this.#listener) return;
    const listener = new JournalListener({
      journal: this.#journal,
      onChange: (change) => this.#tell(change),
      onTrouble: this.#onTrouble,
      retries: RETRIES,
    });
    this.#listener = listener;
    void listener.open().then(() => {
      // Changes between the first watch and this moment were not heard.
      if (listener.isListening) this.#tell(undefined);
    });
  }

  async #stop(): Promise<void> {
    clock.clearTimeout(this.#linger);
    const listener = this.#listener;
    this.#listener = undefined;
    this.#recent = [];
    await listener?.close();
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
    // The timer keeps the process alive, because a caller waits.
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

  /** Ends the waiting. */
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
