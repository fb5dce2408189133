// Opens the exact line of an event beside the story.
import { Icon } from '../../components/icons.js';
import type { Store } from '../../store/store.js';

export function LinkToLine(props: { store: Store; session: string; n: number; what: string }) {
  const { store, session, n, what } = props;
  return (
    <button
      type="button"
      class="text-button line-button"
      onClick={() => {
        store.shownEvent.value = { session, n };
      }}
    >
      <Icon name="wire" />
      exact line of the {what}
    </button>
  );
}
