// The transcripts of a conversation, for a session under a lease: loaded once, although several parts of a start ask for them, and
// appended while the lease lasts. A lost lease ends the session, since its error is fatal.
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../wire/protocol/config/session-store.js';
import { createJournalCallRecords, NOTHING_KEPT } from '../journal/call-facts.js';
import type { Journal } from '../journal/journal.js';
import type { HeldLease } from './held-lease.js';

/** The project of all conversations, whatever folder a machine works in. */
export const CLUSTER_PROJECT_KEY = 'inboard-cluster';

/** A session store under a lease. */
export interface LeaseStore extends SessionStore {
  /** The main transcript. */
  loadMain(sessionId: string): Promise<SessionStoreEntry[] | null>;
  /** Forgets what was loaded: it is not needed once the CLI runs. */
  forget(): void;
}

/** The journal's store for a lease. */
export function createLeaseStore(journal: Journal, lease: HeldLease): LeaseStore {
  const store = journal.store(lease.fence);
  const loaded = new Map<string, Promise<SessionStoreEntry[] | null>>();
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
    append: async (key, entries) => {
      loaded.clear();
      await lease.write(() => store.append(key, entries));
    },
    load,
    calls: (key) => {
      const records = store.calls?.(key);
      // A journal of somebody else's that keeps no facts: then no call is covered.
      return records
        ? { ...records, load: () => lease.write(() => records.load()) }
        : createJournalCallRecords(async () => NOTHING_KEPT);
    },
    listSubkeys: (key) => lease.write(async () => (await store.listSubkeys?.(key)) ?? []),
    loadMain: (sessionId) => load({ projectKey: CLUSTER_PROJECT_KEY, sessionId }),
    forget: () => loaded.clear(),
  };
}
