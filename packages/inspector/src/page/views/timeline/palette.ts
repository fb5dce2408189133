// The colours of the page for drawing on a canvas. They are read from the CSS tokens, again when the theme changes.
import type { ShareKey } from '../../../model/time/time-span.js';
import { SHARE_KINDS } from '../../../model/share-words.js';

/** The colours and the font for drawing. */
export interface Palette {
  solid: Record<ShareKey, string>;
  wash: Record<ShareKey, string>;
  ink: string;
  soft: string;
  edge: string;
  edgeStrong: string;
  surface: string;
  sunken: string;
  error: string;
  errorInk: string;
  focus: string;
  font: string;
}

/** The colours as they are for an element now. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const colours = (ending: string): Record<ShareKey, string> =>
    Object.fromEntries(SHARE_KINDS.map(({ key, tone }) => [key, read(`${tone}${ending}`)])) as Record<
      ShareKey,
      string
    >;
  return {
    solid: colours(''),
    wash: { ...colours('-wash'), idle: read('sunken') },
    ink: read('ink'),
    soft: read('ink-soft'),
    edge: read('edge'),
    edgeStrong: read('edge-strong'),
    surface: read('surface'),
    sunken: read('sunken'),
    error: read('error'),
    errorInk: read('error-ink'),
    focus: read('focus'),
    font: style.fontFamily,
  };
}

/** Calls `changed` when the colours may have changed: the reader chose a theme, or the system's changed. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const media = matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', changed);
  };
}
