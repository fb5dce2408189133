// The controls of the page as a menu with words, for phones. It is loaded when it is first opened.
import { Dialog } from '../components/dialog.js';
import { PageActions, type HeaderProps } from './header.js';

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
        <PageActions {...props} hasWords />
      </div>
    </Dialog>
  );
}
