// Makes the message for a caller from an entry of a transcript.
import type { SessionMessage } from '../../../wire/protocol/config/past-sessions.js';
import { type ChainNode } from './chain-node.js';
import { isMessage } from './conversation-chain.js';
import { type Entry } from './transcript-lines.js';

/** The tool call that started a subagent, and the agent that made this call. */
export interface MessageParents {
  readonly toolUseId: string | null;
  readonly agentId: string | null;
}

// Finds the entries of local commands. The CLI runs commands such as /compact itself. They leave user entries that the
// model never got: a hidden caveat, the command, and its output.
export function findLocalCommands(conversation: readonly ChainNode[]): ReadonlySet<ChainNode> {
  const found = new Set<ChainNode>();
  let stage: 'none' | 'announced' | 'run' = 'none';
  for (const node of conversation.filter(isMessage)) {
    if (node.isMeta) {
      if (node.commandPart === 'caveat') stage = 'announced';
      continue;
    }
    const isPart: boolean =
      (stage === 'announced' && node.commandPart === 'command') ||
      (stage === 'run' && node.commandPart === 'output');
    if (isPart) found.add(node);
    stage = isPart ? 'run' : 'none';
  }
  return found;
}

export function createSessionMessage(
  entry: Entry,
  { isCommand, parents }: { isCommand: boolean; parents: MessageParents },
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
    ...(isCommand && { isCompletedLocalCommand: true }),
    timestamp: entry['timestamp'] as string,
    ...(Boolean(entry['origin']) && { origin: entry['origin'] as SessionMessage['origin'] }),
  };
}
