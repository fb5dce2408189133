// Creates a link that lets another browser in, once.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isRecord } from '@inboard/core/util/guards.js';
import { CopyButton } from '../components/copy-button.js';
import { Dialog } from '../components/dialog.js';
import type { Store } from '../store/store.js';

export function LinkDialog({ store, onClose }: { store: Store; onClose: () => void }) {
  const url = useSignal<string | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  useEffect(() => {
    void store.source.act({ action: 'create-link' }).then((answer) => {
      const made = answer.ok && isRecord(answer.result) ? answer.result['url'] : undefined;
      if (typeof made === 'string') url.value = made;
      else trouble.value = answer.ok ? 'The server sent no link.' : answer.error.message;
    });
  }, [store]);
  return (
    <Dialog title="A link for another browser" onClose={onClose}>
      <p>
        It works once, on this computer. Whoever opens it sees what you see
        {store.state.value?.isReadOnly === true ? '.' : ', and may answer and steer.'}
      </p>
      {trouble.value !== undefined && (
        <p class="link-trouble" role="alert">
          {trouble.value}
        </p>
      )}
      <div class="link-row">
        <input
          class="mono"
          readOnly
          aria-label="The link"
          value={url.value ?? ''}
          placeholder={trouble.value === undefined ? 'Creating it…' : ''}
          onFocus={(event) => event.currentTarget.select()}
        />
        {url.value !== undefined && <CopyButton text={url.value} label="Copy the link" hasWord />}
      </div>
    </Dialog>
  );
}
