// Keeps the encoded events that the page has read from a running program, because nobody else has them once that has ended.
// Of a long session it keeps the beginning and the end, like the page that `inboard trace html` writes.
import { numberOf } from '../../stream/event-codec.js';

/** How much is kept of each session, as much as a self-contained page holds. */
export const KEPT_LIMITS = { events: 20_000, characters: 20_000_000 };

/** What is kept of a session. */
export interface KeptSession {
  /** The beginning, and all of a session that is not too long. */
  beginning: readonly string[];
  /** The end of a long session. */
  end: readonly string[];
  /** How many events between the two are not kept. */
  missing: number;
}

class Keeper implements KeptSession {
  readonly beginning: string[] = [];
  end: string[] = [];
  missing = 0;
  readonly #most: typeof KEPT_LIMITS;
  #last = 0;
  #beginningSize = 0;
  #endSize = 0;
  /** Where the kept end starts. What is before it is dropped from time to time. */
  #start = 0;

  constructor(limits: typeof KEPT_LIMITS) {
    this.#most = { events: limits.events / 2, characters: limits.characters / 2 };
  }

  push(line: string): void {
    const n = numberOf(line);
    if (n <= this.#last) return;
    this.#last = n;
    const { events, characters } = this.#most;
    const isFirst = this.missing === 0 && this.end.length === 0;
    if (isFirst && this.beginning.length < events && this.#beginningSize + line.length <= characters) {
      this.beginning.push(line);
      this.#beginningSize += line.length;
      return;
    }
    this.end.push(line);
    this.#endSize += line.length;
    while (this.end.length - this.#start > events || this.#endSize > characters) {
      this.#endSize -= this.end[this.#start]?.length ?? 0;
      this.#start += 1;
      this.missing += 1;
    }
  }

  read(): KeptSession {
    this.end = this.end.slice(this.#start);
    this.#start = 0;
    return this;
  }

  /** Frees what was dropped. */
  tidy(): void {
    if (this.#start > this.end.length / 2) this.read();
  }
}

/** The kept events of all sessions that the page has read. */
export class KeptLines {
  readonly #limits: typeof KEPT_LIMITS;
  readonly #sessions = new Map<string, Keeper>();

  constructor(limits = KEPT_LIMITS) {
    this.#limits = limits;
  }

  /** Takes the next events of a session. Those that came before are ignored. */
  push(session: string, lines: readonly string[]): void {
    let keeper = this.#sessions.get(session);
    if (!keeper) this.#sessions.set(session, (keeper = new Keeper(this.#limits)));
    for (const line of lines) keeper.push(line);
    keeper.tidy();
  }

  /** What is kept of a session; undefined if nothing was read. */
  of(session: string): KeptSession | undefined {
    const keeper = this.#sessions.get(session)?.read();
    return keeper && keeper.beginning.length + keeper.end.length > 0 ? keeper : undefined;
  }

  /** The kept events of a session after a number. */
  after(session: string, n: number): string[] | undefined {
    const kept = this.of(session);
    return kept && [...kept.beginning, ...kept.end].filter((line) => numberOf(line) > n);
  }
}
