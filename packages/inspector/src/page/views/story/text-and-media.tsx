// Draws long texts, and images once the code for those is loaded.
import { useSignal } from '@preact/signals';
import { formatCount } from '../../../model/format.js';
import { lateView } from '../../components/late-view.js';
import { Marked } from './text-view.js';

/** Longer texts are folded. */
const LONG_TEXT = 1600;
const FOLDED_TEXT = 1000;

// Loaded on use, because few sessions have images.
export const MediaView = lateView(async () => (await import('./media-view.js')).DrawnMedia);

/** A text as it is, folded if it is long. */
export function LongText({ text, query }: { text: string; query: string }) {
  const isWhole = useSignal(false);
  const isLong = text.length > LONG_TEXT;
  const shown = isLong && !isWhole.value ? text.slice(0, FOLDED_TEXT) : text;
  return (
    <div class="long-text">
      <pre dir="auto">
        <Marked text={shown} query={query} />
        {shown === text ? '' : '…'}
      </pre>
      {isLong && (
        <button
          type="button"
          class="text-button"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
        </button>
      )}
    </div>
  );
}
