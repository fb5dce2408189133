// Chance that can be repeated: the same seed gives the same choices.

export interface Chance {
  /** At least 0, less than 1. */
  next: () => number;
  /** A whole number below the limit. */
  below: (limit: number) => number;
  pick: <Value>(from: readonly Value[]) => Value;
  /** The value, with that probability. */
  maybe: <Value>(probability: number, value: Value) => Value | undefined;
  list: <Value>(length: number, make: (index: number) => Value) => Value[];
}

/** Creates a source of chance. */
export function createChance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: <Value>(from: readonly Value[]) => from[below(from.length)] as Value,
    maybe: (probability, value) => (next() < probability ? value : undefined),
    list: (length, make) => Array.from({ length }, (_, index) => make(index)),
  };
}
