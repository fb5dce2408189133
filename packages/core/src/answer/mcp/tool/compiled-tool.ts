// A tool ready to be listed and called. Types only.
import type { CompiledSchema, JsonSchema } from '../../schema/compile-schema.js';
import type { ToolLoading } from './defined-tool.js';
import type { RetryPolicy, ToolLimits } from './limits.js';
import type { ConcurrencyGate } from './concurrency-gate.js';
import type { RepeatPolicy } from './repeat-policy.js';
import type { PlainTool, ToolAnnotations } from './tool-definition.js';
import type { ToolContext } from './tool-context.js';

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
  /** Returns the same object each time. The first call makes it, and converts most schemas. */
  readonly list: () => ToolListing;
  readonly loading: ToolLoading;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  /** False for handlers that were registered without a schema. They get only the context. */
  readonly takesArguments: boolean;
  readonly handler: (args: unknown, extra: ToolContext) => unknown;
  /** False where the text of the handler shows that it cannot see a second argument. No context is made for it. */
  readonly readsContext: boolean;
  /** Whether only its handler decides when a call ends, and the call does not wait for a person. */
  readonly isPlain: boolean;
  /** Whether a call waits for a person until it ends. */
  readonly waits: boolean;
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
