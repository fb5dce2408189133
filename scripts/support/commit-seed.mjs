// The seed by which long matrices are sampled: made of the commit, so that the same commit runs the same sample anywhere, and
// the next one another.
import { execFileSync } from 'node:child_process';

/** Of a copy without its history. */
const FIXED_SEED = 20_261_115;

/** The seed that was given, as text, or that of the commit of a folder. Throws for what is no whole number. */
export function readCommitSeed(given, folder) {
  if (given !== undefined) {
    const seed = Number(given);
    if (!Number.isSafeInteger(seed)) throw new TypeError(`A seed is a whole number, not ${given}`);
    return seed;
  }
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.toString().slice(0, 8), 16);
  } catch {
    return FIXED_SEED;
  }
}
