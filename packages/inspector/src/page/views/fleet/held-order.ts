// Keeps the rows of the fleet where they are while the pointer is over them or one has the focus, so that a click or a key does not
// reach another session than the one that was meant.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { holdOrder, sortSessions, type SessionOrder } from '../../../model/fleet/session-filter.js';
import type { SessionSummary } from '../../../model/session-summary.js';

/** Sorts the rows, or keeps their order while they are in use, and tells by the attributes of their list whether they are. */
export function useHeldOrder() {
  const isPointed = useSignal(false);
  const isFocused = useSignal(false);
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<{ order: SessionOrder; ids: readonly string[] } | undefined>(undefined);
  useEffect(() => {
    // A row, or the list, that is no longer there does not tell that it was left.
    if (!list.current) isPointed.value = false;
    if (!list.current?.contains(document.activeElement)) isFocused.value = false;
  });
  const sort = (sessions: readonly SessionSummary[], order: SessionOrder): SessionSummary[] => {
    const isHeld = isPointed.value || isFocused.value;
    const sorted = sortSessions(sessions, order);
    const rows = isHeld && last.current?.order === order ? holdOrder(sorted, last.current.ids) : sorted;
    last.current = { order, ids: rows.map(({ id }) => id) };
    return rows;
  };
  const set = (signal: { value: boolean }, value: boolean) => () => {
    signal.value = value;
  };
  const attributes = {
    ref: list,
    onPointerEnter: set(isPointed, true),
    onPointerLeave: set(isPointed, false),
    onFocusIn: set(isFocused, true),
    onFocusOut: set(isFocused, false),
  };
  return { sort, attributes };
}
