// Scales of charts: round steps from zero, and groups of values if there are more than can be drawn.

/** From 0 to `top`, with a tick at each step. */
export interface Scale {
  top: number;
  ticks: number[];
}

/** A scale up to at least `largest`, with about `steps` steps of 1, 2 or 5 times a power of ten. */
export function makeScale(largest: number, steps = 3): Scale {
  if (!(largest > 0)) return { top: 1, ticks: [0] };
  const least = largest / steps;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10) * power;
  const count = Math.ceil(largest / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
  return { top: count * step, ticks };
}

/** Neighbouring items that are drawn as one. */
export interface Bucket<Item> {
  /** The places of the first and the last, from 0. */
  first: number;
  last: number;
  items: readonly Item[];
}

/** The items in at most `most` groups. The groups have the same size, but the last may be smaller. */
export function bucket<Item>(items: readonly Item[], most: number): Bucket<Item>[] {
  const size = Math.max(1, Math.ceil(items.length / most));
  const buckets: Bucket<Item>[] = [];
  for (let first = 0; first < items.length; first += size) {
    const last = Math.min(first + size, items.length) - 1;
    buckets.push({ first, last, items: items.slice(first, last + 1) });
  }
  return buckets;
}
