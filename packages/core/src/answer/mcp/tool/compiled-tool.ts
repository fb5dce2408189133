// The types of a tool that is ready to be listed and called. `compile-tool` makes it.
import type { CompiledSchema, JsonSchema } from '../../schema/compile-schema.js';
import type { ToolLoading } from './defined-tool.js';
import type { RetryPolicy, ToolLimits } from './limits.js';
import type { ConcurrencyGate } from './concurrency-gate.js';
import type { RepeatPolicy } from './repeat-policy.js';
import type { PlainTool, ToolAnnotations } from './tool-definition.js';
import type { HandlerExtra } from './handler-extra.js';

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonSchema;
  annotations?: ToolAnnotations;
  execution: { taskSupport: 'forbidden' };
  _meta?: Record<string, unknown>;
  outputSchema?: JsonSchema;
}

/** A tool ready for use. */
export interface CompiledTool {
  readonly name: string;
  /** The object that the author wrote. */
  readonly source: PlainTool;
  /** Returns the same object each time. The first call makes it. Most schemas are converted only then. */
  readonly list: () => ToolListing;
  readonly loading: ToolLoading;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  /** False for handlers that were registered without a schema. They get only the context. */
  readonly takesArguments: boolean;
  readonly handler: (args: unknown, extra: HandlerExtra) => unknown;
  /** False if the handler's source text shows that it cannot read a second argument. Then no context is made for it. */
  readonly readsContext: boolean;
  /** Whether the tool has no limits and does not wait for a person. Its calls need the fewest steps. */
  readonly isPlain: boolean;
  /** Whether each call counts as waiting for a person for as long as it runs. */
  readonly waits: boolean;
  /** Whether the CLI may be ended while a call runs. */
  readonly detached: boolean;
  /** Whether its calls may run side by side although it is not read-only. */
  readonly parallel: boolean;
  readonly onRepeat: RepeatPolicy | undefined;
  readonly hasLimits: boolean;
  readonly gates: readonly ConcurrencyGate[];
  readonly timeoutMs: number | undefined;
  readonly retries: RetryPolicy | undefined;
  readonly maxResultChars: number | undefined;
  enabled: boolean;
}

/** What a server adds to each of its tools. */
export interface ServerDefaults extends ToolLimits {
  alwaysLoad?: boolean;
  /** The gate that all tools of the server share. */
  gate?: ConcurrencyGate;
}
