// Describes the content of a tool's answer as text. Content without text is described by its kind, and its size or address.
import { isRecord } from '@inboard/core/util/guards.js';
import { textOrJson } from '@inboard/core/util/message-of.js';

/** Each block of a tool's content as text. Reads the blocks of MCP and those the CLI reports for its own tools. */
export function describeContent(content: unknown): string[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [content];
  return (Array.isArray(content) ? content : [content]).map(describeBlock);
}

function describeBlock(block: unknown): string {
  if (!isRecord(block)) return textOrJson(block);
  const { type, text, uri, resource } = block;
  if (type === 'text') return String(text);
  // The fields of MCP, or those of the Messages API.
  const { data, mimeType, media_type: mediaType } = isRecord(block['source']) ? block['source'] : block;
  if (typeof data === 'string') {
    return `[${String(type)}: ${String(mimeType ?? mediaType)}, ${Buffer.byteLength(data, 'base64')} bytes]`;
  }
  if (type === 'resource_link') return `[resource: ${String(uri)}]`;
  if (!isRecord(resource)) return JSON.stringify(block);
  const about = `[resource ${String(resource['uri'])}]`;
  return typeof resource['text'] === 'string' ? `${about}\n${resource['text']}` : about;
}
