// Short notices that disappear by themselves. Screen readers read them out at their next pause.
import { signal } from '@preact/signals';
import { Icon } from './icons.js';

interface Toast {
  id: number;
  text: string;
  kind: 'note' | 'error';
}

/** Long enough to read a sentence twice. */
const SHOWN_MS = 6000;
const MOST = 4;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows a sentence for a few seconds. */
export function showToast(text: string, kind: Toast['kind'] = 'note'): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value.slice(1 - MOST), { id, text, kind }];
  setTimeout(() => drop(id), SHOWN_MS);
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`toast toast-${kind}`}>
          {kind === 'error' && <Icon name="warning" />}
          <span>{text}</span>
          <button type="button" class="toast-close" aria-label="Dismiss" onClick={() => drop(id)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
