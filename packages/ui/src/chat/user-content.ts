// Turns the parts of a visitor's message into content for the model: text, and files that come as data: URLs.
import { isBase64, isImageType } from '@inboard/core/answer/mcp/result/binary-kind.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import type { ContentBlockParam } from '@inboard/core/wire/protocol/api/api-input.js';
import { badRequest } from './chat-refusal.js';

/** Media types that hold text, including those that do not begin with `text/`. */
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|sql|toml)(?:$|;))/;
const MOST_PARTS = 100;
const MOST_NAME_CHARACTERS = 200;

/** The content of a user message. Refuses parts that the model cannot read. */
export function readUserContent(parts: unknown, field: string): UserContent {
  if (!Array.isArray(parts) || parts.length === 0)
    throw badRequest(field, 'must be a list with at least one part');
  if (parts.length > MOST_PARTS) throw badRequest(field, `may have at most ${MOST_PARTS} parts`);
  const content = parts.flatMap((part: unknown, index) => readPart(part, `${field}[${index}]`) ?? []);
  if (content.length === 0) throw badRequest(field, 'has neither text nor a file');
  return content;
}

function readPart(part: unknown, field: string): ContentBlockParam | undefined {
  if (!isRecord(part) || typeof part['type'] !== 'string')
    throw badRequest(field, 'must be a part with a "type"');
  const { type } = part;
  if (type === 'text') return readText(part['text'], `${field}.text`);
  if (type === 'file') return readFile(part, field);
  // Data parts are for the page itself, and a step has no content.
  if (type.startsWith('data-') || type === 'step-start') return undefined;
  throw badRequest(`${field}.type`, `must be "text" or "file"; it is ${JSON.stringify(type.slice(0, 50))}`);
}

function readText(text: unknown, field: string): ContentBlockParam | undefined {
  if (typeof text !== 'string') throw badRequest(field, 'must be a string');
  // The API accepts no empty text.
  return text.trim() === '' ? undefined : { type: 'text', text };
}

function readFile(part: Record<string, unknown>, field: string): ContentBlockParam {
  const { url, filename } = part;
  const { mediaType, data } = readDataUrl(url, `${field}.url`);
  const title = typeof filename === 'string' ? filename.slice(0, MOST_NAME_CHARACTERS) : undefined;
  if (isImageType(mediaType))
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
  if (mediaType === 'application/pdf')
    return {
      type: 'document',
      source: { type: 'base64', media_type: mediaType, data },
      ...(title !== undefined && { title }),
    };
  if (TEXT_TYPES.test(mediaType))
    return {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: decodeText(data) },
      ...(title !== undefined && { title }),
    };
  throw badRequest(
    field,
    `files of type ${JSON.stringify(mediaType.slice(0, 100))} cannot be read; images (JPEG, PNG, GIF, WebP), PDF and text can`,
  );
}

/** Reads a data: URL. The data is returned as base64, even if the URL has it as plain text. */
function readDataUrl(url: unknown, field: string): { mediaType: string; data: string } {
  if (typeof url !== 'string' || !url.startsWith('data:'))
    throw badRequest(field, 'must be a data: URL; this server fetches no files');
  const comma = url.indexOf(',');
  const [mediaType = '', ...parameters] = url
    .slice('data:'.length, Math.max(comma, 0))
    .toLowerCase()
    .split(';');
  if (comma < 0 || mediaType === '') throw badRequest(field, 'is not a data: URL with a media type');
  const data = url.slice(comma + 1);
  if (!parameters.includes('base64')) return { mediaType, data: encodeWritten(data, field) };
  if (!isBase64(data)) throw badRequest(field, 'is not base64');
  return { mediaType, data };
}

function encodeWritten(data: string, field: string): string {
  let text: string;
  try {
    text = decodeURIComponent(data);
  } catch {
    throw badRequest(field, 'is not a data: URL');
  }
  return Buffer.from(text).toString('base64');
}

function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
