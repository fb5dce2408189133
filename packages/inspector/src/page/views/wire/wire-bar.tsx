// The filters above the wire: search text, layers, direction, errors, folding.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { LAYER_NAMES } from '../../../model/wire/describe-event.js';
import { formatCountOf, formatExact } from '../../../model/format.js';
import { NO_WIRE_FILTER, type WireFilter } from '../../../model/wire/wire-list.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icons.js';
import { SortSelect } from './wire-head.js';
import { setFilter, toggled, type WireState } from './wire-state.js';

const LAYERS = Object.keys(LAYER_NAMES) as (keyof typeof LAYER_NAMES)[];
const DIRECTIONS = { both: 'Both ways', out: 'To the CLI', in: 'From the CLI' } as const;

interface WireBarProps {
  state: WireState;
  /** The number of all events. */
  total: number;
  field: RefObject<HTMLInputElement | null>;
  onSearchLines: () => void;
}

export function WireBar({ state, total, field, onSearchLines }: WireBarProps) {
  const isOpen = useSignal(false);
  const filter = state.filter.value;
  const change = (part: Partial<WireFilter>): void => setFilter(state, part);
  return (
    <div class={`wire-bar ${isOpen.value ? 'wire-bar-open' : ''}`}>
      <div class="wire-search">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          placeholder="Search the wire"
          aria-label="Search names and summaries"
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            if (filter.text === '') event.currentTarget.blur();
            else change({ text: '' });
          }}
        />
      </div>
      <Button
        class="wire-bar-more"
        icon="filter"
        label="Filters"
        isExpanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      />
      <div class="wire-filters">
        <div class="wire-group" role="group" aria-label="Layers">
          {LAYERS.map((layer) => (
            <Button
              key={layer}
              class="wire-chip"
              isPressed={!filter.hiddenLayers.has(layer)}
              onClick={() => change({ hiddenLayers: toggled(filter.hiddenLayers, layer) })}
            >
              {LAYER_NAMES[layer]}
            </Button>
          ))}
        </div>
        <select
          class="wire-direction"
          aria-label="Direction"
          value={filter.direction}
          onChange={(event) => change({ direction: event.currentTarget.value as WireFilter['direction'] })}
        >
          {Object.entries(DIRECTIONS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
        <SortSelect state={state} />
        <Button
          class="wire-chip"
          isPressed={filter.errorsOnly}
          onClick={() => change({ errorsOnly: !filter.errorsOnly })}
        >
          Errors only
        </Button>
        <Button
          class="wire-chip"
          shortcut="f"
          label="Fold pieces of streamed answers"
          isPressed={filter.folds}
          onClick={() => change({ folds: !filter.folds, open: new Set() })}
        >
          Fold pieces
        </Button>
        {filter.call !== undefined && (
          <Button class="wire-chip" isPressed icon="cross" onClick={() => change({ call: undefined })}>
            One call
          </Button>
        )}
      </div>
      <WireCount state={state} total={total} onSearchLines={onSearchLines} />
    </div>
  );
}

function WireCount({ state, total, onSearchLines }: Omit<WireBarProps, 'field'>) {
  const { text, found } = state.filter.value;
  const shown = state.list.value.entries.length;
  const search = state.search.value;
  return (
    <div class="wire-count">
      <span role="status">
        {shown === total
          ? formatCountOf(total, 'event')
          : `${formatCountOf(shown, 'row')} of ${formatExact(total)} events`}
      </span>
      {search?.state === 'running' && (
        <span class="wire-progress">searching lines, {Math.round(search.part * 100)} %</span>
      )}
      {search?.state === 'done' && <span>{formatCountOf(search.found, 'line')} found</span>}
      {search?.state === 'failed' && <span class="wire-failed">the lines could not be read</span>}
      {text !== '' && found === undefined && search?.state !== 'running' && (
        <button type="button" class="text-button" onClick={onSearchLines}>
          Search whole lines
        </button>
      )}
      {isFiltered(state.filter.value) && (
        <button
          type="button"
          class="text-button"
          onClick={() => setFilter(state, { ...NO_WIRE_FILTER, folds: state.filter.value.folds })}
        >
          Show all
        </button>
      )}
    </div>
  );
}

function isFiltered({ text, hiddenLayers, direction, errorsOnly, call }: WireFilter): boolean {
  return text !== '' || hiddenLayers.size > 0 || direction !== 'both' || errorsOnly || call !== undefined;
}
