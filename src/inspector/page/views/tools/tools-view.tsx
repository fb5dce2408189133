// The view "tools".
import type { Store } from '../../store/store.js';

export function ToolsView({ store }: { store: Store }) {
  return (
    <section class="view view-tools" aria-label="tools">
      {store.selected.value}
    </section>
  );
}
