// Makes an MCP result from a handler's return value, with one row for each kind of object. A valid MCP result passes
// unchanged. If something in it would be refused later, the call fails here with a text that helps.
import { ToolResultError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import { hasPlainPrototype, isPlainJson } from '../../../util/plain-json.js';
import { findMimeType, isImageType } from './binary-kind.js';
import { findContentProblem, isContentBlock } from './content-kinds.js';
import { describeFailure, encodeJson } from './describe-failure.js';
import type { CallToolResult, ToolContent } from './tool-content.js';
import { errorResult, jsonBlock, textBlock, toBuffer } from './content-helpers.js';

/** Where a result came from, which names a resource made of raw bytes, and what is done if it is malformed. */
export interface ResultSource {
  server: string;
  tool: string;
  /** Throws for a content block that MCP does not know. By default the model reads in its place what is wrong with it. */
  isStrict?: boolean | undefined;
}

// For a result without content, versions of the CLI write different texts, and 2.1.33 writes none.
const NO_OUTPUT = 'The tool completed with no output.';

const RESULT_KEYS = new Set(['content', 'structuredContent', 'isError', 'is_error', '_meta']);

/**
 * Turns a handler's return value into a result, or into a promise of one if the value is a Blob. Throws a ToolResultError
 * for a value that cannot be sent.
 */
export function toToolResult(value: unknown, source: ResultSource): CallToolResult | Promise<CallToolResult> {
  switch (typeof value) {
    case 'string':
      return fromText(value === '' ? NO_OUTPUT : value);
    case 'object':
      return value === null ? fromText('null') : fromObject(value, source);
    case 'undefined':
      return fromText(NO_OUTPUT);
    case 'number':
    case 'boolean':
      return fromText(String(value));
    default:
      throw new ToolResultError(
        `The tool returned a ${typeof value}, which cannot be sent; return a string, a number, an object or an MCP result`,
      );
  }
}

/** Whether a value is meant as an MCP result rather than as data. */
export function isToolResult(value: object): value is CallToolResult {
  const { content } = value as { content?: unknown };
  if (Array.isArray(content)) {
    if (hasOnlyResultKeys(value)) return true;
    return content.length > 0 && content.every((block) => findContentProblem(block) === undefined);
  }
  return (
    content === undefined &&
    ('structuredContent' in value || 'isError' in value || 'is_error' in value) &&
    hasOnlyResultKeys(value)
  );
}

/** One kind of object a handler may return, and the result it becomes. */
interface ReturnKind {
  matches(value: object): boolean;
  toResult(value: object, source: ResultSource): CallToolResult | Promise<CallToolResult>;
}

/** The first kind that matches counts. An object that matches none is data. */
export const RETURN_KINDS: readonly ReturnKind[] = [
  kind(isToolResult, checkResult),
  instance(Error, errorResult),
  instance(Uint8Array, (bytes, source) => fromBytes(bytes, '', source)),
  instance(ArrayBuffer, (buffer, source) => fromBytes(new Uint8Array(buffer), '', source)),
  kind(isBlob, async (blob, source) =>
    fromBytes(new Uint8Array(await blob.arrayBuffer()), blob.type, source),
  ),
  kind(isContentBlock, (block, source) => checkResult({ content: [block] }, source)),
  kind(isContentList, (parts, source) => checkResult({ content: parts.map(toBlock) }, source)),
  kind(isStream, () => {
    throw new ToolResultError('The tool returned a stream; read it to its end and return its contents');
  }),
  // The JSON of a Map or a Set is {}, so their data would be lost silently.
  instance(Map, (map) => fromData(Object.fromEntries(map))),
  instance(Set, (set) => fromData([...set])),
  instance(Date, (date) => fromText(date.toJSON() ?? 'Invalid Date')),
];

function kind<T extends object>(
  matches: (value: object) => value is T,
  toResult: (value: T, source: ResultSource) => CallToolResult | Promise<CallToolResult>,
): ReturnKind {
  return { matches, toResult };
}

function instance<T extends object>(
  Class: abstract new (...args: never[]) => T,
  toResult: (value: T, source: ResultSource) => CallToolResult,
): ReturnKind {
  return { matches: (value) => value instanceof Class, toResult };
}

function fromObject(value: object, source: ResultSource): CallToolResult | Promise<CallToolResult> {
  try {
    if (isOneText(value)) return value;
    for (const row of RETURN_KINDS) if (row.matches(value)) return row.toResult(value, source);
    return fromData(value);
  } catch (cause) {
    if (cause instanceof ToolResultError) throw cause;
    // A getter, a proxy or a `toJSON` of the value threw.
    throw new ToolResultError(
      `The result cannot be read: ${describeFailure(cause)}. Return a plain object or a string`,
      { cause },
    );
  }
}

function fromData(value: unknown): CallToolResult {
  return { content: [jsonBlock(value)] };
}

function fromText(value: string): CallToolResult {
  return { content: [textBlock(value)] };
}

function fromBytes(bytes: Uint8Array, declaredType: string, source: ResultSource): CallToolResult {
  if (bytes.length === 0) return fromText(NO_OUTPUT);
  const found = findMimeType(bytes);
  const data = toBuffer(bytes).toString('base64');
  if (found !== undefined && isImageType(found)) {
    return { content: [{ type: 'image', data, mimeType: found }] };
  }
  if (found?.startsWith('audio/')) return { content: [{ type: 'audio', data, mimeType: found }] };
  const mimeType = found ?? (declaredType || 'application/octet-stream');
  const uri = `tool-result://${encodeURIComponent(source.server)}/${encodeURIComponent(source.tool)}`;
  return { content: [{ type: 'resource', resource: { uri, mimeType, blob: data } }] };
}

function checkResult(result: CallToolResult, { isStrict }: ResultSource): CallToolResult {
  const checked = normalizeShape(result);
  if (!isPlainJson(checked)) checkEncoded(checked);
  let repaired: ToolContent[] | undefined;
  for (let index = 0; index < checked.content.length; index += 1) {
    const problem = findContentProblem(checked.content[index]);
    if (problem === undefined) continue;
    if (isStrict) throw new ToolResultError(`The result could not be used: ${problem}`);
    repaired ??= [...checked.content];
    repaired[index] = { type: 'text', text: `The tool's result could not be used: ${problem}` };
  }
  return repaired ? { ...checked, content: repaired, isError: true } : checked;
}

// Throws if JSON cannot hold the result or would change it. When the line is written, it would be too late to name the tool.
function checkEncoded(result: CallToolResult): void {
  const sent: unknown = JSON.parse(encodeJson(result));
  const content = isRecord(sent) ? sent['content'] : undefined;
  const isSame = Array.isArray(content) && content.length === result.content.length;
  const isLost = (block: unknown, index: number): boolean =>
    findContentProblem(block) !== undefined && findContentProblem(result.content[index]) === undefined;
  if (isSame && !content.some(isLost)) return;
  throw new ToolResultError(
    'The result changes when written as JSON, because something in it has a toJSON method; return plain objects',
  );
}

/**
 * Whether a value is a result of one text and nothing else. Most tools return such a result, and it needs none of the
 * other checks, which take a tenth of a call's CPU time.
 */
function isOneText(value: object): value is CallToolResult {
  const { content } = value as { content?: unknown };
  if (!Array.isArray(content) || content.length !== 1 || !hasOnlyKeys(value, 'content')) return false;
  const block: unknown = content[0];
  if (!isRecord(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return false;
  return hasPlainPrototype(content) && hasOnlyKeys(block, 'type', 'text');
}

function hasOnlyKeys(value: object, one: string, other = one): boolean {
  for (const key in value) if (key !== one && key !== other) return false;
  return hasPlainPrototype(value);
}

/** Adds missing content to a result and corrects `isError`. Returns the same object if there is nothing to change. */
function normalizeShape(result: CallToolResult): CallToolResult {
  const { structuredContent, isError } = result;
  if (structuredContent !== undefined && !isRecord(structuredContent)) {
    throw new ToolResultError(
      'The structuredContent of the result must be an object; wrap the value, for example as { items: [...] }',
    );
  }
  const tidy =
    Array.isArray(result.content) &&
    !('is_error' in result) &&
    (isError === undefined || typeof isError === 'boolean');
  if (tidy) return result;
  const { is_error: pythonSpelling, ...rest } = result;
  const failed = Boolean(isError ?? pythonSpelling);
  return { ...rest, content: rest.content ?? [], ...(failed ? { isError: true } : {}) };
}

function hasOnlyResultKeys(value: object): boolean {
  for (const key of Object.keys(value)) if (!RESULT_KEYS.has(key)) return false;
  return true;
}

function isContentList(values: object): values is (string | ToolContent)[] {
  return (
    Array.isArray(values) &&
    values.some((value) => isContentBlock(value)) &&
    values.every((value) => typeof value === 'string' || isContentBlock(value))
  );
}

function toBlock(part: string | ToolContent): ToolContent {
  return typeof part === 'string' ? textBlock(part) : part;
}

// Node loads the class `Blob` when it is first named. This function delays that until after this file is loaded.
function isBlob(value: object): value is Blob {
  return value instanceof Blob;
}

function isStream(value: object): value is object {
  const { getReader, pipe } = value as { getReader?: unknown; pipe?: unknown };
  return typeof getReader === 'function' || typeof pipe === 'function';
}
