// Starts the page: with the data that stands in it, or with those of the server it came from.
import { render } from 'preact';
import { App } from './app.js';
import { createEmbeddedSource, type EmbeddedData } from './source/embedded-source.js';
import { createStore } from './store/store.js';

const embedded = document.getElementById('data')?.textContent;
const data: EmbeddedData = embedded
  ? (JSON.parse(embedded) as EmbeddedData)
  : { state: undefined as never, events: {} };
const store = createStore(createEmbeddedSource(data));
render(<App store={store} />, document.getElementById('app') as HTMLElement);
document.documentElement.dataset['ready'] = 'true';
