// The heads of the wire's columns, which sort the lines, and the axis of the bars. On a phone, a list in the filters sorts them, and only
// the axis is left.
import type { WireColumn } from '../../../model/wire/wire-order.js';
import { makeAxis } from '../../../model/time/axis.js';
import { Icon } from '../../components/icons.js';
import { partInRange } from './place-bars.js';
import { changeSort, type WireState } from './wire-state.js';

const NAMES: Readonly<Record<WireColumn, string>> = {
  time: 'time',
  event: 'event',
  took: 'request to reply',
  size: 'size',
};

export function WireHead({ state }: { state: WireState }) {
  return (
    <div class="wire-head" role="group" aria-label="Sort by">
      <SortButton state={state} column="time" class="wire-time" />
      <span class="wire-since" aria-hidden="true">
        after
      </span>
      <span class="wire-lane">
        <span aria-hidden="true">your program</span>
        <SortButton state={state} column="event" />
        <span aria-hidden="true">CLI</span>
      </span>
      <span class="wire-text" aria-hidden="true">
        what it says
      </span>
      <span class="wire-fall">
        <SortButton state={state} column="took" />
        <Axis state={state} />
      </span>
      <SortButton state={state} column="size" class="wire-size" />
    </div>
  );
}

/** About how many labels the axis has: the column of the bars is narrow. */
const MOST_TICKS = 2;

/** The axis of the bars: the time of the lines in sight, since the start of the session. */
function Axis({ state }: { state: WireState }) {
  const { from, to } = state.range.value;
  if (to <= from) return null;
  return (
    <span class="wire-axis number" title="The bars cover the time of the lines in sight" aria-hidden="true">
      {makeAxis(from, to, MOST_TICKS).ticks.map(({ t, label }) => {
        const part = partInRange(t, { from, to });
        // Labels at the edges stand beside their ticks, so that they are not cut off.
        const shift = part < 0.15 ? '0' : part > 0.85 ? '-100%' : '-50%';
        return (
          <span key={t} style={{ left: `${part * 100}%` }}>
            <span style={{ transform: `translateX(${shift})` }}>{label}</span>
          </span>
        );
      })}
    </span>
  );
}

function SortButton({
  state,
  column,
  class: extra = '',
}: {
  state: WireState;
  column: WireColumn;
  class?: string;
}) {
  const { by, isDown } = state.sort.value;
  const isOn = by === column;
  return (
    <button
      type="button"
      class={`wire-sort ${extra}`}
      aria-pressed={isOn}
      title={`Sort by ${NAMES[column]}${isOn ? ', the other way round' : ''}`}
      onClick={() => changeSort(state, column)}
    >
      {NAMES[column]}
      {isOn && <Icon name={isDown ? 'down' : 'up'} />}
      {isOn && <span class="off-screen">{isDown ? ', greatest first' : ', smallest first'}</span>}
    </button>
  );
}

export function SortSelect({ state }: { state: WireState }) {
  return (
    <select
      class="wire-direction wire-sort-select"
      aria-label="Sort by"
      value={state.sort.value.by}
      onChange={(event) => changeSort(state, event.currentTarget.value as WireColumn)}
    >
      {Object.entries(NAMES).map(([column, name]) => (
        <option key={column} value={column}>
          By {name}
        </option>
      ))}
    </select>
  );
}
