// Turns the numbers in notifications into keys of conversations. Notifications carry numbers instead of keys, because every
// role of the database can read them. Known keys come from memory. One query looks up all unknown numbers that have arrived in
// the meantime.
import { clock } from '@inboard/core/util/system/clock.js';
import type { JournalChange } from '../journal/journal.js';

type Kind = JournalChange['kind'];

/** Keys by number. The number of a conversation is never used for another. */
export type KnownKeys = Map<string, string>;

/** The parts of the lookup. */
export interface ConversationKeysParts {
  /** Known keys. They outlive a connection. */
  known: KnownKeys;
  /** Looks up the keys of the conversations that exist. */
  look: (numbers: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  tell: (change: JournalChange) => void;
}

/** How many keys are remembered: a few megabytes at most. */
const MOST_KNOWN = 10_000;
const MOST_AT_A_TIME = 1_000;
/** If more numbers than this wait, listeners are told that everything may have changed. */
const MOST_WAITING = 10_000;
/** Milliseconds between two queries, so that many new conversations are looked up together. */
const PAUSE_MS = 20;
/** Milliseconds between two tellings that everything may have changed. After each, all waiters read the journal. */
const PAUSE_OF_ALL_MS = 1_000;

/** Tells changes by key. The caller that makes this object closes it. */
export class ConversationKeys {
  readonly #parts: ConversationKeysParts;
  #waiting = new Map<string, Set<Kind>>();
  /** The numbers in the query under way. */
  #asked: ReadonlyMap<string, Set<Kind>> = new Map();
  #timer: NodeJS.Timeout | undefined;
  /** True from a query until the pause after it is over. */
  #isLooking = false;
  #kindsOfAll = new Set<Kind>();
  #timerOfAll: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: ConversationKeysParts) {
    this.#parts = parts;
  }

  /** Notes that a conversation has changed. */
  hear(kind: Kind, number: string): void {
    const { known, tell } = this.#parts;
    const key = known.get(number);
    if (key !== undefined) {
      // Marks the key as the one that was used last.
      this.#remember(number, key);
      tell({ kind, key });
      return;
    }
    const asked = this.#asked.get(number);
    if (asked) {
      asked.add(kind);
      return;
    }
    const kinds = this.#waiting.get(number) ?? new Set();
    this.#waiting.set(number, kinds.add(kind));
    if (this.#waiting.size > MOST_WAITING) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      for (const each of waiting.values()) this.#tellAll(each);
    } else if (!this.#isLooking) {
      this.#isLooking = true;
      // Looks in a microtask, so that other notifications from the same read are included. A new message comes as two
      // notifications.
      queueMicrotask(() => void this.#look());
    }
  }

  close(): void {
    this.#isClosed = true;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#timerOfAll);
  }

  async #look(): Promise<void> {
    this.#isLooking = this.#waiting.size > 0 && !this.#isClosed;
    if (!this.#isLooking) return;
    const batch = [...this.#waiting].slice(0, MOST_AT_A_TIME);
    for (const [number] of batch) this.#waiting.delete(number);
    this.#asked = new Map(batch);
    let found: ReadonlyMap<string, string> = new Map();
    try {
      found = await this.#parts.look(batch.map(([number]) => number));
    } catch {
      // The keys stay unknown, so all listeners are told below.
    }
    this.#asked = new Map();
    if (this.#isClosed) return;
    this.#timer = clock.setTimeout(() => void this.#look(), PAUSE_MS);
    for (const [number, kinds] of batch) {
      const key = found.get(number);
      // The conversation was removed, or the query failed. Listeners cannot be told by key, so all of them must look.
      if (key === undefined) this.#tellAll(kinds);
      else {
        this.#remember(number, key);
        for (const kind of kinds) this.#parts.tell({ kind, key });
      }
    }
  }

  #remember(number: string, key: string): void {
    const { known } = this.#parts;
    known.delete(number);
    known.set(number, key);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  /** Tells that everything may have changed: the first time at once, later at most once a second. */
  #tellAll(kinds: Iterable<Kind>): void {
    for (const kind of kinds) this.#kindsOfAll.add(kind);
    if (this.#timerOfAll === undefined) {
      // The timer collects all kinds of one batch, so that they are told together.
      this.#timerOfAll = clock.setTimeout(() => this.#tellAllNow(), 0);
    }
  }

  #tellAllNow(): void {
    const kinds = this.#kindsOfAll;
    this.#kindsOfAll = new Set();
    this.#timerOfAll =
      kinds.size === 0 ? undefined : clock.setTimeout(() => this.#tellAllNow(), PAUSE_OF_ALL_MS);
    for (const kind of kinds) this.#parts.tell({ kind });
  }
}
