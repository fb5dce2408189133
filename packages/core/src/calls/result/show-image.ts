// An image of a result, as blocks for the model. The CLI encodes large images anew, which cannot be repeated here: what the API takes
// is shown as it is, the rest is saved. An image that the API refuses would end the conversation for good, with every later request.
import { findMimeType, isImageType } from '../../answer/mcp/result/binary-kind.js';
import type { CliRules } from './cli-rules.js';
import { describeSize } from './cut-text.js';
import { readImageSize, type ImageSize } from './image-size.js';
import { plainType, type ResultFiles } from './result-files.js';
import type { ShownBlock } from './shown-result.js';

/** What binary content needs to be shown. */
export interface BinaryContext {
  rules: CliRules;
  files: ResultFiles;
}

/** Base64 data and what it is said to be. */
export interface Binary {
  data: string;
  mimeType: string | undefined;
}

// What the API takes in any request: 5 MB of base64, and 2000 pixels where a conversation has many images.
const API_BYTES = 3_932_160;
const API_PIXELS = 2000;

// 2.1.325 makes an image smaller that has more than this many squares of 28 pixels: 69 by 69 were seen whole, 70 by 69 were not.
const SQUARE_PIXELS = 28;
const MOST_SQUARES = 69 * 69;

const UNREADABLE =
  'Unable to resize image — image processing is unavailable and dimensions could not be read from the file header. ' +
  'Please convert the image to PNG, JPEG, GIF, or WebP.';

/** Whether an image of this type is meant to be seen; the older CLI takes a type only as it is written. */
export function isShowable(mimeType: string | undefined, { isNew }: CliRules): boolean {
  if (!isNew) return isImageType(mimeType ?? '');
  const plain = plainType(mimeType);
  return plain === 'image/jpg' || isImageType(plain);
}

/** The blocks for an image. `introduction` begins the text where it cannot be shown. */
export function showImage(image: Binary, introduction: string, context: BinaryContext): ShownBlock[] {
  const bytes = Buffer.from(image.data, 'base64');
  const found = findMimeType(bytes);
  const mediaType = found !== undefined && isImageType(found) ? found : undefined;
  return context.rules.isNew
    ? showNew(image, { bytes, mediaType, introduction }, context)
    : showOld(image, { bytes, mediaType, introduction }, context);
}

/** The text for binary content that the model cannot see: where it was saved. */
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
  // The order of fields is this CLI's.
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
