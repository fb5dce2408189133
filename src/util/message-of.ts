// Text for whatever was thrown or returned. It never throws: whoever asks is about to send an answer, and the answer
// must not be lost over its wording.

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
