// Draws long texts and images. Only image types that cannot contain code are drawn.
import { useSignal } from '@preact/signals';
import { formatBytes, formatCount } from '../../../model/format.js';
import type { MediaPart } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';
import { Marked } from './text-view.js';

const DRAWN = /^image\/(?:png|jpeg|gif|webp|avif)$/;
/** Longer texts are folded. */
const LONG_TEXT = 1600;
const FOLDED_TEXT = 1000;

/** An image, or its description if it is not drawn. */
export function MediaView({ media, name }: { media: MediaPart; name: string }) {
  const { type, mediaType, data, bytes } = media;
  if (type === 'image' && data !== undefined && DRAWN.test(mediaType))
    return <img class="story-image" src={`data:${mediaType};base64,${data}`} alt={`Image of ${name}`} />;
  return (
    <span class="story-file soft small">
      <Icon name="eye" />
      {mediaType}
      {bytes > 0 ? `, ${formatBytes(bytes)}` : ', too large to be sent at once'}
    </span>
  );
}

/** A text as it is, folded if it is long. */
export function LongText({ text, query }: { text: string; query: string }) {
  const isWhole = useSignal(false);
  const isLong = text.length > LONG_TEXT;
  const shown = isLong && !isWhole.value ? text.slice(0, FOLDED_TEXT) : text;
  return (
    <div class="long-text">
      <pre>
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
