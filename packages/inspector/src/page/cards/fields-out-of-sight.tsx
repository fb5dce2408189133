// Says on a card how many fields of its form are out of sight: what is allowed should have been seen.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { formatCountOf } from '../../model/format.js';
import { Icon } from '../components/icons.js';

/** What one looks for: each field of a form, and each question of the model. */
const FIELDS = '.field:not(.field-group), .ask-one';
/** A field of which less is cut, in pixels, counts as seen. */
const EDGE = 8;

interface OutOfSight {
  above: number;
  below: number;
  /** What is counted. */
  what: 'field' | 'question';
}

/** A button that scrolls on; draws nothing while everything is in sight. */
export function FieldsOutOfSight({ box }: { box: RefObject<HTMLElement | null> }) {
  const hidden = useSignal<OutOfSight>({ above: 0, below: 0, what: 'field' });
  useLayoutEffect(() => {
    const element = box.current as HTMLElement;
    const look = (): void => {
      const next = countOutOfSight(element);
      const known = hidden.peek();
      if (next.above !== known.above || next.below !== known.below) hidden.value = next;
    };
    const watcher = new ResizeObserver(look);
    // The box is as high as before when a field is added, and what is in it is not.
    for (const watched of [element, ...element.children]) watcher.observe(watched);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', look);
    };
  });
  const { above, below, what } = hidden.value;
  if (above + below === 0) return null;
  return (
    <button
      type="button"
      class="qcard-more"
      onClick={() => {
        const element = box.current as HTMLElement;
        element.scrollBy({ top: (below > 0 ? 0.8 : -0.8) * element.clientHeight });
      }}
    >
      <Icon name={below > 0 ? 'down' : 'up'} />
      {wordsOf({ above, below, what })}
    </button>
  );
}

function wordsOf({ above, below, what }: OutOfSight): string {
  if (below === 0) return `${formatCountOf(above, what)} above`;
  return `${formatCountOf(below, `more ${what}`)} below${above > 0 ? `, ${above} above` : ''}`;
}

/** A field that is higher than the box is in sight when it fills it. */
function countOutOfSight(box: HTMLElement): OutOfSight {
  const frame = box.getBoundingClientRect();
  const what = box.querySelector('.ask-one') ? 'question' : 'field';
  const counted: OutOfSight = { above: 0, below: 0, what };
  // Hidden as in a closed sheet: nothing is laid out.
  if (frame.height === 0) return counted;
  for (const field of box.querySelectorAll(FIELDS)) {
    const { top, bottom } = field.getBoundingClientRect();
    const isCutAbove = top < frame.top - EDGE;
    const isCutBelow = bottom > frame.bottom + EDGE;
    if (isCutAbove && !isCutBelow) counted.above += 1;
    if (isCutBelow && !isCutAbove) counted.below += 1;
  }
  return counted;
}
