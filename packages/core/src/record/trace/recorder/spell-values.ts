// The spellings in which a known secret may occur in a text.

const MIN_VALUE_LENGTH = 4;

/**
 * The values, each also as it is written in JSON, in a URL and in Base64. The longest come first, because a long text
 * may contain a short one.
 */
export function spellValues(values: readonly string[]): string[] {
  const long = values.filter((value) => value.length >= MIN_VALUE_LENGTH);
  return [...new Set(long.flatMap(spell))].sort((one, other) => other.length - one.length);
}

function spell(value: string): string[] {
  // In Base64 of a longer text that begins with the value, the last characters depend on what follows the value. So only
  // whole groups of three bytes count.
  const bytes = Buffer.from(value);
  const inBase64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  const spellings = [value, JSON.stringify(value).slice(1, -1), ...(inBase64.length >= 12 ? [inBase64] : [])];
  try {
    return [...spellings, encodeURIComponent(value)];
  } catch {
    // The value has half of a surrogate pair, which cannot be written in a URL.
    return spellings;
  }
}
