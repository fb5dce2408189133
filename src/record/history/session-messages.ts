// Reading the conversation of a past session.
import type {
  GetSessionMessagesOptions,
  SessionMessage,
} from '../../wire/protocol/control/session-payload.js';
import type { ChainNode } from './transcript/chain-node.js';
import { isVisible, orderConversation } from './transcript/conversation-chain.js';
import { findLocalCommands } from './transcript/local-commands.js';
import { readPage } from './page.js';
import { createSessionMessage } from './session-message.js';
import { isSessionId } from './session-id.js';
import { loadStored } from './store/stored-entries.js';
import { indexEntries, indexTranscript, readEntries } from './transcript/transcript-index.js';
import { findTranscript } from './folders/transcript-place.js';

/** The messages of a session in order; none when there is no such session. Only those asked for are held. */
export async function getSessionMessages(
  sessionId: string,
  options?: GetSessionMessagesOptions,
): Promise<SessionMessage[]> {
  if (!isSessionId(sessionId)) return [];
  const { dir, sessionStore } = options ?? {};
  if (sessionStore) {
    const entries = (await loadStored(sessionStore, { sessionId, dir })) ?? [];
    const { chosen, commands } = chooseNodes(indexEntries(entries), options);
    return chosen.map((node) => createSessionMessage(node.place, { isLocalCommand: commands.has(node) }));
  }
  const transcript = await findTranscript(sessionId, dir);
  if (transcript === undefined) return [];
  const { chosen, commands } = chooseNodes(await indexTranscript(transcript.path), options);
  return (await readEntries(transcript.path, chosen)).map(({ entry, node }) =>
    createSessionMessage(entry, { isLocalCommand: commands.has(node) }),
  );
}

function chooseNodes<Place>(
  nodes: readonly ChainNode<Place>[],
  { includeSystemMessages = false, ...page }: GetSessionMessagesOptions = {},
) {
  const conversation = orderConversation(nodes);
  const { start, end } = readPage(page);
  return {
    chosen: conversation.filter((node) => isVisible(node, includeSystemMessages)).slice(start, end),
    commands: findLocalCommands(conversation),
  };
}
