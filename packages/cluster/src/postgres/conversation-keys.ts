// Notifications name conversations by numbers, because every role of the database can read them. This turns numbers into keys: from
// memory where they are known, and otherwise with one query for all that have come up meanwhile.
import { clock } from '@inboard/core/util/system/clock.js';
import type { JournalChange } from '../journal/journal.js';

type Kind = JournalChange['kind'];

/** Keys by number; the number of a conversation is never that of another. */
export type KnownKeys = Map<string, string>;

/** What it needs. */
export interface ConversationKeysParts {
  /** Keys from before, which are kept over connections. */
  known: KnownKeys;
  /** The keys of those that exist. */
  look: (numbers: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  tell: (change: JournalChange) => void;
}

/** As many as are remembered: a few megabytes at most. */
const MOST_KNOWN = 10_000;
const MOST_AT_A_TIME = 1_000;
/** More that wait are taken for a change of everything. */
const MOST_WAITING = 10_000;
/** Milliseconds between two queries: many new conversations a second are looked up together. */
const PAUSE_MS = 20;
/** Milliseconds between two changes of everything: each makes all who wait for something read the journal. */
const PAUSE_OF_ALL_MS = 1_000;

/** Tells changes by key. The caller that makes one closes it. */
export class ConversationKeys {
  readonly #parts: ConversationKeysParts;
  #waiting = new Map<string, Set<Kind>>();
  /** Those of the query under way. */
  #asked: ReadonlyMap<string, Set<Kind>> = new Map();
  #timer: NodeJS.Timeout | undefined;
  /** From a query until the pause behind it is over. */
  #isLooking = false;
  #kindsOfAll = new Set<Kind>();
  #timerOfAll: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: ConversationKeysParts) {
    this.#parts = parts;
  }

  /** A conversation has changed. */
  hear(kind: Kind, number: string): void {
    const { known, tell } = this.#parts;
    const key = known.get(number);
    if (key !== undefined) {
      // As the one that was used last.
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
      // Together with what else came in the same piece: a message is told in two notifications.
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
      // Then it is unknown which conversations they are: anything may have changed.
    }
    this.#asked = new Map();
    if (this.#isClosed) return;
    this.#timer = clock.setTimeout(() => void this.#look(), PAUSE_MS);
    for (const [number, kinds] of batch) {
      const key = found.get(number);
      // The conversation was removed. Listeners that wait for it cannot be told by key, so all must look.
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

  /** At once, and after that no more often than once a second. */
  #tellAll(kinds: Iterable<Kind>): void {
    for (const kind of kinds) this.#kindsOfAll.add(kind);
    if (this.#timerOfAll === undefined) {
      // All kinds of one batch together.
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
