// From an entry of a transcript to the message a reader gets.
import type { SessionMessage } from '../../wire/protocol/control/session-payload.js';
import type { Entry } from './transcript/transcript-entry.js';

/** Which call, of which agent, a subagent's conversation answers. */
export interface MessageParents {
  readonly toolUseId: string | null;
  readonly agentId: string | null;
}

const NO_PARENTS: MessageParents = { toolUseId: null, agentId: null };

/** Makes a message of an entry; its own fields are handed on as they were written. */
export function createSessionMessage(
  entry: Entry,
  { isLocalCommand, parents = NO_PARENTS }: { isLocalCommand: boolean; parents?: MessageParents },
): SessionMessage {
  const isCompactSummary = Boolean(entry['isCompactSummary']);
  const isMeta = isCompactSummary || Boolean(entry['isMeta']) || Boolean(entry['isVisibleInTranscriptOnly']);
  return {
    type: entry['type'] as SessionMessage['type'],
    uuid: entry['uuid'] as string,
    session_id: entry['sessionId'] as string,
    message: entry['message'],
    parent_tool_use_id: parents.toolUseId,
    parent_agent_id: parents.agentId,
    ...(isCompactSummary && { isCompactSummary }),
    ...(isMeta && { is_meta: true }),
    ...(isLocalCommand && { isCompletedLocalCommand: true }),
    timestamp: entry['timestamp'] as string,
    ...(Boolean(entry['origin']) && { origin: entry['origin'] as SessionMessage['origin'] }),
  };
}
