// The view "cost".
import type { Store } from '../../store/store.js';

export function CostView({ store }: { store: Store }) {
  return (
    <section class="view view-cost" aria-label="cost">
      {store.selected.value}
    </section>
  );
}
