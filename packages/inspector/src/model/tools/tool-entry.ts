// Servers, tools and calls as the tools view shows them. Types only.
import type { CompletionKind } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { Schema } from '../form/form-shape.js';

/** How a call ended, or that it has not. */
export type CallState = 'running' | 'done' | 'failed' | 'denied' | 'cut';

/** One call of a tool. The events it consists of are named, not kept. */
export interface ToolCall {
  toolUseId: string;
  /** As the model says it. */
  toolName: string;
  t: number;
  /** The event with the model's call. */
  n: number;
  /** The events with the handler's input and its answer; undefined where it ran elsewhere. */
  requestN: number | undefined;
  answerN: number | undefined;
  state: CallState;
  /** In this process, from the request to the answer. */
  handlerMs: number | undefined;
  /** From the model's call to the result it gets, with every wait in between. */
  wholeMs: number | undefined;
  error: string | undefined;
  /** How it was completed after its CLI or its host was gone; undefined for other calls. */
  completed: CompletionKind | undefined;
}

/** Half of the calls took at most `p50`, nineteen of twenty at most `p95`. */
export interface Percentiles {
  p50: number;
  p95: number;
}

/** A tool. */
export interface ToolEntry {
  /** As the model says it. */
  toolName: string;
  /** Without `mcp__server__`. */
  name: string;
  /** Undefined for tools of the CLI. */
  server: string | undefined;
  title: string | undefined;
  description: string | undefined;
  /** Undefined where the wire does not tell it. */
  inputSchema: Schema | undefined;
  outputSchema: Schema | undefined;
  isReadOnly: boolean;
  /** Whether it runs in this process. */
  runsHere: boolean;
  /** Whether the CLI listed it in the last turn; undefined before the first. */
  isListed: boolean | undefined;
  /** Whether the model has to search for it before it sees it. */
  isDeferred: boolean;
  /** The oldest first. */
  calls: readonly ToolCall[];
  errors: number;
  denied: number;
  handler: Percentiles | undefined;
  whole: Percentiles | undefined;
  lastError: string | undefined;
  /** Why it was not called; undefined where it was. */
  silence: { text: string; advice: string | undefined } | undefined;
}

/** A server and its tools. */
export interface ServerEntry {
  name: string;
  /** As the CLI says it; `announced` before it has said anything. */
  status: string;
  error: string | undefined;
  version: string | undefined;
  instructions: string | undefined;
  runsHere: boolean;
  tools: ToolEntry[];
}

/** A model that the session can change to. */
export interface ModelChoice {
  value: string;
  label: string;
  description: string | undefined;
  /** The full name of the model that stands behind it. */
  resolved: string | undefined;
}
