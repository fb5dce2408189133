// Media queries as signals, so that components are drawn again when the size of the window changes.
import { signal, type ReadonlySignal } from '@preact/signals';

const known = new Map<string, ReadonlySignal<boolean>>();

/** The same widths as in `work.css` and `lists.css`. */
export const NO_COLUMNS = '(max-width: 1179px)';
export const NO_SPLIT = '(max-width: 860px)';

/** Whether a media query matches now. Components that read it are drawn again when that changes. */
export function fitsMedia(query: string): boolean {
  let fits = known.get(query);
  if (!fits) {
    const media = matchMedia(query);
    const now = signal(media.matches);
    media.addEventListener('change', () => {
      now.value = media.matches;
    });
    known.set(query, (fits = now));
  }
  return fits.value;
}
