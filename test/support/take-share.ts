// Chooses a share of what has names by a seed: each name by itself, so that a new one does not change what becomes of the others.
import { createHash } from 'node:crypto';

/** About so many of a hundred, in their order, and never none. */
export function takeShare(names: readonly string[], percent: number, seed: number): string[] {
  const placeOf = (name: string): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  const taken = names.filter((name) => Number.parseInt(placeOf(name).slice(0, 2), 16) * 100 < percent * 256);
  if (taken.length > 0) return taken;
  return names.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other))).slice(0, 1);
}
