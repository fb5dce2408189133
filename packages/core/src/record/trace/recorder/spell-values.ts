// The spellings in which a known secret may occur in a text.

const MIN_VALUE_LENGTH = 4;

/**
 * The values, each also in its JSON, URL and base64 spelling. The longest come first, because a long one may contain a
 * short one.
 */
export function spellValues(values: readonly string[]): string[] {
  const long = values.filter((value) => value.length >= MIN_VALUE_LENGTH);
  return [...new Set(long.flatMap(spell))].sort((one, other) => other.length - one.length);
}

function spell(value: string): string[] {
  // Base64 of a text that begins with the value: its last characters depend on what follows, so only whole groups count.
  const bytes = Buffer.from(value);
  const inBase64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  const spellings = [value, JSON.stringify(value).slice(1, -1), ...(inBase64.length >= 12 ? [inBase64] : [])];
  try {
    return [...spellings, encodeURIComponent(value)];
  } catch {
    // Half a character has no spelling in a URL.
    return spellings;
  }
}
