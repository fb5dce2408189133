// One row of the story: its time at the side, its item, and the rails of the subagents it belongs to.
import { formatClock } from '../../../model/format.js';
import type { StoryItem } from '../../../model/story/story-item.js';
import type { Store } from '../../store/store.js';
import { CallCard } from './call-card.js';
import { Answer, Asked, Mark, Prompt, Said, Thinking } from './turn-items.js';

/** What every item is drawn with. */
export interface ItemProps<Item extends StoryItem = StoryItem> {
  item: Item;
  store: Store;
  session: string;
  /** What is searched for. */
  query: string;
  /** The number of the turn that begins here. */
  turn: number | undefined;
  isOpen: boolean;
  onToggle: () => void;
  /** Whether what a subagent did is hidden. */
  isFolded: boolean;
  onFold: () => void;
}

const MOST_RAILS = 6;

export function StoryRow(props: ItemProps) {
  const { item } = props;
  const rails = Math.min(MOST_RAILS, item.depth);
  return (
    <div class={`story-row story-${item.kind}`}>
      <span class="story-time number" aria-hidden="true">
        {formatClock(item.t)}
      </span>
      <div class="story-body" style={{ '--rails': String(rails) }}>
        {rails > 0 && <span class="story-rails" aria-hidden="true" />}
        <Item {...props} />
      </div>
    </div>
  );
}

function Item({ item, ...rest }: ItemProps) {
  switch (item.kind) {
    case 'prompt':
      return <Prompt item={item} {...rest} />;
    case 'thinking':
      return <Thinking item={item} {...rest} />;
    case 'text':
      return <Said item={item} {...rest} />;
    case 'call':
      return <CallCard item={item} {...rest} />;
    case 'question':
      return <Asked item={item} {...rest} />;
    case 'mark':
      return <Mark item={item} {...rest} />;
    default:
      return <Answer item={item} {...rest} />;
  }
}
