// Turns the result of a tool into the content of its call in the editor.
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { textOrJson } from '@inboard/core/util/message-of.js';
import { fence } from '../prompt-content.js';
import { isEdit, textContent, type ToolDescription } from './describe-tool.js';

/** A result as the CLI reports it. */
export interface ToolResult {
  content: unknown;
  isError: boolean;
  /** The result in the tool's own structure, where the CLI gives it. */
  structure: unknown;
}

/** The content of a call that has a result. Undefined if the content does not change. */
export function contentOfResult(
  { name, kind, content: before }: ToolDescription,
  { content, isError, structure }: ToolResult,
): ToolCallContent[] | undefined {
  const shown = blocksOf(content).flatMap((block) => toContent(block, kind === 'execute'));
  if (isError) return [...before.filter(({ type }) => type === 'diff'), ...shown];
  if (isEdit(name)) return correctDiff(name, before, structure);
  return name === 'ExitPlanMode' ? undefined : shown;
}

function blocksOf(content: unknown): unknown[] {
  if (content === undefined || content === null || content === '') return [];
  return Array.isArray(content) ? content : [content];
}

function toContent(block: unknown, isOutput: boolean): ToolCallContent[] {
  const text = isRecord(block) && block['type'] === 'text' ? asString(block['text']) : asString(block);
  if (text !== undefined) {
    const plain = unwrapError(text);
    return textContent(isOutput && plain !== '' ? fence(plain, 'console') : plain);
  }
  const { type, source } = isRecord(block) ? block : {};
  if (type === 'image' && isRecord(source) && typeof source['data'] === 'string') {
    const mimeType = asString(source['media_type']) ?? 'image/png';
    return [{ type: 'content', content: { type: 'image', data: source['data'], mimeType } }];
  }
  return textContent(textOrJson(block));
}

// The CLI puts marks around its own errors. The marks are meant for the model, so they are removed.
function unwrapError(text: string): string {
  const [, inner] = /^<tool_use_error>([^]*)<\/tool_use_error>$/.exec(text.trim()) ?? [];
  return inner ?? text;
}

// The file may have changed between the question and the call. The result says which text was really replaced.
function correctDiff(
  name: string,
  before: readonly ToolCallContent[],
  structure: unknown,
): ToolCallContent[] | undefined {
  const original = isRecord(structure) ? structure['originalFile'] : undefined;
  if (name !== 'Write' || (typeof original !== 'string' && original !== null)) return undefined;
  return before.map((part) => (part.type === 'diff' ? { ...part, oldText: original } : part));
}
