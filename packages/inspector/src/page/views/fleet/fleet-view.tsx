// The view "fleet": all sessions, or two of them side by side.
import { CompareView } from './compare/compare-view.js';
import { FleetList } from './fleet-list.js';
import type { Store } from '../../store/store.js';

export function FleetView({ store }: { store: Store }) {
  const [left, right] = [store.selected.value, store.compared.value];
  return (
    <section class="view view-fleet" aria-label="Fleet">
      {left !== undefined && right !== undefined ? (
        <CompareView key={`${left} ${right}`} store={store} left={left} right={right} />
      ) : (
        <FleetList store={store} />
      )}
    </section>
  );
}
