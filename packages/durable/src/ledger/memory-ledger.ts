// A ledger in memory: for tests, and for programs whose attempts are all in one process. It ends with the process.
import { InvalidOptionsError, LeaseLostError } from '@inboard/core/errors.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { CallFact, CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionKey, SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import { checkTake, encodeLedgerFact, refuseUnfenced } from './check-ledger-input.js';
import type { Ledger, LedgerFence, LedgerStore, TakenConversation } from './ledger.js';

interface KeptTranscript {
  /** Entries as JSON, so that no caller can change them. */
  readonly entries: string[];
  readonly uuids: Set<string>;
}

interface KeptConversation {
  readonly sessionId: string;
  epoch: number;
  takenAt: number;
  /** By project, session and subpath. */
  readonly transcripts: Map<string, KeptTranscript>;
  /** Facts as JSON, by project and session. */
  readonly facts: Map<string, string[]>;
}

/** Creates a ledger in memory. */
export function createMemoryLedger(): Ledger {
  const ledger = new MemoryLedger();
  return {
    take: async (key, options) => ledger.take(key, options),
    holds: async (fence) => ledger.find(fence) !== undefined,
    store: (fence) => createStore(ledger, fence),
    dropCalls: async (fence) => ledger.require(fence).facts.clear(),
    forget: async (key) => void ledger.conversations.delete(key),
  };
}

class MemoryLedger {
  readonly conversations = new Map<string, KeptConversation>();
  /** The highest epoch of all. A conversation that was forgotten and begins again must not get an old epoch. */
  #epoch = 0;

  take(key: string, options: { owner: string }): TakenConversation {
    checkTake(key, options);
    this.#epoch += 1;
    const epoch = this.#epoch;
    const known = this.conversations.get(key);
    const takenAt = clock.Date.now();
    const kept = known ?? {
      sessionId: randomUUID(),
      epoch,
      takenAt,
      transcripts: new Map(),
      facts: new Map(),
    };
    Object.assign(kept, { epoch, takenAt });
    this.conversations.set(key, kept);
    return { fence: { key, epoch, owner: options.owner }, sessionId: kept.sessionId };
  }

  find({ key, epoch }: LedgerFence): KeptConversation | undefined {
    const kept = this.conversations.get(key);
    return kept?.epoch === epoch ? kept : undefined;
  }

  require(fence: LedgerFence): KeptConversation {
    const kept = this.find(fence);
    if (!kept)
      throw new LeaseLostError(fence, { reason: this.conversations.has(fence.key) ? 'taken' : 'removed' });
    return kept;
  }

  /** The conversation that a session belongs to. */
  findSession(sessionId: string): KeptConversation | undefined {
    return [...this.conversations.values()].find((kept) => kept.sessionId === sessionId);
  }
}

function createStore(ledger: MemoryLedger, fence: LedgerFence | undefined): LedgerStore {
  const read = (sessionId: string): KeptConversation | undefined =>
    fence ? ledger.conversations.get(fence.key) : ledger.findSession(sessionId);
  const write = (): KeptConversation => {
    if (!fence) throw refuseUnfenced();
    return ledger.require(fence);
  };
  return {
    append: async (key, entries) => append(write(), key, entries),
    load: async (key) => {
      const kept = read(key.sessionId)?.transcripts.get(nameTranscript(key));
      return kept ? kept.entries.map((text) => JSON.parse(text) as SessionStoreEntry) : null;
    },
    delete: async (key) => {
      const { transcripts, facts } = write();
      for (const name of transcripts.keys())
        if (name === nameTranscript(key) || (key.subpath === undefined && isOfSession(name, key)))
          transcripts.delete(name);
      if (key.subpath === undefined) facts.delete(nameSession(key));
    },
    listSubkeys: async (key) =>
      [...(read(key.sessionId)?.transcripts.keys() ?? [])].flatMap((name) =>
        isOfSession(name, key) ? ((JSON.parse(name) as string[])[2] ?? []) : [],
      ),
    listSessions: async (projectKey) =>
      [...ledger.conversations.values()].flatMap(({ sessionId, takenAt, transcripts }) =>
        transcripts.has(nameTranscript({ projectKey, sessionId })) ? [{ sessionId, mtime: takenAt }] : [],
      ),
    calls: (key) => createRecords(ledger, fence, key),
  };
}

function createRecords(
  ledger: MemoryLedger,
  fence: LedgerFence | undefined,
  key: Pick<SessionKey, 'projectKey' | 'sessionId'>,
): CallRecords {
  const name = nameSession(key);
  return {
    // An async function, so that a refused fact is a rejection.
    add: async (fact) => {
      const text = encodeLedgerFact(fact, fence !== undefined);
      const kept = fence ? ledger.require(fence) : ledger.findSession(key.sessionId);
      if (!kept)
        throw new InvalidOptionsError(
          ['sessionId'],
          `The ledger has no conversation with the session ${key.sessionId}`,
        );
      const facts = kept.facts.get(name) ?? [];
      kept.facts.set(name, facts);
      facts.push(text);
    },
    load: async () => {
      const kept = fence ? ledger.conversations.get(fence.key) : ledger.findSession(key.sessionId);
      return (kept?.facts.get(name) ?? []).map((text) => JSON.parse(text) as CallFact);
    },
    claim: async () => {
      if (!fence) throw refuseUnfenced();
      ledger.require(fence);
      return { renew: async () => ledger.find(fence) !== undefined, release: async () => {} };
    },
  };
}

function append(kept: KeptConversation, key: SessionKey, entries: readonly SessionStoreEntry[]): void {
  const name = nameTranscript(key);
  const transcript = kept.transcripts.get(name) ?? { entries: [], uuids: new Set() };
  kept.transcripts.set(name, transcript);
  for (const entry of entries) {
    if (entry.uuid !== undefined && transcript.uuids.has(entry.uuid)) continue;
    if (entry.uuid !== undefined) transcript.uuids.add(entry.uuid);
    transcript.entries.push(stringifyDeep(entry) ?? 'null');
  }
}

function nameTranscript({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify(subpath === undefined ? [projectKey, sessionId] : [projectKey, sessionId, subpath]);
}

function nameSession({ projectKey, sessionId }: Pick<SessionKey, 'projectKey' | 'sessionId'>): string {
  return JSON.stringify([projectKey, sessionId]);
}

/** Whether a transcript is one of a subagent of this session. */
function isOfSession(name: string, key: Pick<SessionKey, 'projectKey' | 'sessionId'>): boolean {
  return name.startsWith(`${nameSession(key).slice(0, -1)},`);
}
