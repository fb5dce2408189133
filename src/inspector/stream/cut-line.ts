// Shortens an encoded event for the page: long texts are cut, and an event that is long all the same is told by its beginning.
// The whole can be asked for by its number.
import { isRecord } from '../../util/guards.js';

/** Characters of a text that a page gets. */
const MAX_TEXT = 8_000;
/** Characters of base64 of an image that a page gets: 256 kB of it. */
const MAX_IMAGE = Math.ceil((256 * 1024 * 4) / 3);
/** Characters of an event that a page gets, images not counted. */
const MAX_LINE = 512_000;
const HEAD = 2_048;

/** The line as a page gets it: the same where nothing is too long, else with `isCut`. */
export function cutLine(line: string): string {
  if (line.length <= MAX_TEXT) return line;
  const value = JSON.parse(line) as Record<string, unknown>;
  const images = { characters: 0 };
  let short: unknown;
  try {
    short = cutValue(value, false, images);
  } catch {
    // Nested too deeply to be walked through.
    return tellBeginning({ ...value, isCut: true }, line);
  }
  if (short === value && line.length - images.characters <= MAX_LINE) return line;
  const cut = { ...(short as object), isCut: true };
  const text = JSON.stringify(cut);
  return text.length - images.characters <= MAX_LINE ? text : tellBeginning(cut, line);
}

/** A frame as the trace tells one that was too long to be recorded; any other event without what is in it. */
function tellBeginning(event: Record<string, unknown>, line: string): string {
  const { n, s, isCut, type, t, dir } = event;
  const truncated = { bytes: line.length, head: line.slice(0, HEAD) };
  return JSON.stringify({ n, s, isCut, type, t, dir, truncated });
}

/** The value with its long texts cut; the same object where there are none. */
function cutValue(value: unknown, isImage: boolean, images: { characters: number }): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_TEXT) return value;
    if (!isImage) return cutText(value);
    // Part of an image is none.
    if (value.length > MAX_IMAGE) return '';
    images.characters += value.length;
    return value;
  }
  if (Array.isArray(value)) return cutList(value, images);
  return isRecord(value) ? cutFields(value, images) : value;
}

function cutList(list: readonly unknown[], images: { characters: number }): readonly unknown[] {
  const short = list.map((item) => cutValue(item, false, images));
  return short.some((item, index) => item !== list[index]) ? short : list;
}

function cutFields(fields: Record<string, unknown>, images: { characters: number }): Record<string, unknown> {
  const holdsImage = typeof (fields['media_type'] ?? fields['mimeType']) === 'string';
  let isChanged = false;
  const entries = Object.entries(fields).map(([name, value]) => {
    const short = cutValue(value, holdsImage && name === 'data', images);
    isChanged ||= short !== value;
    return [name, short] as const;
  });
  return isChanged ? Object.fromEntries(entries) : fields;
}

/** Not in the middle of a character. */
function cutText(text: string): string {
  const last = text.charCodeAt(MAX_TEXT - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? MAX_TEXT - 1 : MAX_TEXT);
}
