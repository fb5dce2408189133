// Leads from other views to a place in the story: to the item of an event, else to its call, else to the last item before it.
import type { SessionModel } from '../../../model/session-model.js';
import type { StoryItem } from '../../../model/story/story-item.js';
import type { Store } from '../../store/store.js';
import { placeOf } from './story-place.js';

/** The place to show. */
export interface StoryTarget {
  n: number;
  toolUseId?: string | undefined;
  /** The ids of an event, which may include the id of its call. */
  ids?: readonly string[] | undefined;
}

/** Shows the story of a session and scrolls to a place. */
export function showInStory(store: Store, model: SessionModel, target: StoryTarget): void {
  const place = placeOf(model, false);
  let index = findTarget(place.rows(), target);
  if (index === undefined && place.folded.value.size > 0) {
    // The item may be in a folded subagent.
    place.folded.value = new Set();
    index = findTarget(place.rows(), target);
  }
  place.wanted.value = index ?? findLast(place.rows(), target.n);
  store.show('story');
}

function findTarget(rows: readonly StoryItem[], { n, toolUseId, ids = [] }: StoryTarget): number | undefined {
  const index = rows.findIndex((item) =>
    toolUseId === undefined ? item.n === n : item.kind === 'call' && item.toolUseId === toolUseId,
  );
  if (index >= 0) return index;
  const call = rows.findIndex((item) => item.kind === 'call' && ids.includes(item.toolUseId));
  return call < 0 ? undefined : call;
}

/** The index of the last row whose event is not after event `n`. */
function findLast(rows: readonly StoryItem[], n: number): number | undefined {
  let best: number | undefined;
  for (const [index, item] of rows.entries())
    if (item.n <= n && (best === undefined || item.n >= (rows[best]?.n ?? 0))) best = index;
  return best;
}
