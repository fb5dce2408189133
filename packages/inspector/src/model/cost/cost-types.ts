// The types of a session's costs, and the addition of token counts.
import type { UsageCount } from '@inboard/core/record/usage/usage-count.js';
import type { TokenCount } from '../session-summary.js';

/** One request to a model, which is one message of the API, however many events it appears in. */
export interface CountedRequest {
  /** The number of the first event about it. */
  n: number;
  t: number;
  /** The index of its turn, from 0. */
  turn: number;
  model: string;
  /** The call that started the subagent which made it; null for the main conversation. */
  parent: string | null;
  tokens: TokenCount;
}

/** What one model used, in a turn or in all turns. */
export interface ModelCost {
  model: string;
  tokens: TokenCount;
  costUsd: number;
  /** The size of the context window, in tokens; undefined if no result reported it. */
  contextWindow: number | undefined;
}

/** The cost of a turn. While the turn is open, the money is not known. */
export interface TurnCost {
  /** From 1. */
  number: number;
  /** The number of its last event so far: its first request, and then its result. */
  n: number;
  t: number;
  requests: number;
  tokens: TokenCount;
  /** In US dollars; undefined while the turn is open, and if its result reports no cost. */
  costUsd: number | undefined;
  /** Whether it has ended, so that no cost will be reported for it any more. */
  isOver: boolean;
  /** The known cost of all turns up to and including this one; undefined if none was reported. */
  totalUsd: number | undefined;
  models: ModelCost[];
}

/** What a subagent used. */
export interface AgentCost {
  /** The id of the call that started it. */
  key: string;
  name: string;
  n: number;
  requests: number;
  tokens: TokenCount;
  /** In US dollars; undefined if the CLI's figures do not tell, as when others used the same model in the same turn. */
  costUsd: number | undefined;
}

/** A moment at which older messages were replaced by a summary. */
export interface CompactionMark {
  n: number;
  t: number;
  /** The index of the next request of the main conversation. */
  request: number;
  before: number | undefined;
  after: number | undefined;
}

export function noTokens(): TokenCount {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
}

export function addTokens(one: TokenCount, other: TokenCount): TokenCount {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

/** The counts, under the names that the page uses. */
export function toTokens(usage: UsageCount): TokenCount {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheCreationInputTokens,
  };
}

/** The tokens that went to the model, without those of its answer. */
export function promptTokens({ input, cacheRead, cacheWrite }: TokenCount): number {
  return input + cacheRead + cacheWrite;
}
