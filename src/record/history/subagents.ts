// The subagents of a past session: which there were, and what they said. Their transcripts lie in a folder
// beside the session's own, or in a store under its subpaths.
import { readFile } from 'node:fs/promises';
import { InvalidOptionsError } from '../../errors.js';
import type {
  GetSubagentMessagesOptions,
  ListSubagentsOptions,
  SessionMessage,
  SessionStore,
} from '../../wire/protocol/control/session-payload.js';
import type { ChainNode } from './transcript/chain-node.js';
import { isSpoken, walkUp } from './transcript/conversation-chain.js';
import { findLocalCommands } from './transcript/local-commands.js';
import { readPage } from './page.js';
import { createSessionMessage, type MessageParents } from './session-message.js';
import { isSessionId } from './session-id.js';
import { findStoreKey, type StoredSession } from './store/stored-entries.js';
import { AGENT_METADATA, listSubagentFiles } from './subagent-files.js';
import { parseEntry, type Entry } from './transcript/transcript-entry.js';
import { indexEntries, indexTranscript, readEntries } from './transcript/transcript-index.js';
import { findCompanionFolder, findTranscript } from './folders/transcript-place.js';

const AGENT_PATH = /^subagents\/(?:.*\/)?agent-([^/]*)$/;

/** The ids of a session's subagents. */
export async function listSubagents(sessionId: string, options?: ListSubagentsOptions): Promise<string[]> {
  if (!isSessionId(sessionId)) return [];
  const { dir, sessionStore } = options ?? {};
  const paths = sessionStore
    ? await listStoredPaths(sessionStore, { sessionId, dir })
    : (await listFiles({ sessionId, dir })).map(({ subpath }) => subpath);
  return paths.flatMap((path) => AGENT_PATH.exec(path)?.[1] ?? []);
}

/** The messages of one subagent in order; none when there is no such subagent. */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options?: GetSubagentMessagesOptions,
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId) || !agentId) return [];
  const { dir, sessionStore, ...page } = options ?? {};
  const { start, end } = readPage(page);
  if (sessionStore) {
    const entries = await loadSubagent(sessionStore, { sessionId, dir, agentId });
    const parents = readParents(entries.findLast((entry) => entry['type'] === AGENT_METADATA));
    const conversation = orderSubagent(indexEntries(entries));
    const commands = findLocalCommands(conversation);
    return conversation
      .slice(start, end)
      .map((node) => createSessionMessage(node.place, { isLocalCommand: commands.has(node), parents }));
  }
  const file = (await listFiles({ sessionId, dir })).find(
    ({ subpath }) => AGENT_PATH.exec(subpath)?.[1] === agentId,
  );
  if (file === undefined) return [];
  const parents = readParents(await readMetadata(file.metadataPath));
  const conversation = orderSubagent(await indexTranscript(file.path));
  const commands = findLocalCommands(conversation);
  return (await readEntries(file.path, conversation.slice(start, end))).map(({ entry, node }) =>
    createSessionMessage(entry, { isLocalCommand: commands.has(node), parents }),
  );
}

// A subagent has one conversation and no branches: from its last message upwards.
function orderSubagent<Place>(entries: readonly ChainNode<Place>[]): ChainNode<Place>[] {
  const kept = entries.filter((node) => isSpoken(node) || node.type === 'attachment');
  const nodes = new Map(kept.map((node) => [node.uuid, node]));
  const last = kept.findLast(isSpoken);
  return last ? walkUp(nodes, last).toReversed().filter(isSpoken) : [];
}

async function listFiles({ sessionId, dir }: StoredSession) {
  const transcript = await findTranscript(sessionId, dir);
  return transcript ? await listSubagentFiles(findCompanionFolder(transcript)) : [];
}

async function listStoredPaths(store: SessionStore, session: StoredSession): Promise<string[]> {
  if (!store.listSubkeys) {
    throw new InvalidOptionsError(
      ['sessionStore'],
      'sessionStore.listSubkeys is not implemented -- cannot list subagents. ' +
        'Provide a store with a listSubkeys() method.',
    );
  }
  return await store.listSubkeys(await findStoreKey(session));
}

async function loadSubagent(
  store: SessionStore,
  { agentId, ...session }: StoredSession & { agentId: string },
): Promise<Entry[]> {
  // A subagent may lie deeper; without a list of them it can only be where they usually are.
  const subpath = store.listSubkeys
    ? (await listStoredPaths(store, session)).find((path) => AGENT_PATH.exec(path)?.[1] === agentId)
    : `subagents/agent-${agentId}`;
  if (subpath === undefined) return [];
  return (await store.load({ ...(await findStoreKey(session)), subpath })) ?? [];
}

async function readMetadata(path: string): Promise<Entry | undefined> {
  try {
    return parseEntry(await readFile(path, 'utf8'));
  } catch {
    // Older CLIs write none.
    return undefined;
  }
}

function readParents(metadata: Entry | undefined): MessageParents {
  const { toolUseId, parentAgentId } = metadata ?? {};
  return {
    toolUseId: typeof toolUseId === 'string' ? toolUseId : null,
    agentId: typeof parentAgentId === 'string' ? parentAgentId : null,
  };
}
