// Media types recognized by the first bytes of the data, and whether a string really is base64.

// Each signature is a list of [offset, text of the bytes in latin1].
const SIGNATURES: readonly { mimeType: string; parts: readonly [number, string][] }[] = [
  { mimeType: 'image/png', parts: [[0, '\x89PNG\r\n\x1a\n']] },
  { mimeType: 'image/jpeg', parts: [[0, '\xff\xd8\xff']] },
  { mimeType: 'image/gif', parts: [[0, 'GIF87a']] },
  { mimeType: 'image/gif', parts: [[0, 'GIF89a']] },
  {
    mimeType: 'image/webp',
    parts: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  {
    mimeType: 'image/bmp',
    parts: [
      [0, 'BM'],
      [6, '\0\0\0\0'],
    ],
  },
  { mimeType: 'image/tiff', parts: [[0, 'II*\0']] },
  { mimeType: 'image/tiff', parts: [[0, 'MM\0*']] },
  { mimeType: 'image/x-icon', parts: [[0, '\0\0\x01\0']] },
  { mimeType: 'image/avif', parts: [[4, 'ftypavif']] },
  { mimeType: 'image/heic', parts: [[4, 'ftypheic']] },
  {
    mimeType: 'audio/wav',
    parts: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  },
  { mimeType: 'audio/mpeg', parts: [[0, 'ID3']] },
  { mimeType: 'audio/mpeg', parts: [[0, '\xff\xfb']] },
  { mimeType: 'audio/ogg', parts: [[0, 'OggS']] },
  { mimeType: 'audio/flac', parts: [[0, 'fLaC']] },
  { mimeType: 'application/pdf', parts: [[0, '%PDF']] },
  { mimeType: 'application/zip', parts: [[0, 'PK\x03\x04']] },
];

// Enough for every signature, and for an XML declaration before an SVG's root.
const HEAD_BYTES = 300;

const SVG_START = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i;

/** The image types the Messages API takes; any other ends the conversation with a 400. */
export const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The media type of some bytes, or undefined when their beginning is not known. */
export function findMimeType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  for (const { mimeType, parts } of SIGNATURES) {
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
