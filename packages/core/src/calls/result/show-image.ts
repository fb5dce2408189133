// Converts an image of a result to blocks for the model. The CLI re-encodes large images, which is not possible here. So
// a large image is shown unchanged if the API accepts it. Otherwise it is only saved, because an image that the API
// refuses would make every later request of the conversation fail.
import { findMimeType, isImageType } from '../../answer/mcp/result/binary-kind.js';
import type { CliRules } from './cli-rules.js';
import { describeSize } from './cut-text.js';
import { readImageSize, type ImageSize } from './image-size.js';
import { plainType, type ResultFiles } from './result-files.js';
import type { ShownBlock } from './shown-result.js';

/** What is needed to show binary content. */
export interface BinaryContext {
  rules: CliRules;
  files: ResultFiles;
}

/** Base64 data and its declared type. */
export interface Binary {
  data: string;
  mimeType: string | undefined;
}

// The API accepts an image within these limits in any request. It takes 5 MB of base64, which encode this many bytes. In
// a conversation with many images it takes 2000 pixels on each side.
const API_BYTES = 3_932_160;
const API_PIXELS = 2000;

// CLI 2.1.325 shrinks an image that covers more squares of 28 by 28 pixels than this. It left an image of 69 by 69
// squares unchanged, and shrank one of 70 by 69.
const SQUARE_PIXELS = 28;
const MOST_SQUARES = 69 * 69;

const UNREADABLE =
  'Unable to resize image — image processing is unavailable and dimensions could not be read from the file header. ' +
  'Please convert the image to PNG, JPEG, GIF, or WebP.';

/** Whether content of this type is treated as an image. The older CLI recognizes a type only in its exact spelling. */
export function isShowable(mimeType: string | undefined, { isNew }: CliRules): boolean {
  if (!isNew) return isImageType(mimeType ?? '');
  const plain = plainType(mimeType);
  return plain === 'image/jpg' || isImageType(plain);
}

/** The blocks for an image. If the image is too large to be shown, `introduction` begins the text that replaces it. */
export function showImage(image: Binary, introduction: string, context: BinaryContext): ShownBlock[] {
  const bytes = Buffer.from(image.data, 'base64');
  const found = findMimeType(bytes);
  const mediaType = found !== undefined && isImageType(found) ? found : undefined;
  return context.rules.isNew
    ? showNew(image, { bytes, mediaType, introduction }, context)
    : showOld(image, { bytes, mediaType, introduction }, context);
}

/** The text for binary content that the model cannot see. It says where the content was saved, or that it was not. */
export function describeSaved(
  { mimeType }: Pick<Binary, 'mimeType'>,
  bytes: Buffer,
  { files }: BinaryContext,
): string {
  const path = files.saveBinary(bytes, mimeType);
  const facts = `Binary content (${mimeType || 'unknown type'}, ${describeSize(bytes.length)})`;
  return path === undefined
    ? `${facts} was not saved: this session keeps no files`
    : `${facts} saved to ${path}`;
}

interface ReadImage {
  bytes: Buffer;
  mediaType: string | undefined;
  introduction: string;
}

function showNew(
  { data, mimeType }: Binary,
  { bytes, mediaType, introduction }: ReadImage,
  context: BinaryContext,
): ShownBlock[] {
  const { files, rules } = context;
  const size = readImageSize(bytes, mediaType);
  if (mediaType === undefined || size === undefined) {
    const path = files.saveBinary(bytes, mediaType ?? mimeType);
    const reason = bytes.length === 0 ? 'Image file is empty (0 bytes)' : UNREADABLE;
    return [
      text(`[Image could not be processed: ${reason}]`),
      ...(path === undefined ? [] : [text(`[Image source: ${path}]`)]),
    ];
  }
  if (bytes.length > rules.imageBytes || isTooLarge(size)) {
    if (!isTakenByApi(bytes, size)) return [text(introduction + describeSaved({ mimeType }, bytes, context))];
  }
  const path = files.saveBinary(bytes, mediaType);
  const image: ShownBlock = { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
  return path === undefined ? [image] : [image, text(`[Image: source: ${path}]`)];
}

function showOld(
  { data, mimeType }: Binary,
  { bytes, mediaType = 'image/png', introduction }: ReadImage,
  context: BinaryContext,
): ShownBlock[] {
  if (bytes.length > context.rules.imageBytes) {
    return [text(introduction + describeSaved({ mimeType }, bytes, context))];
  }
  // The older CLI writes the fields in this order.
  return [{ type: 'image', source: { data, media_type: mediaType, type: 'base64' } }];
}

function isTooLarge({ width, height }: ImageSize): boolean {
  const squares = Math.ceil(width / SQUARE_PIXELS) * Math.ceil(height / SQUARE_PIXELS);
  return width > API_PIXELS || height > API_PIXELS || squares > MOST_SQUARES;
}

function isTakenByApi(bytes: Buffer, { width, height }: ImageSize): boolean {
  return bytes.length <= API_BYTES && width <= API_PIXELS && height <= API_PIXELS;
}

function text(words: string): ShownBlock {
  return { type: 'text', text: words };
}
