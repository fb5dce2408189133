// The view "timeline".
import type { Store } from '../../store/store.js';

export function TimelineView({ store }: { store: Store }) {
  return (
    <section class="view view-timeline" aria-label="timeline">
      {store.selected.value}
    </section>
  );
}
