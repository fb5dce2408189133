// The bar below a live session: send, interrupt, model, mode, rewind.
import type { Store } from '../store/store.js';

/** Nothing for a page that is a file. */
export function SteeringBar({ store }: { store: Store }) {
  return store.source.kind === 'embedded' ? null : <div class="steering" />;
}
