// What in a result's content would be refused further on: blocks the CLI calls malformed, and pictures
// over which the API ends the conversation. Each finding says what to do instead.
import { findMimeTypeOfBase64, IMAGE_TYPES, isBase64 } from './binary-kind.js';
import type { ToolContent } from './tool-content.js';

const BLOCK_KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource: ['resource'],
  resource_link: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons'],
};

/** Whether a value is a content block and nothing besides, so that it may stand for itself as a result. */
export function isContentBlock(value: unknown): value is ToolContent {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Record<string, unknown>;
  const known = typeof block['type'] === 'string' ? BLOCK_KEYS[block['type']] : undefined;
  if (!known || !known[0] || block[known[0]] === undefined) return false;
  for (const key of Object.keys(block)) {
    if (key !== 'type' && key !== 'annotations' && key !== '_meta' && !known.includes(key)) return false;
  }
  return hasBlockShape(block);
}

/** What is wrong with a content block, or undefined when it can be sent. */
export function findContentProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return `a content block must be an object with a "type", not ${value === null ? 'null' : `a ${typeof value}`}`;
  }
  const block = value as Record<string, unknown>;
  const type = block['type'];
  if (type === 'text' && typeof block['text'] === 'string') return undefined;
  if (typeof type !== 'string' || !Object.hasOwn(BLOCK_KEYS, type)) {
    return `a content block has the type ${JSON.stringify(type)}; MCP has text, image, audio, resource and resource_link`;
  }
  if (!hasBlockShape(block)) return `a content block of the type "${type}" lacks ${NEEDS[type] ?? 'a field'}`;
  if (type === 'image') return findImageProblem(block['data'] as string, block['mimeType'] as string);
  if (type === 'audio' && !isBase64(block['data'] as string)) return NOT_BASE64;
  if (type === 'resource') return findBlobProblem((block['resource'] as { blob?: unknown }).blob);
  return undefined;
}

const NEEDS: Readonly<Record<string, string>> = {
  text: 'its "text" as a string',
  image: '"data" (base64) and "mimeType" as strings',
  audio: '"data" (base64) and "mimeType" as strings',
  resource: 'a "resource" with "uri" and either "text" or "blob"',
  resource_link: '"uri" and "name" as strings',
};

const NOT_BASE64 =
  'its data is not base64; make it with buffer.toString("base64"), or return the bytes and leave the encoding to the SDK';

function hasBlockShape(block: Record<string, unknown>): boolean {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string';
    case 'resource':
      return hasResourceShape(block['resource']);
    case 'resource_link':
      return typeof block['uri'] === 'string' && typeof block['name'] === 'string';
    default:
      return false;
  }
}

function hasResourceShape(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { uri, text, blob } = value as Record<string, unknown>;
  return typeof uri === 'string' && (typeof text === 'string' || typeof blob === 'string');
}

function findImageProblem(data: string, mimeType: string): string | undefined {
  if (!IMAGE_TYPES.includes(mimeType)) {
    const advice =
      mimeType === 'image/jpg'
        ? 'its name is image/jpeg'
        : 'convert it to PNG, JPEG, GIF or WebP, or return it as text or a resource';
    return `an image has the type ${mimeType}, which the API refuses; ${advice}`;
  }
  if (data.startsWith('data:')) {
    return 'an image has a data URL as its data; pass only what follows "base64,", or use image()';
  }
  if (!isBase64(data)) return `an image cannot be sent: ${NOT_BASE64}`;
  const found = findMimeTypeOfBase64(data);
  if (found === mimeType) return undefined;
  return found === undefined
    ? `an image says it is ${mimeType}, and its bytes are not; the API would refuse it`
    : `an image says it is ${mimeType}, and its bytes are ${found}; use image(), which reads the type from the bytes`;
}

function findBlobProblem(blob: unknown): string | undefined {
  return typeof blob === 'string' && blob !== '' && !isBase64(blob)
    ? `a resource cannot be sent: ${NOT_BASE64}`
    : undefined;
}
