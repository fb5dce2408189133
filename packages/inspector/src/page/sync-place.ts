// Keeps the address and the store in sync. So a reload leads to the same place, and the browser's back button to the one
// before.
import { effect } from '@preact/signals';
import { readPlace, writePlace } from './store/place.js';
import type { Store } from './store/store.js';

/** Syncs until the returned function is called. It begins once the store has chosen its first place. */
export function syncPlace(store: Store): () => void {
  let last = '';
  const end = effect(() => {
    const view = store.view.value;
    const session = store.selected.value;
    const hash = writePlace({
      view,
      session,
      event: store.shownEvent.value?.n,
      compared: store.compared.value,
    });
    const where = `${view} ${session}`;
    if (!store.isReady.value || hash === location.hash) return;
    // Moving from event to event does not add an entry to the browser's history.
    if (last === '' || last === where) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    last = where;
  });
  const onPop = (): void => {
    const place = readPlace(location.hash);
    last = `${place.view} ${place.session}`;
    const isThere = store.sessions.value.some(({ id }) => id === place.session);
    store.selected.value = isThere ? place.session : undefined;
    store.view.value = place.view ?? 'story';
    store.compared.value = place.compared;
    store.shownEvent.value =
      isThere && place.session !== undefined && place.event !== undefined
        ? { session: place.session, n: place.event }
        : undefined;
  };
  addEventListener('popstate', onPop);
  return () => {
    end();
    removeEventListener('popstate', onPop);
  };
}
