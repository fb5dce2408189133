// What records and claims are asked for with, checked in one place for every implementation.
import { InvalidOptionsError } from '../../errors.js';

/** How long a claim may be asked for at once: one that its process forgets must not last for ever. */
const MAX_TTL_MS = 24 * 60 * 60 * 1000;

/** Gives the options back. Throws an InvalidOptionsError for what cannot be meant. */
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
