// What the parts of a story are drawn with. Types only.
import type { StoryItem } from '../../../model/story/story-item.js';
import type { Store } from '../../store/store.js';

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
