// The names of the tools that sessions called. The search of the fleet looks in them too.
import type { StoryItem } from '../../../model/story/story-item.js';
import type { Store } from '../../store/store.js';

/** The tools that a session called. None for a session that is neither chosen nor compared, so that nothing more is read. */
export function toolNamesOf(store: Store, id: string): readonly string[] {
  const loaded = [store.selected.value, store.compared.value].includes(id) ? store.load(id) : undefined;
  if (!loaded) return [];
  void loaded.revision.value;
  const names = new Set<string>();
  const collect = (items: readonly StoryItem[]): void => {
    for (const item of items)
      if (item.kind === 'call') {
        names.add(item.toolName);
        collect(item.children);
      }
  };
  collect(loaded.model.story.items);
  return [...names];
}
