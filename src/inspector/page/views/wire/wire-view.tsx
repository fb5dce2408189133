// The view "wire".
import type { Store } from '../../store/store.js';

export function WireView({ store }: { store: Store }) {
  return (
    <section class="view view-wire" aria-label="wire">
      {store.selected.value}
    </section>
  );
}
