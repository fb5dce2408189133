// Tells a session of which nothing is known but that it began.
import { isOverState } from '../../model/is-over-state.js';
import type { LoadedSession, Store } from '../store/store.js';

const BEGINNING = new Set(['opened', 'header']);

/** Whether a session that does not go on has nothing but its header. */
export function isBare({ summary }: Store, { model, progress, revision }: LoadedSession): boolean {
  void revision.value;
  if (progress.value < 1 || !isOverState(summary.value?.state)) return false;
  return model.wire.rows.length < 4 && model.wire.rows.every(({ event }) => BEGINNING.has(event));
}
