// Finds values in raw transcript text without parsing it. In raw text each byte of the file is one character. Decoding
// all of the text would take a third of the time of a list of sessions, and raw text is searched several times faster.
// The searched names are ASCII. The first and the last line of the text may be cut, and one line can be longer than the
// part of the file that was read.
import { parseRecord } from '../../../util/guards.js';

/** Bytes as raw text. */
export function toRawText(bytes: Buffer, start = 0, end = bytes.length): string {
  return bytes.toString('latin1', start, end);
}

/** The decoded text of a part of raw text. */
function decodeRaw(raw: string): string {
  return Buffer.from(raw, 'latin1').toString('utf8');
}

/** The object in a line of raw text; undefined if the line is not a JSON object. */
export function parseRawRecord(line: string): Record<string, unknown> | undefined {
  return parseRecord(decodeRaw(line));
}

/** The lines of a text, one at a time, because most callers need only the first few. */
export function* listLines(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

/** The first value of a field, at any depth. Fields written without a space after the colon are searched first. */
export function findFirstString(text: string, field: string): string | undefined {
  // If the field is missing, the text is then searched only once, and not once for each spelling.
  if (!text.includes(`"${field}":`)) return undefined;
  for (const pattern of [`"${field}":"`, `"${field}": "`]) {
    for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + pattern.length)) {
      const value = readString(text, at + pattern.length);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** The last value of a field, at any depth. */
export function findLastString(text: string, field: string): string | undefined {
  const [tight, spaced] = [`"${field}":"`, `"${field}": "`];
  for (let end = text.length; ;) {
    let at = text.lastIndexOf(tight, end);
    let start = at + tight.length;
    // A field with a space counts only if it comes later. So the text before `at` need not be searched.
    for (let later = text.indexOf(spaced, at + 1); later !== -1 && later <= end;) {
      [at, start] = [later, later + spaced.length];
      later = text.indexOf(spaced, later + 1);
    }
    if (at === -1) return undefined;
    const value = readString(text, start);
    if (value !== undefined) return value;
    if (at === 0) return undefined;
    end = at - 1;
  }
}

/** Whether a field is true anywhere in the text. */
export function hasTrue(text: string, field: string): boolean {
  return text.includes(`"${field}":true`) || text.includes(`"${field}": true`);
}

/** Whether the text has an object of this type. */
export function hasType(text: string, type: string): boolean {
  return text.includes(`"type":"${type}"`) || text.includes(`"type": "${type}"`);
}

// The string that begins at `start`; undefined when the text ends inside it.
function readString(text: string, start: number): string | undefined {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return undefined;
  // Decoding also makes a copy. A mere slice would keep the whole text in memory for as long as the slice is used.
  const value = decodeRaw(text.slice(start, end));
  if (!value.includes('\\')) return value;
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    return value;
  }
}
