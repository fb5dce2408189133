// The bars of the window as a table: for screen readers, for copying, and for readers who prefer numbers.
import { useSignal } from '@preact/signals';
import { formatCountOf, formatDuration } from '../../../model/format.js';
import { findFirst } from '../../../model/time/lane-search.js';
import { segmentsOf } from '../../../model/time/span-segments.js';
import type { Placed } from '../../../model/time/span-steps.js';
import { endOf } from '../../../model/time/time-span.js';
import { exactTime, spanNameOf, sumSegments } from './span-tip.js';
import type { Pointed, TimelineState } from './timeline-state.js';

/** The greatest number of rows. Zooming in shows others. */
const MOST_ROWS = 100;

export function SpanTable({ state, onOpen }: { state: TimelineState; onOpen: (pointed: Pointed) => void }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="tl-spans"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>The bars as a table</summary>
      {isOpen.value && <Table state={state} onOpen={onOpen} />}
    </details>
  );
}

function Table({ state, onOpen }: { state: TimelineState; onOpen: (pointed: Pointed) => void }) {
  const { now } = state.window.value;
  const { shown, left } = listSpans(state);
  return (
    <>
      <table class="tl-table">
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">What</th>
            <th scope="col">Took</th>
            <th scope="col">Of it</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ span, row }) => {
            const parts = sumSegments(segmentsOf(span, now));
            return (
              <tr key={`${span.n} ${span.label}`}>
                <td>{exactTime(span.start)}</td>
                <th scope="row">
                  <button
                    type="button"
                    class="text-button tl-span-name"
                    onClick={() => onOpen({ span, row, count: 1, by: 'keys' })}
                  >
                    {spanNameOf(span)}
                  </button>
                </th>
                <td>{formatDuration(endOf(span, now) - span.start)}</td>
                <td class="soft">
                  {parts.map(({ label, ms }) => `${label} ${formatDuration(ms)}`).join(', ')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {left > 0 && (
        <p class="soft small">
          And {formatCountOf(left, 'more bar', 'more bars')}: zoom in to see them here.
        </p>
      )}
    </>
  );
}

/** The first spans of the window by their beginnings, and how many more there are. */
function listSpans(state: TimelineState): { shown: Placed[]; left: number } {
  const { time, from, to, now } = state.window.value;
  const [start, end] = [time.toTime(from), time.toTime(to)];
  const found: Placed[] = [];
  let count = 0;
  for (const row of state.rows.value) {
    const first = findFirst(row.spans, start - 1e-9, (span) => endOf(span, now));
    const last = findFirst(row.spans, end, (span) => span.start);
    count += Math.max(0, last - first);
    for (const span of row.spans.slice(first, Math.min(last, first + MOST_ROWS))) found.push({ span, row });
  }
  found.sort((one, other) => one.span.start - other.span.start || one.span.n - other.span.n);
  const shown = found.slice(0, MOST_ROWS);
  return { shown, left: count - shown.length };
}
