// Where the time of a session went, as a bar of one line's height.
import type { TimeShares } from '../../../../record/trace/timeline/time-shares.js';
import { SHARES } from '../../../model/fleet/share-names.js';
import { formatDuration, formatShare } from '../../../model/format.js';

export function MicroShares({ shares }: { shares: TimeShares }) {
  const total = SHARES.reduce((sum, { share }) => sum + shares[share], 0);
  const parts = SHARES.filter(({ share }) => shares[share] > 0);
  const told = parts.map(
    ({ share, name }) => `${name} ${formatDuration(shares[share])} (${formatShare(shares[share], total)})`,
  );
  return (
    <span
      class="micro-shares"
      role="img"
      aria-label={told.join(', ') || 'No time yet'}
      title={told.join('\n')}
    >
      {parts.map(({ share, tone }) => (
        <span key={share} class={`micro-share tone-${tone}`} style={{ flexGrow: shares[share] / total }} />
      ))}
    </span>
  );
}
