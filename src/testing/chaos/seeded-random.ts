// Random numbers that are the same for the same seed, everywhere.

/** Gives numbers from 0 up to 1, evenly spread; the parts of the seed are mixed. */
export function createRandom(...seed: readonly number[]): () => number {
  let state = seed.reduce((mixed, part) => Math.imul(mixed ^ (part | 0), 0x9e37_79b1) + 0x7f4a_7c15, 1) | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
