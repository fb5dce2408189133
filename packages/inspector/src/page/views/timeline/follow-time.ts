// Moves the right edge of the timeline by the clock of the page, while the session runs or waits.
import { effect } from '@preact/signals';
import type { Store } from '../../store/store.js';
import type { TimelineState } from './timeline-state.js';

/** Updates the state's `now` until the returned function is called. */
export function followTime(store: Store, session: string, state: TimelineState): () => void {
  return effect(() => {
    void state.revision.value;
    const { durationMs, isOver, current } = state.ledger;
    const isStill = isOver || current === 'idle';
    state.now.value = isStill ? durationMs : store.clock.timeOf(session, durationMs);
  });
}
