// `mcpPrompt()` makes a function a prompt of a server, with typed arguments.
import type { AnySchema, InferOutput } from '../../schema/infer.js';
import { compilePrompt } from './compile-prompt.js';
import type { PlainPrompt, PromptContext, PromptDefinition, PromptExtras } from './prompts.js';

/** The ways to write a prompt. */
export interface DefinePrompt {
  /** A prompt without arguments. */
  (
    name: string,
    description: string,
    run: (args: Record<string, never>, extra: PromptContext) => unknown,
  ): PromptDefinition;
  /** A prompt from its name, description, arguments and function. */
  <const Schema extends AnySchema>(
    name: string,
    description: string,
    schema: Schema,
    run: (args: InferOutput<Schema>, extra: PromptContext) => unknown,
    extras?: Pick<PromptDefinition<Schema>, 'title' | '_meta' | 'complete'>,
  ): PromptDefinition;
  /** A prompt from one object. */
  <const Schema extends AnySchema = undefined>(prompt: PromptDefinition<Schema>): PromptDefinition;
}

type Run = PlainPrompt['run'];
type Given =
  | [PlainPrompt]
  | [name: string, description: string, run: Run]
  | [name: string, description: string, schema: AnySchema, run: Run, extras?: PromptExtras];

function definePrompt(...given: Given): PromptDefinition {
  const prompt = readForm(given);
  // A mistake is reported where the prompt is written, not where the server is made.
  compilePrompt(prompt);
  defined.add(prompt);
  return prompt;
}

const defined = new WeakSet<object>();

/** Whether `mcpPrompt` made this object. Its form alone cannot tell a prompt from a tool. */
export function isDefinedPrompt(value: object): value is PlainPrompt {
  return defined.has(value);
}

function readForm(given: Given): PlainPrompt {
  // The caller's object is copied, because `defined` remembers the object that is returned.
  if (given.length === 1) return { ...given[0], run: given[0].run?.bind(given[0]) };
  if (given.length === 3) return { name: given[0], description: given[1], run: given[2] };
  const [name, description, schema, run, extras] = given;
  return { ...extras, name, description, arguments: schema, run };
}

/**
 * Defines a prompt that a function in this process produces; pass it to `createSdkMcpServer` as one of its `prompts`.
 * Throws a SchemaError if the schema cannot be converted, and an InvalidOptionsError if anything else is wrong.
 */
export const mcpPrompt: DefinePrompt = definePrompt;
