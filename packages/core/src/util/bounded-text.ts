// Shortens foreign text for messages of this library. It stays long enough to be recognized, and does not hide the rest
// of the message.

/** The most characters of a foreign name that are quoted. */
const QUOTED_CHARACTERS = 200;

/** A text cut to `characters` characters, followed by the number of characters that were left out. */
export function boundText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const kept = keepStart(text, characters);
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** A text of at most `characters` characters. A cut text ends with "…". */
export function cutText(text: string, characters: number): string {
  return text.length > characters ? `${keepStart(text, characters - 1)}…` : text;
}

/** The start of a text as one line of at most `characters` characters. Only the start of a long text is read. */
export function toOneLine(text: string, characters: number): string {
  const start = text.slice(0, characters * 4);
  return cutText(start.replace(/\s+/g, ' ').trim(), characters);
}

/** A foreign value, shortened. A text is put in quotes. */
export function quoteInput(value: unknown): string {
  if (typeof value === 'string') return `"${boundText(value, QUOTED_CHARACTERS)}"`;
  return boundText(JSON.stringify(value) ?? typeof value, QUOTED_CHARACTERS);
}

/** The start of a text. It does not end with half of a surrogate pair. */
function keepStart(text: string, characters: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  return text.slice(0, isHalf ? characters - 1 : characters);
}
