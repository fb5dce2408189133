// Reads the conversation of a past session.
import type {
  GetSessionMessagesOptions,
  SessionMessage,
} from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey, isSessionId } from '../arguments.js';
import { findTranscript } from '../folders/transcript-location.js';
import { loadStored } from '../store/stored-entries.js';
import type { ChainNode } from '../transcript/chain-node.js';
import { isVisible, orderConversation } from '../transcript/conversation-chain.js';
import { readConversation } from '../transcript/read-conversation.js';

/**
 * The messages of a session in order; empty if there is no such session. If the transcript is on disk, only the texts of
 * the requested page are held in memory.
 */
export async function getSessionMessages(
  sessionId: string,
  options?: GetSessionMessagesOptions,
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId)) return [];
  const { dir, sessionStore, projectKey, env, includeSystemMessages = false, ...page } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  const source = sessionStore
    ? await loadStored(sessionStore, { sessionId, dir, projectKey })
    : (await findTranscript(sessionId, dir, env))?.path;
  if (source === undefined) return [];
  const isShown = (node: ChainNode): boolean => isVisible(node, includeSystemMessages);
  return await readConversation(source, { order: orderConversation, isShown, page });
}
