// The types of an agent. An agent is a function that returns the options for a conversation. Users define the same agents on
// every machine.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { ContextOption } from '@inboard/core/answer/mcp/tool/needed-context.js';
import type { Json } from '../../journal/records.js';

/** What an agent is told about its conversation. */
export interface AgentConversation<Data = Json> {
  readonly key: string;
  /** The data that was given with the first message. */
  readonly data: Data;
  readonly tenant: string | undefined;
  readonly sessionId: string;
  /**
   * Asks people, through the journal. If the agent's options do not say who answers permission questions, people are asked.
   * `ask` is for handlers of tools: before the agent has returned its options, it rejects with an InvalidOptionsError.
   */
  readonly approvals: Pick<Approvals, 'canUseTool' | 'ask'>;
  /**
   * Aborts when the options are no longer needed, because the turn was interrupted, handed over or lost, or because the agent
   * takes too long. Never aborts once the agent has returned its options.
   */
  readonly signal: AbortSignal;
}

/** Returns the options for a conversation. Called for each CLI that is started for it. */
// oxlint-disable-next-line no-explicit-any -- the data of an agent is whatever its sender gives
export type Agent = (conversation: AgentConversation<any>) => QueryOptions | Promise<QueryOptions>;

/** Agents by name. A conversation keeps the name of its agent for good. */
export type Agents = Readonly<Record<string, Agent>>;

/**
 * Agents whose options have the `toolContext` that their servers need. For an agent without it, the compiler's error shows what
 * the agent should return.
 */
export type CheckedAgents<A extends Agents> = {
  readonly [Name in keyof A]: CheckedAgent<ReturnType<A[Name]>>;
};

type CheckedAgent<Returned> = [Lacking<Awaited<Returned>>] extends [never]
  ? unknown
  : (
      ...conversation: never
    ) => Returned extends PromiseLike<infer Options> ? Promise<Lacking<Options>> : Lacking<Returned>;

// If the options differ from call to call, each kind is checked.
type Lacking<Returned> = Returned extends { mcpServers?: infer Servers }
  ? Returned extends ContextOption<Servers>
    ? never
    : ContextOption<Servers>
  : never;
