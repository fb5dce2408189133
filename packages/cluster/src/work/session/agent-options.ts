// Gets the options for a session from its agent, and refuses options that only the cluster may set.
import { AbortError, ClusterError } from '@inboard/core/errors.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { readAgentOptions } from '@inboard/durable/attempt/owned-options.js';
import type { ConversationRecord } from '../../journal/records.js';
import type { AgentConversation, Agents } from '../host/agents.js';
import { withinTime } from '../host/within-time.js';

/** Milliseconds that an agent may take. */
const AGENT_LIMIT_MS = 60_000;

/** A request for the options of an agent. */
export interface AgentQuestion {
  agents: Agents;
  conversation: ConversationRecord;
  approvals: AgentConversation['approvals'];
  /** Resolves if the options are no longer needed. */
  unwanted: Promise<unknown>;
}

const UNWANTED = Symbol('unwanted');

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
  const given = new AbortController();
  const { signal } = given;
  const asked = (async (): Promise<unknown> =>
    await agent({ key, data, tenant, sessionId, approvals, signal }))();
  let options: unknown;
  try {
    options = await withinTime(
      Promise.race([asked, unwanted.then(() => UNWANTED)]),
      AGENT_LIMIT_MS,
      () => new Error(`The agent "${name}" returned no options within ${AGENT_LIMIT_MS} ms`),
    );
  } catch (error) {
    given.abort(error);
    throw error;
  }
  // If the agent still returns options, they are ignored.
  if (options === UNWANTED)
    given.abort(new AbortError(`The turn of the conversation "${key}" was ended or left`));
  if (options === UNWANTED) return undefined;
  return readAgentOptions(options, { agent: `The agent "${name}"`, keeper: 'the cluster', option: 'agents' });
}

/** The lower of two budgets. Undefined means no limit. */
export function lowerBudget(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
