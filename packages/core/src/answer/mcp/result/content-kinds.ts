// Has one row for each kind of content block: its fields, its shape, and a check. The check finds blocks that the CLI would
// refuse later, or that would make the API end the conversation.
import { boundText, quoteInput } from '../../../util/bounded-text.js';
import { findMimeTypeOfBase64, isBase64, isImageType } from './binary-kind.js';
import type { ToolContent } from './tool-content.js';

type Block = Readonly<Record<string, unknown>>;

interface ContentKind {
  /** The fields a block may have besides `type`, `annotations` and `_meta`. Without the first, a value is no such block. */
  fields: readonly [string, ...string[]];
  /** The required fields, in words for an error. */
  needs: string;
  hasShape(block: Block): boolean;
  /** Called only for blocks that have the shape. */
  findProblem?(block: Block): string | undefined;
}

const NOT_BASE64 =
  'its data is not base64; encode it with buffer.toString("base64"), or return the bytes and let the SDK encode them';

/** The kinds of content block, by their `type`. */
export const CONTENT_KINDS: Readonly<Record<ToolContent['type'], ContentKind>> = {
  text: {
    fields: ['text'],
    needs: 'its "text" as a string',
    hasShape: ({ text }) => typeof text === 'string',
  },
  image: {
    fields: ['data', 'mimeType'],
    needs: '"data" (base64) and "mimeType" as strings',
    hasShape: hasBinaryShape,
    findProblem: ({ data, mimeType }) => findImageProblem(data as string, mimeType as string),
  },
  audio: {
    fields: ['data', 'mimeType'],
    needs: '"data" (base64) and "mimeType" as strings',
    hasShape: hasBinaryShape,
    findProblem: ({ data }) => (isBase64(data as string) ? undefined : NOT_BASE64),
  },
  resource: {
    fields: ['resource'],
    needs: 'a "resource" with "uri" and either "text" or "blob"',
    hasShape: ({ resource }) => hasResourceShape(resource),
    findProblem: ({ resource }) => findBlobProblem((resource as { blob?: unknown }).blob),
  },
  resource_link: {
    fields: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'icons'],
    needs: '"uri" and "name" as strings',
    hasShape: ({ uri, name }) => typeof uri === 'string' && typeof name === 'string',
  },
};

/** Whether a value is a content block and nothing more, so that it can be a result on its own. */
export function isContentBlock(value: unknown): value is ToolContent {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Block;
  const kind = findKind(block['type']);
  if (!kind || block[kind.fields[0]] === undefined) return false;
  for (const key of Object.keys(block)) {
    if (key !== 'type' && key !== 'annotations' && key !== '_meta' && !kind.fields.includes(key))
      return false;
  }
  return kind.hasShape(block);
}

/** What is wrong with a content block, or undefined when it can be sent. */
export function findContentProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return `a content block must be an object with a "type", not ${value === null ? 'null' : `a ${typeof value}`}`;
  }
  const block = value as Block;
  const { type } = block;
  // Nearly every block is a text, which can be judged without its row.
  if (type === 'text' && typeof block['text'] === 'string') return undefined;
  const kind = findKind(type);
  if (!kind) {
    return `a content block has the type ${quoteInput(type)}; MCP has text, image, audio, resource and resource_link`;
  }
  if (!kind.hasShape(block)) return `a content block of type "${String(type)}" lacks ${kind.needs}`;
  return kind.findProblem?.(block);
}

function findKind(type: unknown): ContentKind | undefined {
  return typeof type === 'string' && Object.hasOwn(CONTENT_KINDS, type)
    ? CONTENT_KINDS[type as ToolContent['type']]
    : undefined;
}

function hasBinaryShape({ data, mimeType }: Block): boolean {
  return typeof data === 'string' && typeof mimeType === 'string';
}

function hasResourceShape(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { uri, text, blob } = value as Block;
  return typeof uri === 'string' && (typeof text === 'string' || typeof blob === 'string');
}

function findImageProblem(data: string, mimeType: string): string | undefined {
  if (!isImageType(mimeType)) {
    const advice =
      mimeType === 'image/jpg'
        ? 'write image/jpeg'
        : 'convert it to PNG, JPEG, GIF or WebP, or return it as text or a resource';
    return `an image has the type ${boundText(mimeType, 100)}, which the API refuses; ${advice}`;
  }
  if (data.startsWith('data:')) {
    return 'an image has a data URL as its data; pass only what follows "base64,", or use image()';
  }
  if (!isBase64(data)) return `an image cannot be sent: ${NOT_BASE64}`;
  const found = findMimeTypeOfBase64(data);
  if (found === mimeType) return undefined;
  return found === undefined
    ? `an image is declared as ${mimeType}, but its bytes are not; the API would refuse it`
    : `an image is declared as ${mimeType}, but its bytes are ${found}; use image(), which reads the type from the bytes`;
}

function findBlobProblem(blob: unknown): string | undefined {
  return typeof blob === 'string' && blob !== '' && !isBase64(blob)
    ? `a resource cannot be sent: ${NOT_BASE64}`
    : undefined;
}
