// The shares of time: the bar, and a row for each share.
import { formatDuration, formatExact } from '../../../model/format.js';
import { SHARE_KINDS } from '../../../model/share-words.js';
import { percentsOf } from '../../../model/time/share-percents.js';
import type { TallyRow } from '../../../model/time/share-tally.js';
import type { ShareKey } from '../../../model/time/time-span.js';
import { ShareBar } from '../../components/share-bar.js';
import type { TimelineState } from './timeline-state.js';

/** What is counted for each share, in singular and plural. */
const COUNTED: Readonly<Record<ShareKey, readonly [string, string]>> = {
  model: ['wait', 'waits'],
  permission: ['question', 'questions'],
  code: ['run', 'runs'],
  cliTools: ['call', 'calls'],
  overhead: ['stretch', 'stretches'],
  idle: ['stretch', 'stretches'],
};

export function SharesTable({ state }: { state: TimelineState }) {
  void state.revision.value;
  const now = state.now.value;
  const shares = state.ledger.shares(now);
  const percents = percentsOf(shares);
  const rows = state.ledger.tally(now).filter(({ ms, count }) => ms > 0 || count > 0);
  return (
    <section class="tl-shares" aria-labelledby="tl-shares-title">
      <h2 id="tl-shares-title">Where the time went</h2>
      <ShareBar shares={shares} />
      <table class="tl-table">
        <thead>
          <tr>
            <th scope="col">Waited for</th>
            <th scope="col">Time</th>
            <th scope="col">Share</th>
            <th scope="col">Number</th>
            <th scope="col">Longest</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ShareRow key={row.share} row={row} percent={percents[row.share]} state={state} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Together</th>
            <td>{formatDuration(now)}</td>
            <td>100 %</td>
            <td />
            <td />
          </tr>
        </tfoot>
      </table>
      <p class="soft small tl-note">
        Every moment counts once. Where several things happen at once, the first of these counts: a person’s
        answer, your code, tools of the CLI, the model, the rest. The longest is the most of that time that
        one of them took.
      </p>
    </section>
  );
}

function ShareRow({ row, percent, state }: { row: TallyRow; percent: string; state: TimelineState }) {
  const { share, ms, count, longest } = row;
  const kind = SHARE_KINDS.find(({ key }) => key === share);
  return (
    <tr>
      <th scope="row">
        <span class={`share-key tone-${kind?.tone ?? ''}`} aria-hidden="true" />
        <span class="tl-share-word">{kind?.word}</span>
        <span class="tl-means soft">{kind?.means}</span>
      </th>
      <td>{formatDuration(ms)}</td>
      <td>{percent}</td>
      <td>
        {formatExact(count)} <span class="tl-counted soft">{COUNTED[share][count === 1 ? 0 : 1]}</span>
      </td>
      <td>
        {longest && (
          <button
            type="button"
            class="text-button tl-longest"
            onClick={() => state.showTime(longest.start, longest.end)}
          >
            <span class="off-screen">Show the longest: </span>
            {formatDuration(longest.ms)}{' '}
            {longest.label !== '' && <span class="tl-longest-label cut">{longest.label}</span>}
          </button>
        )}
      </td>
    </tr>
  );
}
