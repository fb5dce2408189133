// Words for whatever somebody threw or returned. It never fails, because those who ask are about to answer, and an
// answer must not be lost over its wording.

/** An error's message, or the value as a text. */
export function textOfAnything(value: unknown): string {
  if (value instanceof Error) return value.message || value.name;
  try {
    return String(value);
  } catch {
    // Such as an object without a prototype.
    return 'something that has no text';
  }
}
