// Reads the older way to add a tool to an MCP server: `server.tool(name, description?, schema?, annotations?, handler)`.
import { InvalidOptionsError } from '../../../errors.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { AnySchema } from '../../schema/infer.js';
import type { PlainTool, ToolAnnotations } from '../tool/tool-definition.js';

const ANNOTATION_KEYS = new Set([
  'title',
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
]);

/** The arguments after the name. The last one is the handler. */
export type ToolServerToolPart = string | ToolAnnotations | AnySchema | PlainTool['handler'];

/** Makes a tool from the arguments. The type of each argument shows what it is. */
export function readVariadicTool(name: string, given: readonly ToolServerToolPart[]): PlainTool {
  const parts = [...given];
  const handler = parts.pop();
  if (typeof handler !== 'function') {
    throw new InvalidOptionsError(['handler'], `The tool "${name}" needs a function as its last argument`);
  }
  const description = typeof parts[0] === 'string' ? (parts.shift() as string) : '';
  const inputSchema = isAnnotations(parts[0]) ? undefined : (parts.shift() as AnySchema);
  const annotations = parts.shift() as ToolAnnotations | undefined;
  return withoutUndefined({ name, description, inputSchema, handler, annotations });
}

function isAnnotations(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const entries = Object.entries(part);
  return (
    entries.length > 0 &&
    entries.every(([key, value]) => ANNOTATION_KEYS.has(key) && typeof value !== 'object') &&
    // `{ title: 'string' }` is a schema written as text, not annotations.
    entries.some(([, value]) => typeof value === 'boolean')
  );
}
