// A box that can be scrolled sideways can be reached by the keyboard, and one that need not be is no stop for it.
import { nextTick } from 'vue';

/** Marks the boxes of each page that is shown, now and after the window changed. */
export function watchBoxes(router) {
  const mark = () => {
    for (const box of document.querySelectorAll('.table-box')) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    }
  };
  const before = router.onAfterPageLoad;
  router.onAfterPageLoad = async (to) => {
    await before?.(to);
    await nextTick();
    mark();
  };
  addEventListener('resize', mark);
  mark();
}
