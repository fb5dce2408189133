// Computes the pause before another attempt. The pause doubles each time, up to a limit. It can be varied at random,
// so that many callers do not try again at the same time.
import { randomness } from './system/randomness.js';

/** How long to pause before retries. */
export interface Pauses {
  /** Milliseconds before the first retry. */
  readonly firstMs: number;
  /** The longest pause in milliseconds, before it is varied. */
  readonly longestMs: number;
  /** A pause is chosen at random between these two fractions of it. Without them it is not varied. */
  readonly between?: readonly [least: number, most: number];
}

/** A source of randomness, from 0 to 1. */
export type Random = () => number;

// A higher power of two would be Infinity. No real pause doubles so often.
const MOST_DOUBLINGS = 1023;

/** Milliseconds before a retry. Retries are counted from 0. */
export function pauseBefore(retry: number, pauses: Pauses, random?: Random): number {
  const { firstMs, longestMs, between } = pauses;
  const ms = Math.min(firstMs * 2 ** Math.min(retry, MOST_DOUBLINGS), longestMs);
  return between === undefined ? ms : varyPause(ms, between, random);
}

/** A random pause between two fractions of a given pause. */
export function varyPause(
  ms: number,
  [least, most]: readonly [least: number, most: number],
  random: Random = () => randomness.number(),
): number {
  return ms * (least + (most - least) * random());
}

/** The pauses of an action that is tried until it succeeds. */
export class BackOff {
  readonly #pauses: Pauses;
  readonly #random: Random | undefined;
  #retries = 0;

  constructor(pauses: Pauses, random?: Random) {
    this.#pauses = pauses;
    this.#random = random;
  }

  /** Milliseconds before the next retry. The pause of the following call is longer, up to the limit. */
  next(): number {
    this.#retries += 1;
    return pauseBefore(this.#retries - 1, this.#pauses, this.#random);
  }

  /** Notes a success. The next pause is as short as the first one again. */
  reset(): void {
    this.#retries = 0;
  }
}
