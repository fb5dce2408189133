// Gets the options for a session from its agent, and refuses options that only the cluster may set.
import { ClusterError } from '@inboard/core/errors.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { askAgent } from '@inboard/durable/attempt/ask-agent.js';
import type { ConversationRecord } from '../../journal/records.js';
import type { AgentConversation, Agents } from '../host/agents.js';

/** A request for the options of an agent. */
export interface AgentQuestion {
  agents: Agents;
  conversation: ConversationRecord;
  approvals: AgentConversation['approvals'];
  /** Resolves if the options are no longer needed. */
  unwanted: Promise<unknown>;
}

/**
 * Calls the agent for its options. Undefined if they are no longer needed. Rejects with AGENT_UNKNOWN, with the agent's own
 * error, with an InvalidOptionsError for options that an agent may not set, or if the agent takes too long.
 */
export async function callAgent({
  agents,
  conversation,
  approvals,
  unwanted,
}: AgentQuestion): Promise<QueryOptions | undefined> {
  const { key, agent: name, data, tenant, sessionId } = conversation;
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (typeof agent !== 'function') {
    const known = Object.keys(agents);
    const near = findNearestName(name, known);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new ClusterError(
      'AGENT_UNKNOWN',
      `This worker has no agent "${name}", which the conversation "${key}" was started with. It has: ${known.join(', ') || 'none'}.${hint} All workers of a journal need all of its agents: update workers before senders, and keep another cluster in a schema of its own.`,
      { key },
    );
  }
  return await askAgent({
    ask: (signal) => agent({ key, data, tenant, sessionId, approvals, signal }),
    unwanted,
    words: { agent: `The agent "${name}"`, keeper: 'the cluster', option: 'agents' },
  });
}
