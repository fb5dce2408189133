// The props of the components that draw the items of a story. Types only.
import type { StoryItem } from '../../../model/story/story-item.js';
import type { Store } from '../../store/store.js';

/** The props for every item. */
export interface ItemProps<Item extends StoryItem = StoryItem> {
  item: Item;
  store: Store;
  session: string;
  /** The search text. */
  query: string;
  /** The number of the turn that begins here. */
  turn: number | undefined;
  isOpen: boolean;
  onToggle: () => void;
  /** Whether the items of a subagent are hidden. */
  isFolded: boolean;
  onFold: () => void;
}
