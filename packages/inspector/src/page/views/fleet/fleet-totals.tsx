// The sums of the sessions that are shown.
import { countTokens, sumSessions } from '../../../model/fleet/fleet-totals.js';
import { countOf, formatCount, formatMoney } from '../../../model/format.js';
import type { SessionSummary } from '../../../model/session-summary.js';
import { ShareBar } from '../../components/share-bar.js';

export function FleetTotals({ sessions, total }: { sessions: readonly SessionSummary[]; total: number }) {
  const sums = sumSessions(sessions);
  const title =
    sessions.length === total
      ? countOf(total, 'session')
      : `${sessions.length} of ${countOf(total, 'session')}`;
  return (
    <header class="fleet-head">
      <h2>{title}</h2>
      <p class="fleet-sums soft number">
        {sums.waiting > 0 && (
          <span class="fleet-sum-waiting">{`${countOf(sums.waiting, 'question')} open`}</span>
        )}
        {sums.errors > 0 && <span class="fleet-sum-errors">{countOf(sums.errors, 'error')}</span>}
        <span>{countOf(sums.turns, 'turn')}</span>
        {countTokens(sums.tokens) > 0 && <span>{`${formatCount(countTokens(sums.tokens))} tokens`}</span>}
        {sums.costUsd !== undefined && <span>{formatMoney(sums.costUsd)}</span>}
      </p>
      <ShareBar shares={sums.shares} />
    </header>
  );
}
