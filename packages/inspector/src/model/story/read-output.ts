// Reads the output of a tool as parts that a page can show: texts, JSON, images and files.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { isOutcomeUnknown } from '@inboard/core/wire/protocol/messages/message-content.js';
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

/** How a call ended, as the message with its result says it. */
export interface ToolOutcome {
  toolUseId: string;
  content: unknown;
  isError: boolean;
  /** Whether the call did not run, because a rule, a hook or a person refused it. */
  isRefused: boolean;
  /** Whether the call was ended before it was done, or its outcome is unknown. */
  isCut: boolean;
}

/** The results in a `user` message of the CLI. */
export function readOutcomes(frame: WireObject, blocks: readonly WireObject[]): ToolOutcome[] {
  return blocks.flatMap((block) => {
    const toolUseId = block['tool_use_id'];
    if (block['type'] !== 'tool_result' || typeof toolUseId !== 'string') return [];
    const meta = findMeta(frame, toolUseId);
    const decision = isRecord(meta['permission_decision'])
      ? meta['permission_decision']['decision']
      : undefined;
    const isError = block['is_error'] === true;
    const isRefused = isError && decision === 'reject';
    // Newer CLIs report `user-rejected` without a decision for a call that an interrupt ended.
    const isEnded = meta['non_execution_kind'] === 'user-rejected' && decision === undefined;
    const isCut = isError && !isRefused && (isEnded || isOutcomeUnknown(block));
    return [{ toolUseId, content: block['content'], isError, isRefused, isCut }];
  });
}

function findMeta(frame: WireObject, toolUseId: string): WireObject {
  const list = frame['tool_result_meta'];
  if (!Array.isArray(list)) return {};
  return list.filter(isRecord).find(({ id }) => id === toolUseId) ?? {};
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
