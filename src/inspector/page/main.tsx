// Starts the page: with the data that stands in it, or with those of the server it came from.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.js';
import { createBrowserScheduler } from './browser-scheduler.js';
import { loadAllViews } from './components/late-view.js';
import { listenForKeys } from './components/use-keys.js';
import { showLastResort, watchForFaults } from './last-resort.js';
import { createEmbeddedSource, type EmbeddedData } from './source/embedded-source.js';
import { createServedSource } from './source/served-source.js';
import { beginStore } from './store/begin-store.js';
import { readPlace } from './store/place.js';
import { createPreferences } from './store/preferences.js';
import { createStore } from './store/store.js';
import { syncPlace } from './sync-place.js';

const page = document.documentElement;

function start(): void {
  const preferences = createPreferences(() => localStorage);
  effect(() => {
    page.dataset['theme'] = preferences.theme.value;
  });
  const embedded = document.getElementById('data')?.textContent;
  const source = embedded ? createEmbeddedSource(JSON.parse(embedded) as EmbeddedData) : createServedSource();
  const store = createStore(source, createBrowserScheduler());
  beginStore(store, readPlace(location.hash));
  syncPlace(store);
  listenForKeys(document);
  render(<App store={store} preferences={preferences} />, document.getElementById('app') as HTMLElement);
  effect(() => {
    if (!store.isReady.value) return;
    // After the drawing that shows it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        page.dataset['ready'] = 'true';
        loadAllViews();
      }),
    );
  });
}

watchForFaults();
try {
  start();
} catch (error) {
  showLastResort(error);
}
