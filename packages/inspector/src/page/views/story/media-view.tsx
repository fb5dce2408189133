// Draws images. Only image types that cannot contain code are drawn.
import { formatBytes } from '../../../model/format.js';
import type { MediaPart } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';

const DRAWN = /^image\/(?:png|jpeg|gif|webp|avif)$/;

/** An image, or its description if it is not drawn. */
export function DrawnMedia({ media, name }: { media: MediaPart; name: string }) {
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
