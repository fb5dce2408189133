// Text for values of any kind, for messages to people.

/** The message of an error, or any other value as text. Never throws: a report must not fail over its own text. */
export function messageOf(value: unknown): string {
  if (value instanceof Error) return value.message || value.name;
  try {
    return String(value);
  } catch {
    // Such as an object without a prototype.
    return 'something that has no text';
  }
}

/** A string as it is, anything else as JSON; empty where JSON has no text for it. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A number with its noun, as in `1 tool` and `3 tools`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
