// The types of some option values, under the names that programs use: thinking, output, the system prompt.

/** The model decides how much to think. */
export type ThinkingAdaptive = { type: 'adaptive'; display?: 'summarized' | 'omitted' | undefined };

/** The model thinks up to a budget of tokens. */
export type ThinkingEnabled = {
  type: 'enabled';
  budgetTokens?: number | undefined;
  display?: 'summarized' | 'omitted' | undefined;
};

/** The model does not think. */
export type ThinkingDisabled = { type: 'disabled' };

/** A beta feature of the API that the option `betas` can enable. The option accepts others, too. */
export type SdkBeta = 'context-1m-2025-08-07';

/** The kinds of output that the option `outputFormat` accepts. */
export type OutputFormatType = 'json_schema';

/** The field that every output format has. */
export type BaseOutputFormat = { type: OutputFormatType };

/** When entries are written to a session store: in batches, or at once. */
export type SessionStoreFlush = 'batched' | 'eager';

/** Where a configuration is stored: for the user, for the project, or for the user in this project (`local`). */
export type ConfigScope = 'local' | 'user' | 'project';

/** A marker for a system prompt in list form. Put parts that are the same in all sessions before it: they can be cached. */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';

/** A system prompt that replaces the CLI's own. */
export type CustomSystemPrompt = {
  type: 'custom';
  prompt: string | string[];
  /** Keeps the prompt unchanged while the session lasts. */
  snapshot?: boolean | undefined;
};

/** The CLI's own system prompt. */
export type PresetSystemPrompt = {
  type: 'preset';
  preset: 'claude_code';
  /** A text that is added at the end of the prompt. */
  append?: string | undefined;
  /** Moves directory, memory and git facts to the first user message, so that the prompt can be cached. */
  excludeDynamicSections?: boolean | undefined;
  /** Keeps the prompt unchanged while the session lasts. */
  snapshot?: boolean | undefined;
};

/** The values of the option `systemPrompt`. */
export type SystemPrompt = string | string[] | CustomSystemPrompt | PresetSystemPrompt;

/** A zod shape of either major version, as `tool` accepts it. Other schemas are in `AnySchema`. */
export type AnyZodRawShape = {
  readonly [field: string]:
    { _zod: { input: unknown; output: unknown } } | { _input: unknown; _output: unknown; _def: unknown };
};
