// Makes a uuid from a text, so that the same text always has the same uuid.
import { digest } from './digest.js';

/** A uuid of version 8: that version leaves the choice of the digits to the program. */
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
