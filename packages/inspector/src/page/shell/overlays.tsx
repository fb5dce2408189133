// The overlays of the page, one at a time.
import type { Signal } from '@preact/signals';
import type { Preferences } from '../store/preferences.js';
import type { Store } from '../store/store.js';
import { FiguresDialog } from './figures-dialog.js';
import type { Overlay } from './header.js';
import { Help } from './help.js';
import { LinkDialog } from './link-dialog.js';
import { PageMenu } from './page-menu.js';
import { SessionSwitcher } from './session-switcher.js';

export function Overlays({
  store,
  preferences,
  overlay,
}: {
  store: Store;
  preferences: Preferences;
  overlay: Signal<Overlay>;
}) {
  const close = (): void => {
    overlay.value = undefined;
  };
  if (overlay.value === 'help') return <Help onClose={close} />;
  if (overlay.value === 'sessions') return <SessionSwitcher store={store} onClose={close} />;
  if (overlay.value === 'link') return <LinkDialog store={store} onClose={close} />;
  if (overlay.value === 'menu') return <PageMenu store={store} preferences={preferences} overlay={overlay} />;
  const summary = overlay.value === 'figures' ? store.figures.value : undefined;
  if (summary) return <FiguresDialog summary={summary} onClose={close} />;
  return null;
}
