// The shape of the time options that both sides of a link share, and the words of the errors about them.
import { shape } from '@inboard/core/util/option-shapes.js';

/** How long a link may be silent, or take to be made. */
export const LINK_MS = shape(
  'a number of milliseconds from 100 to 600000',
  (value) => (value as number) >= 100 && (value as number) <= 600_000,
);

/** The end of a sentence that quotes the given value. */
export const quoteGiven = (value: unknown): string => `; it is ${String(value)}.`;
