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

/** As an element of its own in a system prompt list: what is before it is the same in all sessions and can be cached. */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';

/** A system prompt of the host's. */
export type CustomSystemPrompt = {
  type: 'custom';
  prompt: string | string[];
  /** Keep the prompt as it is for the life of the session. */
  snapshot?: boolean;
};

/** The CLI's stock system prompt. */
export type PresetSystemPrompt = {
  type: 'preset';
  preset: 'claude_code';
  /** Added at the end. */
  append?: string;
  /** Tell directory, memory and git facts in the first user message instead, so that the prompt can be cached. */
  excludeDynamicSections?: boolean;
  /** Keep the prompt as it is for the life of the session. */
  snapshot?: boolean;
};

/** What the `systemPrompt` option takes. */
export type SystemPrompt = string | string[] | CustomSystemPrompt | PresetSystemPrompt;

/** A zod shape of either major version, as `tool` takes it; other schemas are in `AnySchema`. */
export type AnyZodRawShape = {
  readonly [field: string]:
    { _zod: { input: unknown; output: unknown } } | { _input: unknown; _output: unknown; _def: unknown };
};
