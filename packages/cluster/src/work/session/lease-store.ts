// The session store of a session under a lease: its transcripts, and the records of its calls. The error of a lost lease is fatal and
// ends the session.
import type { SessionStore, SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import { createJournalCallRecords, NOTHING_KEPT } from '../../journal/call-facts.js';
import type { Journal } from '../../journal/journal.js';
import { APPENDS_TOGETHER } from '@inboard/core/record/history/store/session-mirror.js';
import { HeldTranscripts } from '@inboard/durable/attempt/held-transcripts.js';
import type { HeldLease } from '../host/held-lease.js';
import type { PendingWaits } from './pending-waits.js';

/** The project key of all conversations, whatever folder a machine works in. */
export const CLUSTER_PROJECT_KEY = 'inboard-cluster';

/** A session store under a lease. */
export interface LeaseStore extends SessionStore {
  readonly [APPENDS_TOGETHER]: true;
  /** Loads the main transcript. */
  loadMain(sessionId: string): Promise<SessionStoreEntry[] | null>;
  /** Waits until an entry was appended, at most for some milliseconds. */
  whenSaved(uuid: string, ms: number): Promise<void>;
  /** Waits until everything that the CLI has reported so far is stored, or could not be. */
  whenStored(): Promise<void>;
  /** Forgets the loaded transcripts. They are not needed once the CLI runs. */
  forget(): void;
}

/** Creates the session store of a lease from the journal's store. */
export function createLeaseStore(journal: Journal, lease: HeldLease, pendings: PendingWaits): LeaseStore {
  const store = journal.store(lease.fence);
  const hold = <T>(call: () => Promise<T>): Promise<T> => lease.write(call);
  const transcripts = new HeldTranscripts({ store, hold });
  const { append, load } = transcripts;
  return {
    [APPENDS_TOGETHER]: true,
    append,
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
    whenSaved: (uuid, ms) => transcripts.whenSaved(uuid, ms),
    whenStored: () => transcripts.whenStored(),
    forget: () => transcripts.forgetLoaded(),
  };
}
