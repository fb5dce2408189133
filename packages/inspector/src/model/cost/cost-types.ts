// What a session used, as data. Types, and how counts are added.
import type { UsageCount } from '@inboard/core/record/usage/usage-count.js';
import type { TokenCount } from '../session-summary.js';

/** One request to a model: one message of the API, however many events told of it. */
export interface ModelRequest {
  /** The event that first told of it. */
  n: number;
  t: number;
  /** The place of its turn, from 0. */
  turn: number;
  model: string;
  /** The call of the subagent that asked; null for the main conversation. */
  parent: string | null;
  tokens: TokenCount;
}

/** What one model used in a turn, or in all. */
export interface ModelCost {
  model: string;
  tokens: TokenCount;
  costUsd: number;
  /** Tokens that fit; undefined where no result told. */
  contextWindow: number | undefined;
}

/** A turn. Of the last one, while it is not over, the money is not known. */
export interface TurnCost {
  /** From 1. */
  number: number;
  n: number;
  t: number;
  requests: number;
  tokens: TokenCount;
  /** Undefined until the result comes. */
  costUsd: number | undefined;
  /** All turns so far, this one included. */
  totalUsd: number;
  models: ModelCost[];
}

/** What a subagent used. */
export interface AgentCost {
  /** Its call. */
  key: string;
  name: string;
  n: number;
  requests: number;
  tokens: TokenCount;
  /** Undefined where it cannot be told apart from others of the same model. */
  costUsd: number | undefined;
}

/** Older messages were replaced by a summary. */
export interface CompactionMark {
  n: number;
  t: number;
  /** Before which request of the main conversation it stands. */
  request: number;
  before: number | undefined;
  after: number | undefined;
}

/** Nothing. */
export function noTokens(): TokenCount {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
}

/** Both together. */
export function addTokens(one: TokenCount, other: TokenCount): TokenCount {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

/** The counts under the names of the page. */
export function toTokens(usage: UsageCount): TokenCount {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheCreationInputTokens,
  };
}

/** What went to the model: all of it but its answer. */
export function promptTokens({ input, cacheRead, cacheWrite }: TokenCount): number {
  return input + cacheRead + cacheWrite;
}
