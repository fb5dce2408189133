// The spellings in which a known secret may stand in a text.

const MIN_VALUE_LENGTH = 4;

/** The values, each also as JSON, URLs and base64 spell it; the longest first, as a long one may hold a short one. */
export function spellValues(values: readonly string[]): string[] {
  const long = values.filter((value) => value.length >= MIN_VALUE_LENGTH);
  return [...new Set(long.flatMap(spell))].sort((one, other) => other.length - one.length);
}

function spell(value: string): string[] {
  // Of the text that begins with it: the last character depends on what follows, so that only whole groups are sure.
  const bytes = Buffer.from(value);
  const inBase64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  const spellings = [value, JSON.stringify(value).slice(1, -1), ...(inBase64.length >= 12 ? [inBase64] : [])];
  try {
    return [...spellings, encodeURIComponent(value)];
  } catch {
    // Half a character has no form in a URL.
    return spellings;
  }
}
