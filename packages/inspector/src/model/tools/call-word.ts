// Says in the tools view what became of a call, in the words of the story: a call that waits for a person does not run.
import { stateWord } from '../story/call-lines.js';
import type { Story } from '../story/story.js';
import type { CallItem } from '../story/story-item.js';
import type { ObservedCall } from './tool-entry.js';

/** The word for the state of a call, and the state that gives it its colour. */
export function wordOfCall(
  story: Story,
  { toolUseId, state, completed }: ObservedCall,
): { word: string; state: CallItem['state'] } {
  const item = story.callOf(toolUseId);
  if (!item) return { word: state, state };
  // Of a call that was cut off, the word says already what its completion found.
  const isLater = completed !== undefined && item.state !== 'cut';
  return { word: isLater ? `${stateWord(item)}, completed later` : stateWord(item), state: item.state };
}
