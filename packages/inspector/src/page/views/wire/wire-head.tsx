// The heads of the wire's columns, which sort the lines. On a phone, a list in the filters does the same.
import type { WireColumn } from '../../../model/wire/wire-order.js';
import { formatDuration } from '../../../model/format.js';
import { Icon } from '../../components/icons.js';
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
        <Covered state={state} />
      </span>
      <SortButton state={state} column="size" class="wire-size" />
    </div>
  );
}

/** How much time the bars cover: that of the lines in sight. */
function Covered({ state }: { state: WireState }) {
  const { from, to } = state.range.value;
  return (
    <span
      class="wire-covered number"
      title="The bars cover the time of the lines in sight"
      aria-hidden="true"
    >
      {to > from && formatDuration(to - from)}
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
