// Shows the shares of time as a thin bar, each in its colour. The label says the same in words.
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
import { describeShares, listShares } from '../../model/share-words.js';

export function ShareBar({ shares }: { shares: TimeShares }) {
  const parts = listShares(shares);
  return (
    <span class="share-bar" role="img" aria-label={`Time: ${describeShares(shares) || 'none yet'}`}>
      {parts.map(({ key, ms, tone }) => (
        <span key={key} class={`share-part tone-${tone}`} style={{ flexGrow: `${ms}` }} />
      ))}
    </span>
  );
}
