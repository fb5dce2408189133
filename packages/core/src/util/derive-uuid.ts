// Makes UUIDs that follow from a text, for names that must be the same each time they are made.
import { digest } from './digest.js';

/** A UUID of version 8, which leaves the choice of the digits to the program. It is the same for the same text. */
export function deriveUuid(text: string): string {
  const digits = digest(text);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
