// The bar below a live session: send, interrupt, model, mode, rewind. A control that is disabled says why. While questions wait
// and nobody writes, it is one line.
import type { ComponentChildren } from 'preact';
import { signal, useSignal, type Signal } from '@preact/signals';
import type { Action } from '../../model/page-contract.js';
import { Button } from '../components/button.js';
import { Icon } from '../components/icons.js';
import type { Store } from '../store/store.js';
import { act } from './answer-card.js';
import { RewindDialog } from './rewind-dialog.js';
import { ModeSelect, ModelSelect } from './steering-selects.js';
import { whyNoSteering } from './why-no-steering.js';

/** The unsent messages, by session, kept while another session is shown. */
const messages = new WeakMap<Store, Map<string, Signal<string>>>();

/** Draws nothing for a page that is a file, or without a session. */
export function SteeringBar({ store }: { store: Store }) {
  const summary = store.summary.value;
  const said = useSignal<{ text: string; isError: boolean } | undefined>(undefined);
  const isRewinding = useSignal(false);
  const isWide = useSignal(false);
  /** Whether the field has the focus, or something beside it that one went to from there. */
  const isUsed = useSignal(false);
  if (store.source.kind === 'embedded' || !summary) return null;
  const session = summary.id;
  const text = messageOf(store, session);
  const never = whyNoSteering(store);
  // An unsent message stays visible after the end of the session, so that it can be copied.
  if (never !== undefined && text.value === '')
    return (
      <p class="steering-never" role="status">
        <Icon name="lock" />
        {never}. Nothing can be sent or changed here.
      </p>
    );
  const run = async (action: Action, done: string): Promise<boolean> => {
    said.value = undefined;
    const result = await act(() => store.source.act(action));
    said.value = { text: result.ok ? done : result.error.message, isError: !result.ok };
    return result.ok;
  };
  const why = (can: boolean, because: string): string | undefined => never ?? (can ? undefined : because);
  const isFolded = store.questions.value.length > 0 && text.value === '' && !isUsed.value;
  return (
    <div
      class={isFolded ? 'steering steering-folded' : 'steering'}
      onFocusIn={(event) => {
        if (event.target instanceof HTMLTextAreaElement) isUsed.value = true;
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null))
          afterThisPress(() => {
            if (!currentTarget.contains(document.activeElement)) isUsed.value = false;
          });
      }}
    >
      <div class="steering-parts">
        <MessageField
          text={text}
          offBecause={why(summary.can.send, 'This session takes no messages now')}
          onSend={(text) => run({ action: 'send', session, text }, 'Sent.')}
        >
          <Button
            look="danger"
            icon="stop"
            label="Interrupt"
            offBecause={why(summary.can.interrupt, 'There is nothing to interrupt now')}
            onClick={() => void run({ action: 'interrupt', session }, 'Interrupted.')}
          >
            Interrupt
          </Button>
          <span class="steering-toggle">
            <Button
              look="plain"
              icon="more"
              label="Model, permissions, rewind"
              isExpanded={isWide.value && !isFolded}
              onClick={() => {
                isWide.value = isFolded || !isWide.value;
                if (!isFolded) return;
                isUsed.value = true;
                requestAnimationFrame(() => document.querySelector<HTMLElement>('.steering select')?.focus());
              }}
            />
          </span>
        </MessageField>
        <div class={`steering-row steering-more ${isWide.value ? 'steering-more-open' : ''}`}>
          <ModelSelect
            store={store}
            offBecause={why(summary.can.setModel, 'The model cannot be changed now')}
            onChoose={(model) =>
              void run({ action: 'set-model', session, model }, `The model is now ${model}.`)
            }
          />
          <ModeSelect
            mode={summary.permissionMode}
            offBecause={why(summary.can.setMode, 'The permission mode cannot be changed now')}
            onChoose={(mode) =>
              void run({ action: 'set-mode', session, mode }, `The permission mode is now ${mode}.`)
            }
          />
          <Button
            icon="back"
            class="steering-rewind"
            offBecause={why(summary.can.rewind, 'Files cannot be rewound: the session keeps no checkpoints')}
            onClick={() => {
              isRewinding.value = true;
            }}
          >
            Rewind
          </Button>
        </div>
      </div>
      <p class={`steering-said ${said.value?.isError ? 'qcard-error' : ''}`} role="status">
        {said.value?.isError && <Icon name="warning" />}
        {said.value?.text}
      </p>
      {isRewinding.value && (
        <RewindDialog
          store={store}
          session={session}
          onDone={(text) => {
            said.value = { text, isError: false };
          }}
          onClose={() => {
            isRewinding.value = false;
          }}
        />
      )}
    </div>
  );
}

/**
 * Runs after the key or button that is pressed has been let go. If the bar folded while a mouse button is down, what is under
 * the pointer would move away before it is clicked.
 */
function afterThisPress(run: () => void): void {
  const over = new AbortController();
  const later = (): void => {
    over.abort();
    requestAnimationFrame(run);
  };
  for (const type of ['pointerup', 'keyup'])
    document.addEventListener(type, later, { signal: over.signal, capture: true });
}

function messageOf(store: Store, session: string): Signal<string> {
  let known = messages.get(store);
  if (!known) messages.set(store, (known = new Map()));
  let text = known.get(session);
  if (!text) known.set(session, (text = signal('')));
  return text;
}

interface MessageFieldProps {
  text: Signal<string>;
  offBecause: string | undefined;
  onSend: (text: string) => Promise<boolean>;
  children: ComponentChildren;
}

function MessageField({ text, offBecause, onSend, children }: MessageFieldProps) {
  const isSending = useSignal(false);
  const isEmpty = text.value.trim() === '';
  const send = async (): Promise<void> => {
    if (isEmpty || offBecause !== undefined || isSending.value) return;
    isSending.value = true;
    const sent = text.value;
    // If the text was changed while it was sent, the new text stays.
    if ((await onSend(sent)) && text.value === sent) text.value = '';
    isSending.value = false;
  };
  return (
    <>
      <textarea
        class="field-area steering-text"
        dir="auto"
        aria-label="Message to the session"
        placeholder={offBecause ?? 'Message. Ctrl+Enter sends it.'}
        rows={2}
        readOnly={offBecause !== undefined}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="steering-row">
        {children}
        <Button
          look="primary"
          icon="send"
          class="steering-send"
          shortcut="Ctrl+Enter"
          offBecause={offBecause ?? (isEmpty ? 'Write a message first' : undefined)}
          onClick={() => void send()}
        >
          Send
        </Button>
      </div>
    </>
  );
}
