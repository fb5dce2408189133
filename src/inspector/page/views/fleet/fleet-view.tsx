// The view "fleet".
import type { Store } from '../../store/store.js';

export function FleetView({ store }: { store: Store }) {
  return (
    <section class="view view-fleet" aria-label="fleet">
      {store.selected.value}
    </section>
  );
}
