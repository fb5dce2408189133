// Makes text of values of any kind, for messages to people.
import { stringifyDeep } from './deep-json.js';

/** The message of an error, or any other value as text. Never throws, because a report must not fail over its text. */
export function messageOf(value: unknown): string {
  try {
    // A thrown value may be anything. It may even be an error whose message is not a text, or is a getter that throws.
    if (value instanceof Error) {
      const text: unknown = value.message || value.name;
      return String(text);
    }
    return String(value);
  } catch {
    // An object without a prototype, for example, cannot be made a string.
    return 'something unprintable';
  }
}

/** The `code` of an error, as errors of the system have it; empty if there is none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

const DEEPEST_CAUSE = 5;

/**
 * What the first cause of an error says, with its code; empty if it has none. A refused connection may have a code and no message.
 * Never throws.
 */
export function causeTextOf(error: unknown): string {
  try {
    let first: unknown = error;
    for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
      const { cause } = (first ?? {}) as { cause?: unknown };
      if (cause === undefined || cause === null) break;
      first = cause;
    }
    if (first === error) return '';
    const code = codeOf(first);
    if (code !== '' && first instanceof Error && !first.message) return code;
    const text = messageOf(first);
    return text.includes(code) ? text : `${code} ${text}`;
  } catch {
    return '';
  }
}

/** A string unchanged, and any other value as JSON; empty if JSON cannot hold the value. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyDeep(value) ?? '');
}

/** A number with its noun, as in `1 tool` and `3 tools`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
