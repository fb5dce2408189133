// The transcripts of the journal in memory, as a session store. The owner of a lease writes, and others only read.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '@inboard/core/wire/protocol/config/session-store.js';
import { createJournalCallRecords, NOTHING_KEPT, type KeptCalls } from '../call-facts.js';
import type { ConversationHistory, Fence, Json } from '../records.js';
import { copyJson } from './copy-json.js';
import { requireFence } from './fence.js';
import type { MemoryState, StoredConversation, MemorySession, StoredTranscript } from './memory-state.js';

/** `Journal.store`. Each method of the store first calls `begin`, which throws once the journal is closed. */
export function createTranscriptStore(
  state: MemoryState,
  fence: Fence | undefined,
  begin: () => void,
): SessionStore {
  const requireOwner = (): Fence => {
    begin();
    if (!fence) {
      throw new InvalidOptionsError(['fence'], 'Without a fence, a transcript can be read but not written');
    }
    requireFence(state, fence);
    return fence;
  };
  return {
    append: async (key, entries) => appendEntries(state, requireOwner(), key, entries),
    load: async (key) => {
      begin();
      const found = findSession(state, key)?.transcripts.get(key.subpath ?? '');
      return found ? found.entries.map(({ entry }) => copyJson(entry)) : null;
    },
    delete: async (key) => {
      const { key: conversation } = requireOwner();
      const session = findSession(state, key);
      if (session?.conversation !== conversation) return;
      if (key.subpath === undefined) state.sessions.delete(nameSession(key));
      else session.transcripts.delete(key.subpath);
    },
    listSessions: async (projectKey) => {
      begin();
      return [...state.sessions.values()]
        .filter((session) => session.projectKey === projectKey && session.transcripts.has(''))
        .map(({ sessionId, changedAt }) => ({ sessionId, mtime: changedAt }));
    },
    calls: ({ sessionId }) =>
      createJournalCallRecords(async () => {
        begin();
        return copyJson(listCalls(state, sessionId, fence));
      }),
    listSubkeys: async (key) => {
      begin();
      return [...(findSession(state, key)?.transcripts.keys() ?? [])].filter((subpath) => subpath !== '');
    },
  };
}

/** The stored calls of the conversation with this session, in turns that have not ended. */
function listCalls(state: MemoryState, sessionId: string, fence: Fence | undefined): KeptCalls {
  const conversation = [...state.conversations.values()].find(
    (each) => each.sessionId === sessionId && (fence === undefined || each.key === fence.key),
  );
  if (!conversation) return NOTHING_KEPT;
  const turns = conversation.turns.slice(conversation.head).filter(({ state: at }) => at !== 'ended');
  const ids = new Set(turns.map(({ id }) => id));
  return {
    messages: turns.map(({ uuid }) => uuid),
    calls: [...conversation.calls.values()].filter(({ turn }) => ids.has(turn)),
    questions: [...conversation.questions.values()].filter(({ turn }) => ids.has(turn)),
    events: conversation.events.filter(({ turn, epoch }) => epoch === 0 && ids.has(turn)),
  };
}

/** The main transcript of a conversation, each entry with its epoch. */
export function listTranscriptEntries(
  state: MemoryState,
  { key, sessionId }: StoredConversation,
): ConversationHistory['entries'] {
  return [...state.sessions.values()]
    .filter((session) => session.conversation === key && session.sessionId === sessionId)
    .flatMap(({ transcripts }) => transcripts.get('')?.entries ?? [])
    .map(({ epoch, entry }) => ({ epoch, entry: entry as Json }));
}

function appendEntries(
  state: MemoryState,
  { key: conversation, epoch }: Fence,
  { projectKey, sessionId, subpath = '' }: SessionKey,
  entries: readonly SessionStoreEntry[],
): void {
  const session = findSession(state, { projectKey, sessionId }) ?? {
    conversation,
    projectKey,
    sessionId,
    changedAt: 0,
    transcripts: new Map<string, StoredTranscript>(),
  };
  state.sessions.set(nameSession(session), session);
  const transcript = session.transcripts.get(subpath) ?? { entries: [], uuids: new Set() };
  session.transcripts.set(subpath, transcript);
  // Two appends in one millisecond must have different times.
  state.lastTranscriptTime = Math.max(state.now(), state.lastTranscriptTime + 1);
  if (subpath === '') session.changedAt = state.lastTranscriptTime;
  for (const entry of entries) {
    if (entry.uuid !== undefined && transcript.uuids.has(entry.uuid)) continue;
    if (entry.uuid !== undefined) transcript.uuids.add(entry.uuid);
    transcript.entries.push({ epoch, entry: copyJson(entry) });
  }
}

type SessionName = Pick<SessionKey, 'projectKey' | 'sessionId'>;

function findSession(state: MemoryState, key: SessionName): MemorySession | undefined {
  return state.sessions.get(nameSession(key));
}

function nameSession({ projectKey, sessionId }: SessionName): string {
  return JSON.stringify([projectKey, sessionId]);
}
