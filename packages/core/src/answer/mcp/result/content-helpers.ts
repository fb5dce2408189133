// Helpers that handlers call to make the content of a result from text, JSON and bytes. `to-tool-result` converts other
// return values.
import { ToolResultError } from '../../../errors.js';
import { findMimeTypeOfBase64, isBase64, isImageType } from './binary-kind.js';
import { describeFailure, encodeJson } from './describe-failure.js';
import type {
  TextContent,
  ImageContent,
  AudioContent,
  EmbeddedResource,
  CallToolResult,
  BinaryData,
} from './tool-content.js';

/** A block of text. */
export function textBlock(value: string): TextContent {
  return { type: 'text', text: value };
}

/** A value as a block of JSON text. Throws a ToolResultError for a value that JSON cannot hold. */
export function jsonBlock(value: unknown): TextContent {
  return { type: 'text', text: encodeJson(value) };
}

/**
 * An image for the model. Its type is read from the bytes. PNG, JPEG, GIF and WebP are accepted. Any other type throws a
 * ToolResultError, because the API would end the conversation.
 */
export function image(data: BinaryData, mimeType?: string): ImageContent {
  const { base64, mimeType: declared } = readBinary(data, mimeType);
  const kind = findMimeTypeOfBase64(base64);
  if (kind === undefined || !isImageType(kind)) {
    const found = kind ?? (declared ? `${declared} (by its name; its bytes were not recognized)` : 'unknown');
    throw new ToolResultError(
      `An image of type ${found} cannot be sent to the model; convert it to PNG, JPEG, GIF or WebP, or return it as text or a resource`,
    );
  }
  return { type: 'image', data: base64, mimeType: kind };
}

/** Audio for the model. Without a `mimeType`, the type is read from the bytes. Throws a ToolResultError if it is not audio. */
export function audio(data: BinaryData, mimeType?: string): AudioContent {
  const { base64, mimeType: declared } = readBinary(data, mimeType);
  const kind = declared ?? findMimeTypeOfBase64(base64);
  if (!kind?.startsWith('audio/')) {
    throw new ToolResultError(
      `The type of the audio is ${kind ?? 'unknown'}; pass one that begins with "audio/" as the second argument`,
    );
  }
  return { type: 'audio', data: base64, mimeType: kind };
}

/** A resource with its contents: `text`, or `data` as bytes or base64. */
export function resource(
  contents: { uri: string; mimeType?: string } & ({ text: string } | { data: BinaryData }),
): EmbeddedResource {
  const { uri, mimeType } = contents;
  if ('text' in contents) {
    return { type: 'resource', resource: { uri, ...(mimeType ? { mimeType } : {}), text: contents.text } };
  }
  const { base64, mimeType: declared } = readBinary(contents.data, mimeType);
  const kind = declared ?? findMimeTypeOfBase64(base64);
  return { type: 'resource', resource: { uri, mimeType: kind ?? 'application/octet-stream', blob: base64 } };
}

/** A failed result. The model reads the text, or the message and causes of an Error, and may try something else. */
export function errorResult(failure: unknown): CallToolResult {
  return { content: [{ type: 'text', text: describeFailure(failure) }], isError: true };
}

function readBinary(data: BinaryData, mimeType: string | undefined): { base64: string; mimeType?: string } {
  if (typeof data !== 'string') {
    const bytes = data instanceof ArrayBuffer ? Buffer.from(data) : toBuffer(data);
    if (bytes.length === 0) throw new ToolResultError('The binary data is empty');
    return { base64: bytes.toString('base64'), mimeType: mimeType || undefined };
  }
  const url = /^data:([^;,]*)(?:;[^,]*)?;base64,/.exec(data);
  const base64 = url ? data.slice(url[0].length) : data;
  if (!isBase64(base64)) {
    throw new ToolResultError('The binary data is a string that is not base64; pass the bytes themselves');
  }
  return { base64, mimeType: (mimeType ?? url?.[1]) || undefined };
}

/** The same bytes as a Buffer, without copying them. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
