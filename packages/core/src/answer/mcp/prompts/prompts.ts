// The types of a server's prompts, both as their author writes them and as MCP has them.
import type { AnySchema, InferOutput } from '../../schema/infer.js';
import type { CompiledSchema } from '../../schema/compiled-schema.js';
import type { McpRequestContext } from '../server/request-context.js';
import type { ToolContent } from '../result/tool-content.js';
import type { Completer, Completers } from './completers.js';

/** What the function of a prompt gets after the arguments, or alone if `registerPrompt` was given no schema for them. */
export type PromptContext = McpRequestContext;

/** One message of a filled-in prompt: from the user, or as an earlier answer of the assistant. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ToolContent;
}

/** The answer to `prompts/get`. */
export interface GetPromptResult {
  description?: string | undefined;
  messages: PromptMessage[];
  _meta?: Record<string, unknown> | undefined;
}

/** A prompt with its arguments filled in, for the program itself. */
export interface FilledPrompt extends GetPromptResult {
  /** All text of the messages, ready to be sent as a prompt. */
  text: string;
}

/** What a prompt may declare besides its name, arguments and function. */
export interface PromptExtras {
  title?: string | undefined;
  description?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
}

type NamesOf<Schema extends AnySchema> = Extract<keyof InferOutput<Schema>, string>;

/** A prompt written as one object. Without `arguments` it takes none. */
export interface PromptDefinition<Schema extends AnySchema = AnySchema> extends PromptExtras {
  name: string;
  /** A schema of any kind that tools take. Clients send only text. Numbers and booleans are read from that. */
  arguments?: Schema | undefined;
  /** Suggests values for the arguments, by name. An argument with an `enum` in its schema needs no entry here. */
  complete?: Completers<NamesOf<Schema>> | undefined;
  /** Returns a text, content blocks, messages, or a full MCP result. */
  run(args: InferOutput<Schema>, extra: PromptContext): unknown;
}

/** A prompt in any form, regardless of its arguments. */
export interface PlainPrompt extends PromptExtras {
  name: string;
  arguments?: AnySchema | undefined;
  complete?: Completers | undefined;
  run: (args: never, extra: PromptContext) => unknown;
}

/** A prompt as `prompts/list` shows it. */
export interface PromptListing extends PromptExtras {
  name: string;
  arguments?: { name: string; title?: string; description?: string; required: boolean }[];
}

/** A prompt in a server. With `enabled: false` it is hidden, but not removed. */
export interface CompiledPrompt {
  readonly listing: PromptListing;
  readonly schema: CompiledSchema;
  readonly run: (args: unknown, extra: PromptContext) => unknown;
  readonly findCompleter: (argument: string) => Completer | undefined;
  enabled: boolean;
}
