// The transcripts of a conversation, for a session under a lease. A loaded transcript is kept until something is appended,
// because several steps of a start need it. The error of a lost lease is fatal and ends the session.
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '@inboard/core/wire/protocol/config/session-store.js';
import { createJournalCallRecords, NOTHING_KEPT } from '../../journal/call-facts.js';
import type { Journal } from '../../journal/journal.js';
import { APPENDS_TOGETHER } from '@inboard/core/record/history/store/session-mirror.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { HeldLease } from '../host/held-lease.js';
import type { PendingWaits } from './pending-waits.js';
import { withinTime } from '../host/within-time.js';

/** The project key of all conversations, whatever folder a machine works in. */
export const CLUSTER_PROJECT_KEY = 'inboard-cluster';

/** A session store under a lease. */
export interface LeaseStore extends SessionStore {
  readonly [APPENDS_TOGETHER]: true;
  /** Loads the main transcript. */
  loadMain(sessionId: string): Promise<SessionStoreEntry[] | null>;
  /** Waits until an entry was appended, at most for some milliseconds. */
  whenSaved(uuid: string, ms: number): Promise<void>;
  /** Forgets the loaded transcripts. They are not needed once the CLI runs. */
  forget(): void;
}

/** Creates the session store of a lease from the journal's store. */
export function createLeaseStore(journal: Journal, lease: HeldLease, pendings: PendingWaits): LeaseStore {
  const store = journal.store(lease.fence);
  const loaded = new Map<string, Promise<SessionStoreEntry[] | null>>();
  const saved = new SavedEntries();
  const load = (key: SessionKey): Promise<SessionStoreEntry[] | null> => {
    const name = JSON.stringify([key.projectKey, key.sessionId, key.subpath]);
    const known = loaded.get(name);
    if (known) return known;
    const loading = lease.write(() => store.load(key));
    loaded.set(name, loading);
    loading.catch(() => loaded.delete(name));
    return loading;
  };
  return {
    [APPENDS_TOGETHER]: true,
    append: async (key, entries) => {
      loaded.clear();
      await lease.write(() => store.append(key, entries));
      for (const { uuid } of entries) if (uuid !== undefined) saved.add(uuid);
    },
    load,
    calls: (key) => {
      const records = store.calls?.(key);
      // The user's own journal may keep no call facts. Then no call can be completed from them.
      if (!records) return createJournalCallRecords(async () => NOTHING_KEPT);
      return {
        ...records,
        load: async () => {
          const facts = await lease.write(() => records.load());
          pendings.note(facts);
          return facts;
        },
        watch: (onChange) => pendings.watch(onChange),
      };
    },
    listSubkeys: (key) => lease.write(async () => (await store.listSubkeys?.(key)) ?? []),
    loadMain: (sessionId) => load({ projectKey: CLUSTER_PROJECT_KEY, sessionId }),
    whenSaved: (uuid, ms) => saved.wait(uuid, ms),
    forget: () => loaded.clear(),
  };
}

/** How many uuids are remembered: more than the entries that a CLI writes in a moment. */
const MOST_REMEMBERED = 256;

/** The uuids of the entries that were appended last. */
class SavedEntries {
  readonly #uuids = new Set<string>();
  readonly #awaited = new Map<string, Deferred<void>>();

  add(uuid: string): void {
    this.#uuids.add(uuid);
    const [oldest] = this.#uuids;
    if (this.#uuids.size > MOST_REMEMBERED && oldest !== undefined) this.#uuids.delete(oldest);
    this.#awaited.get(uuid)?.resolve();
    this.#awaited.delete(uuid);
  }

  async wait(uuid: string, ms: number): Promise<void> {
    if (this.#uuids.has(uuid)) return;
    const saved = this.#awaited.get(uuid) ?? createQuietDeferred();
    this.#awaited.set(uuid, saved);
    // After the time limit, the caller goes on without the entry.
    await withinTime(saved.promise, ms).catch(() => {});
    this.#awaited.delete(uuid);
  }
}
