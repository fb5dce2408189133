// Moves the right edge of the timeline while the session works: four times a second, or only with its events if the reader
// prefers reduced motion.
import { effect } from '@preact/signals';
import type { Store } from '../../store/store.js';
import type { TimelineState } from './timeline-state.js';

const TICK_MS = 250;

/** Updates the state's `now` until the returned function is called. */
export function followTime(store: Store, state: TimelineState): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const end = effect(() => {
    void state.revision.value;
    clearInterval(timer);
    const { ledger } = state;
    state.now.value = ledger.durationMs;
    const isLive =
      store.state.value?.kind === 'live' &&
      store.connection.value === 'live' &&
      store.source.kind === 'served';
    if (!isLive || ledger.isOver || ledger.current === 'idle') return;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const since = performance.now();
    const from = ledger.durationMs;
    timer = setInterval(() => {
      state.now.value = from + performance.now() - since;
    }, TICK_MS);
  });
  return () => {
    clearInterval(timer);
    end();
  };
}
