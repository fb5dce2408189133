// The state of the fleet view that is kept while another view is shown: the filter, the order, the marked sessions.
import { signal, type Signal } from '@preact/signals';
import {
  NO_SESSION_FILTER,
  type SessionFilter,
  type SessionOrder,
} from '../../../model/fleet/session-filter.js';
import type { Store } from '../../store/store.js';

/** The state of the fleet view of one page. */
export interface FleetState {
  filter: Signal<SessionFilter>;
  order: Signal<SessionOrder>;
  /** The sessions to compare: at most two, in the order in which they were marked. */
  marked: Signal<readonly string[]>;
  /** How many rows are drawn. */
  shown: Signal<number>;
  /** The sessions that existed when the fleet was first shown, or were opened since. The others are marked as new. */
  seen: Signal<ReadonlySet<string> | undefined>;
}

/** How many rows are drawn at first. */
export const ROWS_AT_ONCE = 200;

const states = new WeakMap<Store, FleetState>();

/** The state that belongs to a store. */
export function fleetStateOf(store: Store): FleetState {
  const present = states.get(store);
  if (present) return present;
  const fresh: FleetState = {
    filter: signal(NO_SESSION_FILTER),
    order: signal('attention'),
    marked: signal([]),
    shown: signal(ROWS_AT_ONCE),
    seen: signal(undefined),
  };
  states.set(store, fresh);
  return fresh;
}

/** Marks a session, or removes its mark. A third mark replaces the first. */
export function toggleMark({ marked }: FleetState, id: string): void {
  marked.value = marked.value.includes(id)
    ? marked.value.filter((other) => other !== id)
    : [...marked.value.slice(-1), id];
}

/** Shows a session's story. The session is no longer marked as new. */
export function showSession(store: Store, id: string): void {
  const { seen } = fleetStateOf(store);
  seen.value = new Set([...(seen.value ?? []), id]);
  store.compared.value = undefined;
  store.open(id, 'story');
}

/** Compares the two marked sessions; gives false if there are not two. */
export function compareMarked(store: Store): boolean {
  const [left, right] = fleetStateOf(store).marked.value;
  if (left === undefined || right === undefined) return false;
  store.selected.value = left;
  store.compared.value = right;
  return true;
}
