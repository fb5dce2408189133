// The open questions and the steering bar: a column beside the view if there is room, else a sheet from below that a bar
// opens.
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCountOf } from '../../model/format.js';
import { hasSteering, whyNoSteering } from '../cards/why-no-steering.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icons.js';
import { lateView } from '../components/late-view.js';
import { fitsMedia, NO_COLUMNS } from '../components/fits-media.js';
import type { Store } from '../store/store.js';

const QuestionCards = lateView(async () => (await import('../cards/question-cards.js')).QuestionCards);
const TogetherList = lateView(async () => (await import('../cards/answer-together.js')).TogetherList);
const SteeringBar = lateView(async () => (await import('../cards/steering-bar.js')).SteeringBar);

export function Dock({ store, isOpen }: { store: Store; isOpen: Signal<boolean> }) {
  const count = store.questions.value.length;
  const words =
    count === 0
      ? 'Nothing waits for you'
      : `${formatCountOf(count, 'question')} ${count === 1 ? 'waits' : 'wait'}`;
  const never = count === 0 ? whyNoSteering(store) : undefined;
  const bar = count === 0 ? (never ?? 'Send a message, or change settings') : words;
  const isSheet = fitsMedia(NO_COLUMNS);
  const isCovering = isSheet && isOpen.value;
  const opener = useRef<HTMLButtonElement>(null);
  useFocusInSheet(isCovering, opener);
  // If there is nothing to open, one line says why.
  if (never !== undefined && isSheet && !isCovering)
    return (
      <p class="dock-bar dock-bar-off">
        <Icon name="lock" />
        {never}
      </p>
    );
  return (
    <>
      {isCovering && (
        <div
          class="dock-scrim"
          onClick={() => {
            isOpen.value = false;
          }}
        />
      )}
      <button
        ref={opener}
        type="button"
        inert={isCovering}
        class={`dock-bar ${count > 0 ? 'dock-bar-waits' : ''}`}
        aria-expanded={isOpen.value}
        aria-controls="dock"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name={count > 0 ? 'question' : 'send'} />
        <span class="cut">{bar}</span>
        <Icon name={isOpen.value ? 'down' : 'up'} />
      </button>
      <aside id="dock" class={`dock ${isOpen.value ? 'dock-open' : ''}`} aria-label="Questions and steering">
        <header class="dock-head">
          <h2 tabIndex={-1} id="dock-title">
            {words}
          </h2>
          <span class="dock-close">
            <Button
              look="plain"
              icon="down"
              label="Close the questions"
              onClick={() => {
                isOpen.value = false;
              }}
            />
          </span>
        </header>
        <div class="dock-cards">
          <QuestionCards store={store} />
        </div>
        {hasSteering(store) && (
          <div class="dock-steering">
            <SteeringBar store={store} />
          </div>
        )}
      </aside>
      {/* Not within the cards, which a narrow window hides: a dialog in what is hidden would block the page and not be seen. */}
      {count > 0 && <TogetherList store={store} />}
    </>
  );
}

/** Moves the focus into the sheet when it opens, and back to its button when it closes. */
function useFocusInSheet(isCovering: boolean, opener: { current: HTMLButtonElement | null }): void {
  const wasCovering = useRef(false);
  useEffect(() => {
    const was = wasCovering.current;
    wasCovering.current = isCovering;
    if (isCovering && !document.activeElement?.closest('#dock'))
      document.getElementById('dock-title')?.focus();
    const { activeElement } = document;
    const isNowhere = activeElement === document.body || activeElement?.closest('#dock');
    if (was && !isCovering && isNowhere) opener.current?.focus();
  }, [isCovering, opener]);
}
