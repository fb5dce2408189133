// Foreign text in messages of ours: long enough to recognize it, never so long that it buries the message.

/** How much of a name that somebody else chose is quoted. */
const QUOTED_CHARACTERS = 200;

/** A text cut to so many characters, followed by how many were left out. */
export function boundText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const kept = keepStart(text, characters);
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** A text of at most so many characters; one that was cut ends with "…". */
export function cutText(text: string, characters: number): string {
  return text.length > characters ? `${keepStart(text, characters - 1)}…` : text;
}

/** The start of a text as one line of at most so many characters. Of a long text only the start is looked at. */
export function toOneLine(text: string, characters: number): string {
  const start = text.slice(0, characters * 4);
  return cutText(start.replace(/\s+/g, ' ').trim(), characters);
}

/** A value that somebody else chose, in quotes where it is a text, and bounded. */
export function quoteInput(value: unknown): string {
  if (typeof value === 'string') return `"${boundText(value, QUOTED_CHARACTERS)}"`;
  return boundText(JSON.stringify(value) ?? typeof value, QUOTED_CHARACTERS);
}

/** Half of a character must not be left over. */
function keepStart(text: string, characters: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return text.slice(0, isHalf ? characters - 1 : characters);
}
