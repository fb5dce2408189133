// The exact line of the event that is shown.
import type { Store } from '../store/store.js';

export function EventDetail({ store }: { store: Store }) {
  const shown = store.shownEvent.value;
  return <div class="event-detail">{shown && `Event ${shown.n}`}</div>;
}
