// The list of what a turn can wait for. It belongs to the contract in `journal.ts`.
import type { TurnWait } from './records.js';

const COUNTS: Record<TurnWait, true> = {
  place: true,
  budget: true,
  answer: true,
  time: true,
  pause: true,
  lease: true,
};

/** All reasons, in the order in which they are shown. */
export const WAIT_REASONS = Object.keys(COUNTS) as readonly TurnWait[];

/** A count of 0 for each reason. */
export function countNoWaits(): Record<TurnWait, number> {
  return { place: 0, budget: 0, answer: 0, time: 0, pause: 0, lease: 0 };
}
