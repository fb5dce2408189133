// Names for parts of options and of callbacks' inputs that programs write down by themselves.

/** Thinks as much as it sees fit. */
export type ThinkingAdaptive = { type: 'adaptive'; display?: 'summarized' | 'omitted' };

/** Thinks up to a budget of tokens. */
export type ThinkingEnabled = { type: 'enabled'; budgetTokens?: number; display?: 'summarized' | 'omitted' };

/** Does not think. */
export type ThinkingDisabled = { type: 'disabled' };

/** A beta feature of the API that the option `betas` is known to switch on; it takes others, too. */
export type SdkBeta = 'context-1m-2025-08-07';

/** The kinds of output the option `outputFormat` takes. */
export type OutputFormatType = 'json_schema';

/** What all output formats have in common. */
export type BaseOutputFormat = { type: OutputFormatType };

/** How soon entries reach a session store. */
export type SessionStoreFlush = 'batched' | 'eager';

/** Whose configuration something belongs to. */
export type ConfigScope = 'local' | 'user' | 'project';

/** One task in the background, as `Stop` and `SubagentStop` hooks are told of it. */
export type BackgroundTaskSummary = {
  id: string;
  type: string;
  status: string;
  description: string;
  command?: string;
  agent_type?: string;
  server?: string;
  tool?: string;
  name?: string;
};

/** One thing the session does by the clock, as `Stop` hooks are told of it. */
export type SessionCronSummary = { id: string; schedule: string; recurring: boolean; prompt: string };

/** One call of a batch, as `PostToolBatch` hooks are told of it. */
export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** A zod shape of either major version, as `tool` takes it; other schemas are in `AnySchema`. */
export type AnyZodRawShape = {
  readonly [field: string]:
    { _zod: { input: unknown; output: unknown } } | { _input: unknown; _output: unknown; _def: unknown };
};
