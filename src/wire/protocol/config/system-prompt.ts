// The system prompt option: text of the host's, or the stock prompt with additions.

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
