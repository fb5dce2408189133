// Compares a token with those that are known, in a time that says nothing about where they differ.
import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether the token is one of the known ones. All of them are compared, whichever fits. */
export function isKnownToken(known: readonly string[], given: string | undefined): boolean {
  const offered = digest(given ?? '');
  let isKnown = false;
  for (const token of known) {
    if (timingSafeEqual(digest(token), offered)) isKnown = true;
  }
  return isKnown;
}

// Of one length, which the comparison needs, and so that the length of the token is no help either.
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
