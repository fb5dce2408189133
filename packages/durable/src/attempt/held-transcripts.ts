// The transcripts of a conversation, for a session under a fence or a lease. A loaded transcript is kept until something is appended,
// because several steps of a start need it. Attempts and the workers of a cluster use this.
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { nextRound } from '@inboard/core/util/timers.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '@inboard/core/wire/protocol/config/session-store.js';

/** How many uuids of saved entries are remembered: more than the entries that a CLI writes in a moment. */
const MOST_REMEMBERED = 256;

export interface HeldTranscriptsInput {
  readonly store: Pick<SessionStore, 'append' | 'load'>;
  /** Calls the store under the fence or the lease, again and again while it fails for a moment. */
  readonly hold: <T>(call: () => Promise<T>) => Promise<T>;
}

/** One per fence or lease. */
export class HeldTranscripts {
  readonly #input: HeldTranscriptsInput;
  readonly #loaded = new Map<string, Promise<SessionStoreEntry[] | null>>();
  readonly #saved = new Set<string>();
  readonly #awaited = new Map<string, Deferred<void>>();
  readonly #appending = new Set<Promise<void>>();

  constructor(input: HeldTranscriptsInput) {
    this.#input = input;
  }

  readonly append = async (key: SessionKey, entries: SessionStoreEntry[]): Promise<void> => {
    const appending = this.#append(key, entries);
    this.#appending.add(appending);
    try {
      await appending;
    } finally {
      this.#appending.delete(appending);
    }
  };

  readonly load = (key: SessionKey): Promise<SessionStoreEntry[] | null> => {
    const { store, hold } = this.#input;
    const name = JSON.stringify([key.projectKey, key.sessionId, key.subpath]);
    const known = this.#loaded.get(name);
    if (known) return known;
    const loading = hold(() => store.load(key));
    this.#loaded.set(name, loading);
    loading.catch(() => this.#loaded.delete(name));
    return loading;
  };

  /** Forgets the loaded transcripts. They are not needed once the CLI runs. */
  forgetLoaded(): void {
    this.#loaded.clear();
  }

  /** Waits until an entry is saved, at most for some milliseconds. */
  async whenSaved(uuid: string, ms: number): Promise<void> {
    if (this.#saved.has(uuid)) return;
    const saved = this.#awaited.get(uuid) ?? createQuietDeferred();
    this.#awaited.set(uuid, saved);
    // After the time limit, the caller goes on without the entry.
    const timer = clock.setTimeout(() => saved.resolve(), ms);
    await saved.promise;
    clock.clearTimeout(timer);
    this.#awaited.delete(uuid);
  }

  /**
   * Waits until everything that the CLI has reported so far is stored, or could not be. A report becomes an append within the same
   * turn of the event loop.
   */
  async whenStored(): Promise<void> {
    await nextRound();
    while (this.#appending.size > 0) {
      await Promise.allSettled(this.#appending);
      await nextRound();
    }
  }

  async #append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const { store, hold } = this.#input;
    this.#loaded.clear();
    await hold(() => store.append(key, entries));
    for (const { uuid } of entries) if (uuid !== undefined) this.#noteSaved(uuid);
  }

  #noteSaved(uuid: string): void {
    this.#saved.add(uuid);
    const [oldest] = this.#saved;
    if (this.#saved.size > MOST_REMEMBERED && oldest !== undefined) this.#saved.delete(oldest);
    this.#awaited.get(uuid)?.resolve();
  }
}
