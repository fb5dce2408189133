// The view "story".
import type { Store } from '../../store/store.js';

export function StoryView({ store }: { store: Store }) {
  return (
    <section class="view view-story" aria-label="story">
      {store.selected.value}
    </section>
  );
}
