// Search, filters and order of the fleet.
import {
  groupOf,
  SESSION_ORDERS,
  STATE_GROUPS,
  type SessionFilter,
  type SessionOrder,
  type StateGroup,
} from '../../../model/fleet/session-filter.js';
import { Icon } from '../../components/icons.js';
import type { Store } from '../../store/store.js';
import { fleetStateOf } from './fleet-state.js';

const GROUP_NAMES: Record<StateGroup, string> = {
  waiting: 'Waiting',
  running: 'Running',
  queued: 'Queued',
  idle: 'Idle',
  ended: 'Ended',
  failed: 'Failed',
};

const ORDER_NAMES: Record<SessionOrder, string> = {
  attention: 'Attention first',
  started: 'Newest first',
  activity: 'Last activity',
  cost: 'Cost',
  duration: 'Duration',
  errors: 'Errors',
  title: 'Title',
};

export function FleetFilter({ store }: { store: Store }) {
  const { filter, order } = fleetStateOf(store);
  const sessions = store.sessions.value;
  const change = (part: Partial<SessionFilter>): void => {
    filter.value = { ...filter.value, ...part };
  };
  const { groups, onlyErrors, model, text } = filter.value;
  const models = [...new Set(sessions.flatMap((session) => session.model ?? []))].toSorted();
  const present = STATE_GROUPS.map((group) => ({
    group,
    count: sessions.filter((session) => groupOf(session) === group).length,
  })).filter(({ group, count }) => count > 0 || groups.includes(group));
  const isCluster = store.state.value?.cluster !== undefined;
  const failing = sessions.filter(({ errors }) => errors > 0).length;
  return (
    <div class="fleet-filter" role="search" aria-label="Sessions">
      <label class="fleet-search">
        <span class="off-screen">Search the sessions</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Search prompts, answers, tools"
          value={text}
          onInput={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            if (event.currentTarget.value === '') event.currentTarget.blur();
            change({ text: '' });
          }}
        />
      </label>
      <div class="fleet-chips" role="group" aria-label="State">
        {present.map(({ group, count }) => (
          <Chip
            key={group}
            name={group === 'ended' && isCluster ? 'Closed' : GROUP_NAMES[group]}
            count={count}
            isOn={groups.includes(group)}
            onToggle={() =>
              change({
                groups: groups.includes(group)
                  ? groups.filter((other) => other !== group)
                  : [...groups, group],
              })
            }
          />
        ))}
        {(failing > 0 || onlyErrors) && (
          <Chip
            name="With errors"
            count={failing}
            isOn={onlyErrors}
            onToggle={() => change({ onlyErrors: !onlyErrors })}
          />
        )}
      </div>
      <div class="fleet-selects">
        {(models.length > 1 || model !== undefined) && (
          <select
            aria-label="Model"
            value={model ?? ''}
            onChange={(event) => change({ model: event.currentTarget.value || undefined })}
          >
            <option value="">All models</option>
            {models.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        <select
          aria-label="Order"
          value={order.value}
          onChange={(event) => {
            order.value = event.currentTarget.value as SessionOrder;
          }}
        >
          {SESSION_ORDERS.map((name) => (
            <option key={name} value={name}>
              {ORDER_NAMES[name]}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Chip(props: { name: string; count: number; isOn: boolean; onToggle: () => void }) {
  return (
    <button type="button" class="chip" aria-pressed={props.isOn} onClick={props.onToggle}>
      {props.isOn && <Icon name="check" />}
      {props.name} <span class="chip-count number">{props.count}</span>
    </button>
  );
}
