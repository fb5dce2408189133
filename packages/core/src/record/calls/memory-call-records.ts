// Keeps call records in memory: for a process that needs no more, and for stores that live no longer than the process.
import type { CallClaim, CallFact, CallRecords, HeldClaim } from '../../wire/protocol/config/call-records.js';
import { cloneDeep } from '../../util/deep-json.js';
import { clock as systemClock } from '../../util/system/clock.js';
import { checkClaimOptions } from './check-options.js';
import { copyFact } from './plain-fact.js';

interface Held {
  readonly owner: string;
  /** When the claim ends, on the clock of the records. */
  end: number;
}

/** The facts and the claim of one session. */
interface Kept {
  readonly facts: CallFact[];
  held: Held | undefined;
  readonly listeners: Set<() => void>;
}

/** How records are kept in memory. */
export interface MemoryCallRecordsOptions {
  /** A clock in milliseconds that only goes forward. Default: the clock of this process. Tests use their own. */
  readonly clock?: (() => number) | undefined;
}

/** Keeps the facts about the calls of one session in memory, so they end with the process. */
export function createMemoryCallRecords(options: MemoryCallRecordsOptions = {}): CallRecords {
  return new MemoryCallRegistry(options).open('');
}

/** The records of many sessions, by name. */
export class MemoryCallRegistry {
  readonly #sessions = new Map<string, Kept>();
  // It is not the wall clock, because setting that clock must not end a claim.
  readonly #clock: () => number;

  constructor({ clock = () => systemClock.performance.now() }: MemoryCallRecordsOptions = {}) {
    this.#clock = clock;
  }

  /** The records of a session. Callers with the same name share them. Nothing is kept before the first fact or claim. */
  open(name: string): CallRecords {
    return {
      add: (fact) => {
        const { facts, listeners } = this.#keep(name);
        facts.push(copyFact(fact));
        for (const listener of listeners) listener();
      },
      watch: (onChange) => {
        const { listeners } = this.#keep(name);
        listeners.add(onChange);
        return () => listeners.delete(onChange);
      },
      load: () => Promise.resolve(cloneDeep(this.#sessions.get(name)?.facts ?? [])),
      // An async function, so that wrong options are a rejection.
      claim: async (options) => this.#claim(name, options),
    };
  }

  /** Forgets a session. The holder of its claim loses the claim. */
  delete(name: string): void {
    this.#sessions.delete(name);
  }

  clear(): void {
    this.#sessions.clear();
  }

  #keep(name: string): Kept {
    const known = this.#sessions.get(name);
    if (known) return known;
    const kept = { facts: [], held: undefined, listeners: new Set<() => void>() };
    this.#sessions.set(name, kept);
    return kept;
  }

  #claim(name: string, options: { owner: string; ttlMs: number }): CallClaim | HeldClaim {
    const { owner, ttlMs } = checkClaimOptions(options);
    const kept = this.#keep(name);
    const now = this.#clock();
    if (kept.held && kept.held.end > now)
      return { heldBy: kept.held.owner, until: systemClock.Date.now() + Math.ceil(kept.held.end - now) };
    const own: Held = { owner, end: now + ttlMs };
    kept.held = own;
    const isOwn = (): boolean => this.#sessions.get(name)?.held === own;
    return {
      renew: () => {
        if (isOwn()) own.end = this.#clock() + ttlMs;
        return Promise.resolve(isOwn());
      },
      release: () => {
        if (isOwn()) kept.held = undefined;
        return Promise.resolve();
      },
    };
  }
}
