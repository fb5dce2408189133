// Finds where texts, templates, regular expressions and comments end. It uses loops, because a regular expression can run
// out of stack in a text of megabytes.

/** Where a text, template, regular expression or comment ends, and whether it was closed. */
export interface Scanned {
  end: number;
  isClosed: boolean;
}

const isLineEnd = (character: string | undefined): boolean =>
  character === '\n' || character === '\r' || character === '\u2028' || character === '\u2029';

/** Scans a text in quotes. Without a closing quote it ends, unclosed, at the end of its line. */
export function scanString(source: string, start: number): Scanned {
  const quote = source[start];
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') {
      // A backslash before "\r\n" escapes both characters.
      at += source[at + 1] === '\r' && source[at + 2] === '\n' ? 2 : 1;
    } else if (character === quote) return { end: at + 1, isClosed: true };
    else if (character === '\n' || character === '\r') return { end: at, isClosed: false };
  }
  return { end: source.length, isClosed: false };
}

/** Scans the text of a JSX attribute, which has no escapes and may have several lines. */
export function scanAttribute(source: string, start: number): Scanned {
  const end = source.indexOf(source[start] ?? '', start + 1);
  return end < 0 ? { end: source.length, isClosed: false } : { end: end + 1, isClosed: true };
}

/**
 * Scans a piece of a template, from a backtick or `}` to a backtick or `${`. `isOver` says that the template ends with
 * it.
 */
export function scanTemplate(source: string, start: number): Scanned & { isOver: boolean } {
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '`') return { end: at + 1, isClosed: true, isOver: true };
    else if (character === '$' && source[at + 1] === '{')
      return { end: at + 2, isClosed: true, isOver: false };
  }
  return { end: source.length, isClosed: false, isOver: true };
}

/**
 * Scans a regular expression with its flags. If it is not closed, it is no regular expression, and `end` is the end of
 * its line.
 */
export function scanRegex(source: string, start: number): Scanned {
  let isInClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const isEscaped = source[at] === '\\';
    if (isEscaped) at += 1;
    const character = source[at];
    if (isLineEnd(character)) return { end: at, isClosed: false };
    if (isEscaped) continue;
    if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) {
      let end = at + 1;
      while (/[a-z]/i.test(source[end] ?? '')) end += 1;
      return { end, isClosed: true };
    }
  }
  return { end: source.length, isClosed: false };
}

/** Scans a comment of either kind, or a first line that begins with `#!`. Undefined if there is none at `start`. */
export function scanComment(source: string, start: number): Scanned | undefined {
  if (source.startsWith('/*', start)) {
    const end = source.indexOf('*/', start + 2);
    return end < 0 ? { end: source.length, isClosed: false } : { end: end + 2, isClosed: true };
  }
  if (!source.startsWith('//', start) && !(start === 0 && source.startsWith('#!'))) return undefined;
  let end = start;
  while (end < source.length && !isLineEnd(source[end])) end += 1;
  return { end, isClosed: true };
}
