// Width and height of an image, read from its header.

/** The size in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** The size, or undefined if it cannot be found in the header or the type is none of these four. */
export function readImageSize(bytes: Buffer, mimeType: string | undefined): ImageSize | undefined {
  switch (mimeType) {
    case 'image/png':
      return bytes.length < 24 ? undefined : toSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
    case 'image/gif':
      return bytes.length < 10 ? undefined : toSize(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
    case 'image/webp':
      return readWebp(bytes);
    case 'image/jpeg':
      return readJpeg(bytes);
    default:
      return undefined;
  }
}

function toSize(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function readWebp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return toSize(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'VP8 ':
      return toSize(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return toSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return undefined;
  }
}

function readJpeg(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    // Any number of fill bytes (0xff) may come before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameStart(marker)) return toSize(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

// The three excluded markers of this range begin no frame, and have no size.
function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
