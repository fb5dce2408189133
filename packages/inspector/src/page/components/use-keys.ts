// Binds keys while a component is on the page, and listens to the keyboard for the whole page.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { bindKeys, pressKey, type KeySet } from '../store/keys.js';

/** Binds the keys of a set to functions while the component is shown. A key without a function does nothing. */
export function useKeys<Name extends string>(
  set: KeySet<Name>,
  actions: Readonly<Partial<Record<Name, () => void>>>,
  place: 'over' | 'under' = 'over',
): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Before the next frame: what can be seen answers to its keys.
  useLayoutEffect(() => bindKeys(set, (name) => latest.current[name]?.(), place), [set, place]);
}

/** Listens to the keyboard. Typing, keys that a component has handled, and all keys during a dialog are left alone. */
export function listenForKeys(page: Document): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || page.querySelector('dialog[open]')) return;
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    // Enter and Space press these elements.
    if (target?.closest('button, a, summary, [role=button]') && (event.key === 'Enter' || event.key === ' '))
      return;
    const { key, ctrlKey, metaKey, altKey } = event;
    if (pressKey({ key, ctrlKey, metaKey, altKey, isInField: isField(target) })) event.preventDefault();
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}

function isField(target: HTMLElement | undefined): boolean {
  if (!target) return false;
  if (target.isContentEditable || target.matches('textarea, select')) return true;
  return target.matches('input:not([type=checkbox], [type=radio], [type=button], [type=range])');
}
