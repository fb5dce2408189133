// Makes text of values of any kind, for messages to people.
import { stringifyDeep } from './deep-json.js';

/** The message of an error, or any other value as text. Never throws: a report must not fail over its own text. */
export function messageOf(value: unknown): string {
  try {
    // A thrown value may be anything, also an error whose message is no text, or a getter that throws.
    if (value instanceof Error) {
      const text: unknown = value.message || value.name;
      return String(text);
    }
    return String(value);
  } catch {
    // For example an object without a prototype.
    return 'something unprintable';
  }
}

/** The code of an error of the system; empty for others. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** A string unchanged, any other value as JSON; empty where JSON has no text for it. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyDeep(value) ?? '');
}

/** A number with its noun, as in `1 tool` and `3 tools`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
