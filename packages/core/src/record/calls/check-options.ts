// Checks the options of records and claims, for every implementation.
import { filledText, inWords, notGiven, path, requireShape, shape } from '../../util/option-shapes.js';

/** The longest time that a claim may last without renewal. A claim that its process forgets must not last forever. */
const MAX_TTL_MS = 24 * 60 * 60 * 1000;

const TTL = shape(
  `more than 0 and at most ${MAX_TTL_MS} (a day), in milliseconds`,
  (value) => typeof value === 'number' && value > 0 && value <= MAX_TTL_MS,
);
const FOLDER = inWords('a path, as in createFileCallRecords({ folder }): the folder of one session', path);

/** Returns the owner and the time of a claim. Throws an InvalidOptionsError when one of them is not allowed. */
export function checkClaimOptions(options: { owner: string; ttlMs: number }): {
  owner: string;
  ttlMs: number;
} {
  const { owner, ttlMs } = options;
  requireShape('owner', owner, filledText, { called: 'The owner of a claim' });
  requireShape('ttlMs', ttlMs, TTL, { called: 'ttlMs of a claim', end: notGiven });
  return { owner, ttlMs };
}

/** Throws an InvalidOptionsError when the options name no folder. */
export function checkCallsFolder(options: unknown): void {
  const { folder } = (options ?? {}) as { folder?: unknown };
  requireShape('folder', folder, FOLDER, { called: 'folder' });
}
