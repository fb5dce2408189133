// A dialog over the page. It is the browser's own, which keeps the focus inside and closes on Escape. When it closes, the focus
// goes back to where it was.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.js';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string | undefined;
}

/** A dialog that is open as long as it is drawn. */
export function Dialog({ title, onClose, children, class: extra = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current as HTMLDialogElement;
    const before = document.activeElement;
    dialog.showModal();
    // Content that scrolls must be reachable by the keyboard.
    const content = body.current;
    if (content && content.scrollHeight > content.clientHeight) content.tabIndex = 0;
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${extra}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // A click on the backdrop has the dialog itself as its target.
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2>{title}</h2>
          <Button look="plain" icon="cross" label="Close" shortcut="Esc" onClick={onClose} />
        </header>
        <div ref={body} class="dialog-body" role="group" aria-label={title}>
          {children}
        </div>
      </div>
    </dialog>
  );
}
