// The shares of time in percent, so that they add up to 100 where they are listed below each other.
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
import { formatShare } from '../format.js';
import { SHARE_KINDS } from '../share-words.js';

/** Each share as `formatShare` writes it, but what rounding adds goes to the largest, where it is seen least. `<1 %` counts as nothing. */
export function percentsOf(shares: TimeShares): Record<keyof TimeShares, string> {
  const whole = SHARE_KINDS.reduce((sum, { key }) => sum + shares[key], 0);
  const texts = {} as Record<keyof TimeShares, string>;
  let left = 100;
  let largest: keyof TimeShares = 'model';
  for (const { key } of SHARE_KINDS) {
    texts[key] = formatShare(shares[key], whole);
    if (shares[key] > shares[largest]) largest = key;
  }
  for (const { key } of SHARE_KINDS) if (key !== largest) left -= Number.parseInt(texts[key], 10) || 0;
  if (whole > 0) texts[largest] = `${left} %`;
  return texts;
}
