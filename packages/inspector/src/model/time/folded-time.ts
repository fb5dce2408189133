// Converts times to places on an axis on which long idle stretches may be folded, and back. Places are in milliseconds too,
// so that without folds they equal the times.
import { findFirst } from './lane-search.js';
import type { Stretch } from './time-span.js';

/** Idle stretches that are longer than this may be folded. */
const FOLDED_FROM_MS = 30_000;
/** The drawn length of a fold is at most this share of the length of everything else. */
const FOLD_SHARE = 0.03;

/** A stretch that is folded, and where it is drawn. */
export interface Fold {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** Converts times to places and back. A later time never has an earlier place. */
export class FoldedTime {
  readonly folds: readonly Fold[];
  readonly length: number;

  /** The stretches in `folded` must be in order and must not overlap. */
  constructor(durationMs: number, folded: readonly Pick<Stretch, 'start' | 'end'>[] = []) {
    const hidden = folded.reduce((sum, { start, end }) => sum + end - start, 0);
    const width = Math.max(1, (durationMs - hidden) * FOLD_SHARE);
    let gained = 0;
    this.folds = folded.map(({ start, end }) => {
      const from = start - gained;
      const to = from + Math.min(width, end - start);
      gained = end - to;
      return { start, end, from, to };
    });
    this.length = durationMs - gained;
  }

  toPlace(t: number): number {
    const index = findFirst(this.folds, t, ({ start }) => start) - 1;
    const fold = this.folds[index];
    if (!fold) return t;
    if (t >= fold.end) return fold.to + (t - fold.end);
    return fold.from + ((t - fold.start) / (fold.end - fold.start)) * (fold.to - fold.from);
  }

  toTime(place: number): number {
    const index = findFirst(this.folds, place, ({ from }) => from) - 1;
    const fold = this.folds[index];
    if (!fold) return place;
    if (place >= fold.to) return fold.end + (place - fold.to);
    return fold.start + ((place - fold.from) / (fold.to - fold.from)) * (fold.end - fold.start);
  }
}

/** The idle stretches that are long enough to be folded. */
export function findLongIdle(stretches: readonly Stretch[]): Stretch[] {
  return stretches.filter(({ share, start, end }) => share === 'idle' && end - start > FOLDED_FROM_MS);
}
