// From other views to a place in the story: the call that is meant, else what was told last before an event.
import type { SessionModel } from '../../../model/session-model.js';
import type { StoryItem } from '../../../model/story/story-item.js';
import type { Store } from '../../store/store.js';
import { placeOf } from './story-place.js';

/** What is looked for. */
export interface StoryTarget {
  n: number;
  toolUseId?: string | undefined;
  /** Ids of an event, the id of its call perhaps among them. */
  ids?: readonly string[] | undefined;
}

/** Shows the story of a session with a place of it in sight. */
export function showInStory(store: Store, model: SessionModel, target: StoryTarget): void {
  const place = placeOf(model, false);
  let index = findTarget(place.rows(), target);
  if (index === undefined && place.folded.value.size > 0) {
    // It may lie in a subagent that is folded.
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

/** The row with the latest event that is not after it. */
function findLast(rows: readonly StoryItem[], n: number): number | undefined {
  let best: number | undefined;
  for (const [index, item] of rows.entries())
    if (item.n <= n && (best === undefined || item.n >= (rows[best]?.n ?? 0))) best = index;
  return best;
}
