// Reads the output of a tool as parts that a page can show: texts, JSON, images and files.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { MediaPart, OutputPart } from './story-item.js';

/** Longer texts are not parsed: a tree of that much JSON would not be readable. */
const MOST_JSON_CHARACTERS = 200_000;
const BASE64_BYTES = 3 / 4;

/** The parts of a result's content, which is a text or a list of blocks. */
export function readOutput(content: unknown): OutputPart[] {
  if (typeof content === 'string') return content === '' ? [] : [readText(content)];
  if (!Array.isArray(content)) return content === undefined || content === null ? [] : [jsonPart(content)];
  return content.map(readBlock);
}

/** An image or a file among the blocks of a message; undefined for any other block. */
export function readMedia(block: WireObject): MediaPart | undefined {
  // The Messages API puts the media type and the data into `source`, MCP into the block itself.
  const source = isRecord(block['source']) ? block['source'] : block;
  const mediaType = asString(source['media_type'] ?? source['mimeType']);
  const { type } = block;
  if (mediaType === undefined || (type !== 'image' && type !== 'document' && type !== 'audio'))
    return undefined;
  const data = asString(source['data']);
  return {
    type: type === 'image' ? 'image' : 'file',
    mediaType,
    data: data === undefined || data === '' ? undefined : data,
    bytes: Math.floor((data ?? '').length * BASE64_BYTES),
  };
}

function readBlock(block: unknown): OutputPart {
  if (!isRecord(block)) return jsonPart(block);
  if (block['type'] === 'text' && typeof block['text'] === 'string') return readText(block['text']);
  return readMedia(block) ?? jsonPart(block);
}

function readText(text: string): OutputPart {
  const plain = text.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, '$1');
  const first = plain.trimStart()[0];
  if ((first !== '{' && first !== '[') || plain.length > MOST_JSON_CHARACTERS)
    return { type: 'text', text: plain };
  const value = parseContainer(plain);
  return value === undefined ? { type: 'text', text: plain } : jsonPart(value);
}

function parseContainer(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonPart(value: unknown): OutputPart {
  return { type: 'json', value };
}
