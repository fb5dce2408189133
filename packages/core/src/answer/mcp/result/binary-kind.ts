// Recognizes media types by the first bytes of the data, and base64 by its characters.
import type { ImageMediaType } from '../../../wire/protocol/api/api-input-blocks.js';

// Each part is an offset and the bytes that are there, as latin1 text.
const SIGNATURES: readonly [mimeType: string, ...parts: [offset: number, bytes: string][]][] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/x-icon', [0, '\0\0\x01\0']],
  ['image/avif', [4, 'ftypavif']],
  ['image/heic', [4, 'ftypheic']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/flac', [0, 'fLaC']],
  ['application/pdf', [0, '%PDF']],
  ['application/zip', [0, 'PK\x03\x04']],
];

// Enough for every signature, and for an XML declaration before an SVG's root.
const HEAD_BYTES = 300;

const SVG_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i;

/** The image types that the Messages API takes. For any other type it ends the conversation with the status 400. */
export const IMAGE_TYPES: readonly ImageMediaType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Whether an image of this media type can be sent to the model. */
export function isImageType(mimeType: string): mimeType is ImageMediaType {
  return (IMAGE_TYPES as readonly string[]).includes(mimeType);
}

/** The media type of some bytes, or undefined when their beginning is not known. */
export function findMimeType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  for (const [mimeType, ...parts] of SIGNATURES) {
    if (parts.every(([offset, wanted]) => head.startsWith(wanted, offset))) return mimeType;
  }
  return SVG_START.test(head) ? 'image/svg+xml' : undefined;
}

/** The media type of base64 data; decodes only its beginning. */
export function findMimeTypeOfBase64(data: string): string | undefined {
  return findMimeType(Buffer.from(data.slice(0, HEAD_BYTES * 2), 'base64'));
}

/** Whether a string is non-empty, padded, standard base64. */
export function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
