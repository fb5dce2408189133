// Decides whether the page has a dock, before the dock itself is loaded.
import { hasSteering } from '../cards/why-no-steering.js';
import type { Store } from '../store/store.js';

/** Whether there is a dock. A recording has none, because it takes no answers and no messages. */
export function hasDock(store: Store): boolean {
  const state = store.state.value;
  return store.questions.value.length > 0 || (state?.kind === 'live' && hasSteering(store));
}
