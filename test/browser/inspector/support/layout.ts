// What is wrong with how a page is laid out, in words: nothing sideways, nothing on top of something else, nothing cut off.
import type { Page } from '../../support/page.js';

/** Widths a page must look right at: a telephone, half a screen, a wide one. */
export const WIDTHS = [360, 800, 1600];

/**
 * Names what sticks out of the page sideways, which of the named parts lie on top of each other, and whose text does not fit
 * into its own box though nothing says that it may be cut.
 */
export function findLayoutTroubles(page: Page, parts: readonly string[]): Promise<string[]> {
  return page.read<string[]>(`(() => {
    const troubles = [];
    const root = document.documentElement;
    const tell = (element) => element.tagName.toLowerCase() + (element.id ? '#' + element.id : '') +
      [...element.classList].map((name) => '.' + name).join('') + ' "' + element.textContent.trim().slice(0, 40) + '"';
    const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width > 1;
    // What is scrolled out of sight lies on nothing.
    const visibleBox = (element) => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue;
        const frame = around.getBoundingClientRect();
        left = Math.max(left, frame.left);
        right = Math.min(right, frame.right);
        top = Math.max(top, frame.top);
        bottom = Math.min(bottom, frame.bottom);
      }
      return { left, right, top, bottom };
    };
    if (root.scrollWidth > root.clientWidth) {
      troubles.push('the page is ' + root.scrollWidth + ' wide in ' + root.clientWidth);
      for (const element of document.body.querySelectorAll('*'))
        if (seen(element) && element.getBoundingClientRect().right > root.clientWidth + 1 && element.children.length === 0)
          troubles.push('sticks out: ' + tell(element));
    }
    const boxes = ${JSON.stringify(parts)}.flatMap((selector) => [...document.querySelectorAll(selector)])
      .filter(seen).map((element) => ({ element, box: visibleBox(element) }));
    boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
      if (one.element.contains(other.element) || other.element.contains(one.element)) return;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (wide > 1 && high > 1) troubles.push(tell(one.element) + ' lies on ' + tell(other.element));
    }));
    for (const element of document.body.querySelectorAll('*')) {
      const style = getComputedStyle(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis';
      if (element.clientWidth > 1 && isCut && seen(element)) troubles.push('is cut off: ' + tell(element));
    }
    return [...new Set(troubles)];
  })()`);
}

/** Controls smaller than a finger: under 32 pixels in either direction where they stand alone. Links within text may be. */
export function findSmallTargets(page: Page, within = 'body'): Promise<string[]> {
  return page.read<string[]>(`[...document.querySelector(${JSON.stringify(within)})
    .querySelectorAll('button, select, input, [role=tab], [role=option]')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => ({ element, box: (element.closest('label') ?? element).getBoundingClientRect() }))
    .filter(({ box }) => box.height < 31.5 || box.width < 23.5)
    .map(({ element, box }) => Math.round(box.width) + ' x ' + Math.round(box.height) + ': ' + element.outerHTML.slice(0, 120))`);
}
