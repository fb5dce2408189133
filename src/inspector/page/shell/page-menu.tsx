// The menu of the page, where a window is too narrow for a row of buttons.
import { Dialog } from '../components/dialog.js';
import { Actions, type HeaderProps } from './header.js';

/** What the header offers on a phone, with words. */
export function PageMenu(props: HeaderProps) {
  return (
    <Dialog
      title="This page"
      class="menu"
      onClose={() => {
        props.overlay.value = undefined;
      }}
    >
      <div class="menu-rows">
        <Actions {...props} hasWords />
      </div>
    </Dialog>
  );
}
