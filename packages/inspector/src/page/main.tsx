// Starts the page, with the data embedded in it or with the data of the server it came from.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { readKey, withoutKey } from '../model/entry.js';
import { App } from './app.js';
import { createBrowserScheduler } from './browser-scheduler.js';
import { loadAllViews } from './components/late-view.js';
import { listenForKeys } from './components/use-keys.js';
import { showLastResort, watchForFaults } from './last-resort.js';
import type { PageSource } from './page-source.js';
import type { EmbeddedData } from './source/embedded-source.js';
import { createEntry, type Ask } from './source/entry.js';
import { keepWhatIsRead } from './source/keeping-source.js';
import { createServedSource } from './source/served-source.js';
import { beginStore } from './store/begin-store.js';
import { readPlace } from './store/place.js';
import { createPreferences, type Preferences } from './store/preferences.js';
import { createStore, type Store } from './store/store.js';
import { syncPlace } from './sync-place.js';

const page = document.documentElement;

async function start(): Promise<void> {
  const preferences = createPreferences(() => localStorage);
  effect(() => {
    page.dataset['theme'] = preferences.theme.value;
  });
  const embedded = document.getElementById('data')?.textContent;
  let store: Store | undefined;
  const hasProgram = (): boolean => store?.state.value?.program !== undefined;
  const source = embedded
    ? await readEmbedded(embedded)
    : keepWhatIsRead(createServedSource(enter()), hasProgram);
  store = begin(source, preferences);
}

function begin(source: PageSource, preferences: Preferences): Store {
  const store = createStore(source, createBrowserScheduler());
  beginStore(store, readPlace(location.hash));
  syncPlace(store);
  listenForKeys(document);
  const app = document.getElementById('app') as HTMLElement;
  render(<App store={store} preferences={preferences} />, app);
  const noWayIn = document.getElementById('no-way-in');
  effect(() => {
    // Only a page that was refused at its start is replaced. A page that was refused later keeps what it has read.
    if (noWayIn === null || store.connection.value !== 'refused' || store.state.value !== undefined) return;
    app.hidden = true;
    noWayIn.hidden = false;
    document.title = 'Inboard inspector: a link is needed';
  });
  effect(() => {
    if (!store.isReady.value) return;
    // This runs after the frame in which the page is drawn.
    requestAnimationFrame(() =>
      setTimeout(() => {
        page.dataset['ready'] = 'true';
        loadAllViews();
        // It must be here before the program ends. If it cannot be read, the page can show, but not be saved.
        if (store.state.value?.program) source.blankPage?.().catch(() => {});
      }),
    );
  });
  return store;
}

/** The source of a page that is a file. A page that a server sent never loads this code. */
async function readEmbedded(json: string): Promise<PageSource> {
  const { createEmbeddedSource } = await import('./source/embedded-source.js');
  return createEmbeddedSource(JSON.parse(json) as EmbeddedData);
}

/** Creates the authenticated requests of a page that a server sent. */
function enter(): Ask {
  // If a new link is opened in this tab, only the part after the # changes, and the page must reload itself.
  addEventListener('hashchange', () => {
    if (readKey(location.hash) !== undefined) location.reload();
  });
  return createEntry({
    key: readKey(location.hash),
    forgetKey: () => history.replaceState(null, '', withoutKey(location.hash)),
    kept: () => localStorage,
    fetch: (path, options) => fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options }),
  });
}

watchForFaults();
start().catch(showLastResort);
