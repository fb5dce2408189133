// Notices about the page itself: a lost server, missing events, the end of the program.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../components/button.js';
import { Icon } from '../components/icons.js';
import type { ConnectionState } from '../page-source.js';
import type { Store } from '../store/store.js';
import { EndNotice } from './end-notice.js';

/** What there is to say now; draws nothing else. */
export function Banners({ store }: { store: Store }) {
  const isHidden = useSignal(false);
  const { leftOut, end, program } = store.state.value ?? {};
  const connection = store.connection.value;
  const hasEnded = end !== undefined || (connection === 'gone' && program !== undefined);
  const isHeld = program?.isHeld === true && connection === 'live';
  return (
    <>
      <div role="status">
        {!hasEnded && <ConnectionBanner state={connection} />}
        {store.trouble.value !== undefined && (
          <p class="banner tone-error">
            <Icon name="warning" />
            <span>The events of this session cannot be read: {store.trouble.value}</span>
          </p>
        )}
      </div>
      {(hasEnded || isHeld) && <EndNotice key={String(hasEnded)} store={store} />}
      {leftOut !== undefined && !isHidden.value && (
        <p class="banner tone-permission">
          <Icon name="warning" />
          <span>{leftOut}</span>
          <Button
            look="plain"
            icon="cross"
            label="Close this notice"
            onClick={() => {
              isHidden.value = true;
            }}
          />
        </p>
      )}
    </>
  );
}

const SENTENCES: Partial<Record<ConnectionState, ComponentChildren>> = {
  lost: 'Connection lost, trying again. Nothing will be missed.',
  gone: 'The server has ended, or does not answer: its program may be over. What was read stays here. Trying again.',
  refused: (
    <>
      The server no longer knows this browser. Open a new link: <code>inboard inspect --link</code> prints
      one. What was read stays here.
    </>
  ),
};

function ConnectionBanner({ state }: { state: ConnectionState }) {
  const sentence = SENTENCES[state];
  if (sentence === undefined) return null;
  return (
    <p class={`banner tone-${state === 'lost' ? 'permission' : 'error'}`}>
      <Icon name="warning" />
      <span>{sentence}</span>
    </p>
  );
}
