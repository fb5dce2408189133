// Lists the subagents of a past session, and reads their conversations. Their transcripts are in a folder beside the
// session's transcript, or in a store under subpaths of the session's key.
import { InvalidOptionsError } from '../../../errors.js';
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';
import type {
  GetSubagentMessagesOptions,
  ListSubagentsOptions,
  SessionMessage,
} from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey, isSafeName, isSafeSubpath, isSessionId } from '../arguments.js';
import { findCompanionFolder, findTranscript } from '../folders/transcript-location.js';
import { callStore, type StoreCall } from '../store/call-store.js';
import { readSubpaths } from '../store/store-answers.js';
import { findStoreKey, loadTranscript, type StoredSession } from '../store/stored-entries.js';
import type { ChainNode } from '../transcript/chain-node.js';
import { isMessage, walkUp } from '../transcript/conversation-chain.js';
import { readConversation } from '../transcript/read-conversation.js';
import type { MessageParents } from '../transcript/session-message.js';
import { AGENT_METADATA, listSubagentFiles, readSubagentMetadata } from '../transcript/subagent-files.js';
import type { Entry } from '../transcript/transcript-lines.js';

const AGENT_PATH = /^subagents\/(?:.*\/)?agent-([^/]*)$/;

/** The ids of a session's subagents. */
export async function listSubagents(sessionId: string, options?: ListSubagentsOptions): Promise<string[]> {
  if (!isSessionId(sessionId)) return [];
  const { dir, sessionStore, projectKey, env } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  const paths = sessionStore
    ? await listStoredPaths(sessionStore, { sessionId, dir, projectKey })
    : (await listFiles(sessionId, { dir, env })).map(({ subpath }) => subpath);
  return paths.flatMap((path) => readAgentId(path) ?? []);
}

/** The messages of one subagent in order; empty when there is no such subagent. */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options?: GetSubagentMessagesOptions,
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId) || typeof agentId !== 'string' || !isSafeName(agentId)) return [];
  const { dir, sessionStore, projectKey, env, ...page } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  const query = { order: orderSubagent, isShown: isMessage, page };
  if (sessionStore) {
    const entries = await loadSubagent(sessionStore, { sessionId, dir, projectKey, agentId });
    const metadata = entries.findLast((entry) => entry['type'] === AGENT_METADATA);
    return await readConversation(entries, { ...query, parents: readParents(metadata) });
  }
  const file = (await listFiles(sessionId, { dir, env })).find(
    ({ subpath }) => readAgentId(subpath) === agentId,
  );
  if (file === undefined) return [];
  return await readConversation(file.path, {
    ...query,
    parents: readParents(await readSubagentMetadata(file)),
  });
}

function readAgentId(subpath: string): string | undefined {
  const id = isSafeSubpath(subpath) ? AGENT_PATH.exec(subpath)?.[1] : undefined;
  return id !== undefined && isSafeName(id) ? id : undefined;
}

// The conversation of a subagent has no branches, so it is followed from the last message up to the first.
function orderSubagent<Location>(entries: readonly ChainNode<Location>[]): ChainNode<Location>[] {
  const kept = entries.filter((node) => isMessage(node) || node.type === 'attachment');
  const nodes = new Map(kept.map((node) => [node.uuid, node]));
  const last = kept.findLast(isMessage);
  return last ? walkUp(nodes, last).toReversed() : [];
}

async function listFiles(sessionId: string, { dir, env }: ListSubagentsOptions) {
  const transcript = await findTranscript(sessionId, dir, env);
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
  const key = await findStoreKey(session);
  const { sessionId } = session;
  const asking: StoreCall = { store, operation: 'listSubkeys', sessionId, keepsErrors: true };
  return readSubpaths(asking, await callStore(asking, () => store.listSubkeys?.(key)));
}

async function loadSubagent(
  store: SessionStore,
  { agentId, ...session }: StoredSession & { agentId: string },
): Promise<Entry[]> {
  // A subagent may be in a subfolder. If the store cannot list subpaths, the usual subpath is tried.
  const subpath = store.listSubkeys
    ? (await listStoredPaths(store, session)).find((path) => readAgentId(path) === agentId)
    : `subagents/agent-${agentId}`;
  if (subpath === undefined) return [];
  return (await loadTranscript(store, { ...(await findStoreKey(session)), subpath })) ?? [];
}

function readParents(metadata: Entry | undefined): MessageParents {
  const { toolUseId, parentAgentId } = metadata ?? {};
  return {
    toolUseId: typeof toolUseId === 'string' ? toolUseId : null,
    agentId: typeof parentAgentId === 'string' ? parentAgentId : null,
  };
}
