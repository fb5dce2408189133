// The result of a tool call as text: what is no text is named, with its size.
import type { CallToolResult } from '../../answer/mcp/result/tool-content.js';
import { noteLine, printLine, type Terminal } from '../terminal/terminal.js';

/** Prints a result: to the standard output, or to the standard error when it is an error. */
export function printResult(terminal: Terminal, result: CallToolResult): void {
  const print = result.isError === true ? noteLine : printLine;
  const content = (Array.isArray(result.content) ? result.content : []) as unknown as Record<
    string,
    unknown
  >[];
  for (const block of content) print(terminal, describeBlock(block));
  if (content.length === 0 && result.structuredContent !== undefined) {
    print(terminal, JSON.stringify(result.structuredContent, undefined, 2));
  }
}

function describeBlock(block: Record<string, unknown>): string {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text') return String(text);
  if (typeof data === 'string') {
    return `[${String(type)}: ${String(mimeType)}, ${Buffer.byteLength(data, 'base64')} bytes; --json shows it]`;
  }
  if (type === 'resource_link') return `[resource: ${String(uri)}]`;
  const inner = resource as { uri?: unknown; text?: unknown } | undefined;
  if (typeof inner?.text === 'string') return `[resource ${String(inner.uri)}]\n${inner.text}`;
  return inner ? `[resource ${String(inner.uri)}; --json shows it]` : JSON.stringify(block);
}
