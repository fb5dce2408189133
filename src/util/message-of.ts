// Text for any value that was thrown or returned. It never throws: the caller is about to report an error, and the report
// must not fail over its own text.

/** The message of an error, or any other value as text. */
export function messageOf(value: unknown): string {
  if (value instanceof Error) return value.message || value.name;
  try {
    return String(value);
  } catch {
    // Such as an object without a prototype.
    return 'something that has no text';
  }
}
