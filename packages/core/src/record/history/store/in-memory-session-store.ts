// A store that lives as long as the process: for tests, and as an example of a store.
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '../../../wire/protocol/config/session-store.js';
import { cloneDeep } from '../../../util/deep-json.js';
import type { CallRecords } from '../../../wire/protocol/config/call-records.js';
import { MemoryCallRegistry } from '../../calls/memory-call-records.js';
import { foldSessionSummary } from './fold-session-summary.js';

interface Transcript {
  readonly entries: SessionStoreEntry[];
  readonly uuids: Set<string>;
}

interface Session {
  readonly projectKey: string;
  readonly sessionId: string;
  /** The transcripts by subpath. The session's own is under the empty string. */
  readonly transcripts: Map<string, Transcript>;
  summary: SessionSummaryEntry | undefined;
}

/** Keeps transcripts in memory. An entry whose uuid the transcript already has is ignored. */
export class InMemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #calls = new MemoryCallRegistry();
  #lastMtime = 0;

  /** How many sessions have a transcript of their own. */
  get size(): number {
    return this.#list().length;
  }

  append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    const { transcripts, ...session } = this.#open(key);
    const transcript = transcripts.get(key.subpath ?? '') ?? { entries: [], uuids: new Set() };
    transcripts.set(key.subpath ?? '', transcript);
    const fresh = entries.filter(({ uuid }) => {
      if (uuid === undefined) return true;
      if (transcript.uuids.has(uuid)) return false;
      transcript.uuids.add(uuid);
      return true;
    });
    // The store keeps copies, so that later changes by the caller have no effect.
    for (const entry of fresh) transcript.entries.push(cloneDeep(entry));
    if (key.subpath === undefined) {
      // Two appends in one millisecond must have different times.
      this.#lastMtime = Math.max(Date.now(), this.#lastMtime + 1);
      const summary = foldSessionSummary(session.summary, key, fresh, { mtime: this.#lastMtime });
      this.#open(key).summary = summary;
    }
    return Promise.resolve();
  }

  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const transcript = this.#find(key);
    return Promise.resolve(transcript ? cloneDeep(transcript.entries) : null);
  }

  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return Promise.resolve(this.#list(projectKey).map(({ sessionId, mtime }) => ({ sessionId, mtime })));
  }

  listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    return Promise.resolve(cloneDeep(this.#list(projectKey)));
  }

  delete(key: SessionKey): Promise<void> {
    const name = nameSession(key);
    if (key.subpath === undefined) {
      this.#sessions.delete(name);
      this.#calls.delete(name);
    } else this.#sessions.get(name)?.transcripts.delete(key.subpath);
    return Promise.resolve();
  }

  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const subpaths = [...(this.#sessions.get(nameSession(key))?.transcripts.keys() ?? [])];
    return Promise.resolve(subpaths.filter((subpath) => subpath !== ''));
  }

  /** The facts about the calls of a session. They are removed with its transcript. */
  calls(key: { projectKey: string; sessionId: string }): CallRecords {
    return this.#calls.open(nameSession(key));
  }

  /** The entries of a transcript, synchronously; empty when there is no such transcript. */
  getEntries(key: SessionKey): SessionStoreEntry[] {
    return cloneDeep(this.#find(key)?.entries ?? []);
  }

  /** Removes all transcripts and call records. */
  clear(): void {
    this.#sessions.clear();
    this.#calls.clear();
  }

  #list(projectKey?: string): SessionSummaryEntry[] {
    return [...this.#sessions.values()]
      .filter((session) => projectKey === undefined || session.projectKey === projectKey)
      .flatMap(({ summary }) => summary ?? []);
  }

  #find(key: SessionKey): Transcript | undefined {
    return this.#sessions.get(nameSession(key))?.transcripts.get(key.subpath ?? '');
  }

  #open({ projectKey, sessionId }: SessionKey): Session {
    const name = nameSession({ projectKey, sessionId });
    const known = this.#sessions.get(name);
    if (known) return known;
    const session = { projectKey, sessionId, transcripts: new Map<string, Transcript>(), summary: undefined };
    this.#sessions.set(name, session);
    return session;
  }
}

function nameSession({ projectKey, sessionId }: { projectKey: string; sessionId: string }): string {
  return JSON.stringify([projectKey, sessionId]);
}
