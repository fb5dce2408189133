// Tells the story of a session: prompts, thoughts, texts, calls and answers, in order, subagents inside the calls they work for.
import type { NumberedEvent } from '../../stream/inspector-event.js';
import type { StoryItem } from './story-item.js';

/** One session's. */
export class Story {
  readonly items: StoryItem[] = [];

  push(_event: NumberedEvent): void {}
}
