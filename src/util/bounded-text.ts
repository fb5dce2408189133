// Foreign text in messages of ours: long enough to recognize it, never so long that it buries the message.

/** How much of a name that somebody else chose is quoted. */
const QUOTED_CHARACTERS = 200;

/** A text cut to so many characters, followed by how many were left out. */
export function boundText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Half of a character must not be left over.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(characters - 1));
  const kept = text.slice(0, isHalf ? characters - 1 : characters);
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** A value that somebody else chose, in quotes where it is a text, and bounded. */
export function quoteInput(value: unknown): string {
  if (typeof value === 'string') return `"${boundText(value, QUOTED_CHARACTERS)}"`;
  return boundText(JSON.stringify(value) ?? typeof value, QUOTED_CHARACTERS);
}
