// Notices about the page itself: a lost server, missing events, and how much has been read.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { readWords } from '../../model/format.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icons.js';
import { lateView } from '../components/late-view.js';
import type { ConnectionState } from '../page-source.js';
import { isOfSession, type Store } from '../store/store.js';

// Loaded soon after the page was drawn, so it is here when the program has ended.
const EndNotice = lateView(async () => (await import('./end-notice.js')).EndNotice);

export function Banners({ store }: { store: Store }) {
  const isHidden = useSignal(false);
  const { leftOut, end, program } = store.state.value ?? {};
  const connection = store.connection.value;
  const hasEnded = end !== undefined || (connection === 'gone' && program !== undefined);
  const isHeld = program?.isHeld === true && connection === 'live';
  return (
    <div class="banners">
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
    </div>
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

/** A thin line under the header while the past events of a session are read, with the part that was read in words. */
export function ReadingLine({ store }: { store: Store }) {
  const progress = store.current.value?.progress.value ?? 1;
  if (progress >= 1 || !isOfSession(store.view.value)) return null;
  const percent = Math.round(progress * 100);
  return (
    <div
      class="reading-line"
      role="progressbar"
      aria-label="Reading the session"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={readWords(progress)}
    >
      <span class="reading-part" style={{ width: `${percent}%` }} />
      <span class="reading-words number" aria-hidden="true">
        {readWords(progress)}
      </span>
    </div>
  );
}
