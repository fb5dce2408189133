// Compares a token with those that are known.
import { isSameSecret } from '@inboard/core/util/loopback-http.js';

/** Whether the token is one of the known ones. All of them are compared, whichever fits, so that the time it takes tells nothing. */
export function isKnownToken(known: readonly string[], given = ''): boolean {
  return known.filter((token) => isSameSecret(given, token)).length > 0;
}
