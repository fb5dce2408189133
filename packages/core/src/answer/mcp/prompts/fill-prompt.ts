// Fills in a prompt once. It reads the arguments from text, checks them, calls the prompt's function, and makes messages
// from the return value.
import { quoteInput } from '../../../util/bounded-text.js';
import { ToolResultError } from '../../../errors.js';
import { findNearestName } from '../../../util/nearest-name.js';
import { isRecord } from '../../../util/guards.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { kindOf } from '../../schema/compiled-schema.js';
import type { JsonSchema } from '../../schema/compile-schema.js';
import { listIssues } from '../../schema/list-issues.js';
import { findContentProblem } from '../result/content-kinds.js';
import type { ToolContent } from '../result/tool-content.js';
import type { ServerCatalog } from '../server/server-catalog.js';
import { readProperties } from './compile-prompt.js';
import type {
  CompiledPrompt,
  FilledPrompt,
  GetPromptResult,
  PromptContext,
  PromptMessage,
} from './prompts.js';

/** A request for a prompt. */
export interface PromptOrder {
  name: string;
  args: unknown;
  context: PromptContext;
}

/** The result, or what is wrong with the request. */
export type PromptOutcome = { result: GetPromptResult } | { problem: string };

/** Fills a prompt in. Rejects with what its function threw, or with a ToolResultError for a wrong return value. */
export async function fillPrompt(catalog: ServerCatalog, order: PromptOrder): Promise<PromptOutcome> {
  const { name, args = {}, context } = order;
  const prompt = catalog.findPrompt(name);
  if (!prompt?.enabled) return { problem: explainMissing(catalog, name) };
  if (!isRecord(args)) return { problem: `The arguments of the prompt "${name}" must be an object` };
  const checked = await prompt.schema.validate(readTexts(args, readProperties(prompt.schema.jsonSchema)));
  if (!checked.ok) {
    return { problem: `The arguments of the prompt "${name}" are not valid:\n${listIssues(checked.issues)}` };
  }
  return { result: toResult(await prompt.run(checked.value, context), prompt) };
}

/** Adds a field with all text of the messages. Content that is not text is left out of this field. */
export function withPromptText(result: GetPromptResult): FilledPrompt {
  const texts = result.messages.flatMap(({ content }) => {
    if (content.type === 'text') return [content.text];
    return content.type === 'resource' && 'text' in content.resource ? [content.resource.text] : [];
  });
  return { ...result, text: texts.join('\n\n') };
}

/** The message about an unknown prompt, with the name that may be meant. */
export function explainMissing(catalog: ServerCatalog, name: string): string {
  const known = [...catalog.prompts].filter(({ enabled }) => enabled).map(({ listing }) => listing.name);
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return `The server "${catalog.options.name}" has no prompt named ${quoteInput(name)}${hint}`;
}

/** Turns texts into the numbers and booleans that the schema wants, because MCP arguments are always text. */
function readTexts(
  args: Record<string, unknown>,
  properties: Record<string, JsonSchema>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, readText(value, properties[name]?.['type'])]),
  );
}

function readText(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = (type === 'number' || type === 'integer') && value.trim() !== '';
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : value;
}

function toResult(value: unknown, prompt: CompiledPrompt): GetPromptResult {
  const { name, description } = prompt.listing;
  const given = isRecord(value) && Array.isArray(value['messages']) ? value : { messages: value };
  const messages = toMessages(given['messages'], name);
  return withoutUndefined({ description, ...given, messages });
}

function toMessages(value: unknown, name: string): PromptMessage[] {
  if (Array.isArray(value)) return value.flatMap((part: unknown) => toMessages(part, name));
  if (!isRecord(value) || value['role'] === undefined)
    return [{ role: 'user', content: toContent(value, name) }];
  const { role, content, ...rest } = value;
  if (role !== 'user' && role !== 'assistant') {
    throw new ToolResultError(
      `The prompt "${name}" returned a message with the role ${quoteInput(role)}; MCP has "user" and "assistant"`,
    );
  }
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.map((part) => ({ ...rest, role, content: toContent(part, name) }));
}

function toContent(value: unknown, name: string): ToolContent {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isRecord(value)) {
    throw new ToolResultError(
      `The prompt "${name}" returned ${value === undefined ? 'nothing' : `a value of type ${kindOf(value)}`}; return a string, content blocks, or messages with "role" and "content"`,
    );
  }
  const problem = findContentProblem(value);
  if (problem === undefined) return value as unknown as ToolContent;
  throw new ToolResultError(`The prompt "${name}" returned something that cannot be sent: ${problem}`);
}
