// The state of the audit view: its filter, its place, and the part that is shown. Only one part is kept, whatever the length of
// the audit.
import { signal, type Signal } from '@preact/signals';
import type { AuditedDeed } from '@inboard/cluster/journal/audit-entry.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { AuditPart } from '../../../model/audit-part.js';
import type { PageSource } from '../../page-source.js';
import { SourceFailure } from '../../source/source-failure.js';
import type { Store } from '../../store/store.js';

/** What is asked for. */
export interface AuditChoice {
  by: string;
  what: AuditedDeed | undefined;
  text: string;
}

/** The state of the audit view of one page. It stays while another view is shown. */
export interface AuditState {
  filter: Signal<AuditChoice>;
  /** Where each part between the newest one and the one that is shown began; empty for the newest. */
  places: Signal<readonly number[]>;
  part: Signal<AuditPart | undefined>;
  /** Why the audit cannot be read now. Then the part is older. */
  trouble: Signal<string | undefined>;
}

export const NO_AUDIT_FILTER: AuditChoice = { by: '', what: undefined, text: '' };

/** The time between two looks for new entries, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** How long to wait for the next letter before what was typed is searched. */
const TYPING_MS = 200;

const states = new WeakMap<Store, AuditState>();

/** The state that belongs to a store. */
export function auditStateOf(store: Store): AuditState {
  const present = states.get(store);
  if (present) return present;
  const fresh: AuditState = {
    filter: signal(NO_AUDIT_FILTER),
    places: signal([]),
    part: signal(undefined),
    trouble: signal(undefined),
  };
  states.set(store, fresh);
  return fresh;
}

/** Changes the filter, and goes back to the newest entries. */
export function changeFilter({ filter, places }: AuditState, change: Partial<AuditChoice>): void {
  filter.value = { ...filter.peek(), ...change };
  places.value = [];
}

/** Shows the part before this one. */
export function showOlder({ part, places }: AuditState): void {
  const older = part.peek()?.older;
  if (older !== undefined && older !== places.peek().at(-1)) places.value = [...places.peek(), older];
}

/** Shows the part after this one. */
export function showNewer({ places }: AuditState): void {
  places.value = places.peek().slice(0, -1);
}

/** Reads the part that is asked for, and while it is the newest one, looks for new entries until the returned function is called. */
export function followAudit(source: PageSource, state: AuditState): () => void {
  const { by, what, text } = state.filter.peek();
  const before = state.places.peek().at(-1);
  const query = { before, by: by || undefined, what, text: text || undefined };
  let isEnded = false;
  let seen: number | undefined;
  const look = async (): Promise<void> => {
    try {
      const part = await source.audit?.({ ...query, seen });
      if (isEnded || !part) return;
      state.trouble.value = part.trouble;
      if (part.trouble === undefined && part.isSame !== true) {
        state.part.value = part;
        seen = part.newest;
      }
    } catch (error) {
      if (isEnded) return;
      state.trouble.value = messageOf(error);
      if (error instanceof SourceFailure && error.kind === 'refused') return;
    }
    // Older entries do not change, except that some are forgotten or pruned.
    if (before === undefined || state.trouble.peek() !== undefined) timer = later(look, LOOK_EVERY_MS);
  };
  let timer = later(look, state.part.peek() ? TYPING_MS : 0);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

function later(look: () => Promise<void>, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(() => void look(), ms);
}
