// A button that copies a text and says whether that worked. A page from disk has no clipboard interface, so it copies by a
// selection.
import { useSignal } from '@preact/signals';
import { Button } from './button.js';

const SHOWN_MS = 1600;

export interface CopyButtonProps {
  /** The text, or a function that gets it on the click. */
  text: string | (() => string | Promise<string>);
  /** What is copied, for the label: "Copy the line". */
  label: string;
  /** Shows the word beside the icon. */
  hasWord?: boolean | undefined;
}

export function CopyButton({ text, label, hasWord = false }: CopyButtonProps) {
  const state = useSignal<'ready' | 'done' | 'failed'>('ready');
  const copy = async (): Promise<void> => {
    const value = typeof text === 'string' ? text : await text();
    state.value = (await copyText(value)) ? 'done' : 'failed';
    setTimeout(() => {
      state.value = 'ready';
    }, SHOWN_MS);
  };
  const word = { ready: 'Copy', done: 'Copied', failed: 'Not copied' }[state.value];
  return (
    <Button
      look="plain"
      icon={state.value === 'done' ? 'check' : state.value === 'failed' ? 'cross' : 'copy'}
      label={state.value === 'ready' ? label : word}
      onClick={() => {
        copy().catch(() => {
          state.value = 'failed';
        });
      }}
    >
      {hasWord || state.value !== 'ready' ? word : undefined}
    </Button>
  );
}

/** Copies a text; resolves with whether that worked. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  const focused = document.activeElement;
  field.value = text;
  field.className = 'off-screen';
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  try {
    // Deprecated, but its successor, `navigator.clipboard`, does not work on pages from disk.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
