// Checks the options of records and claims, for every implementation.
import { InvalidOptionsError } from '../../errors.js';

/** The longest time of a claim. A claim that its process forgets must not last forever. */
const MAX_TTL_MS = 24 * 60 * 60 * 1000;

/** Returns the options. Throws an InvalidOptionsError for values that make no sense. */
export function checkClaimOptions(options: { owner: string; ttlMs: number }): {
  owner: string;
  ttlMs: number;
} {
  const { owner, ttlMs } = options;
  if (typeof owner !== 'string' || owner === '')
    throw new InvalidOptionsError(['owner'], 'The owner of a claim must be a string that is not empty');
  if (!(typeof ttlMs === 'number' && ttlMs > 0 && ttlMs <= MAX_TTL_MS))
    throw new InvalidOptionsError(
      ['ttlMs'],
      `ttlMs of a claim must be more than 0 and at most ${MAX_TTL_MS} (a day), in milliseconds, not ${String(ttlMs)}`,
    );
  return { owner, ttlMs };
}

/** Throws an InvalidOptionsError where no folder is named. */
export function checkCallsFolder(options: unknown): void {
  const { folder } = (options ?? {}) as { folder?: unknown };
  if (typeof folder === 'string' && folder !== '') return;
  throw new InvalidOptionsError(
    ['folder'],
    'folder must be a path, as in createFileCallRecords({ folder }): the folder of one session',
  );
}
