// Servers, tools and calls as the tools view shows them. Types only.
import type { CompletionKind } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { Schema } from '../form/form-shape.js';

/** The state of a call. A call that is `cut` was cut off before it had a result. */
export type CallState = 'running' | 'done' | 'failed' | 'denied' | 'cut';

/** One call of a tool. It keeps the numbers of its events, not the events. */
export interface ObservedCall {
  toolUseId: string;
  /** The name the model uses. */
  toolName: string;
  /** When the model had written it whole, or when an event first showed it. */
  t: number;
  /** The number of the event that first shows the call. */
  n: number;
  /** The events with the handler's input and answer; undefined if it did not run in this process. */
  requestN: number | undefined;
  answerN: number | undefined;
  state: CallState;
  /** From the request to the answer of this process, in milliseconds. */
  handlerMs: number | undefined;
  /** From the whole call to its result, with all waits, in milliseconds; undefined without both. */
  wholeMs: number | undefined;
  error: string | undefined;
  /** How the call was completed after it was cut off with its CLI or with the program; undefined for other calls. */
  completed: CompletionKind | undefined;
}

/** Half of the calls took at most `p50`, and 95 % at most `p95`, in milliseconds. */
export interface Percentiles {
  p50: number;
  p95: number;
}

export interface ToolEntry {
  /** The name the model uses. */
  toolName: string;
  /** Without `mcp__server__`. */
  name: string;
  /** Undefined for tools of the CLI. */
  server: string | undefined;
  title: string | undefined;
  description: string | undefined;
  /** Undefined if it was not on the wire. */
  inputSchema: Schema | undefined;
  outputSchema: Schema | undefined;
  isReadOnly: boolean;
  /** Whether the program runs it, not the CLI. */
  runsHere: boolean;
  /** Whether the CLI listed it in the last turn; undefined before the first. */
  isListed: boolean | undefined;
  /** Whether the model must search for the tool before calling it. */
  isDeferred: boolean;
  /** The oldest first. */
  calls: readonly ObservedCall[];
  errors: number;
  denied: number;
  handler: Percentiles | undefined;
  /** Of the calls that ran. */
  whole: Percentiles | undefined;
  lastError: string | undefined;
  /** Why it was not called, or that all its calls were refused; undefined otherwise. */
  silence: { text: string; advice: string | undefined } | undefined;
}

export interface ServerEntry {
  name: string;
  /** The status that the CLI reports; `announced` before it reports one. */
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
  /** The full name of the model. */
  resolved: string | undefined;
}
