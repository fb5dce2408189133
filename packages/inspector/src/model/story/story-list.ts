// The items of a story, in order, and the marks among them.
import type { Notice } from './read-notice.js';
import type { CallItem, MarkItem, StoryItem } from './story-item.js';

/** The event that something came from: its number, its time, and whether it was cut for the page. */
export interface EventPlace {
  n: number;
  t: number;
  isCut?: boolean | undefined;
}

/** A list that only grows. */
export class StoryList {
  readonly items: StoryItem[] = [];
  /** How many items were added, including those of subagents. */
  additions = 0;

  /** Adds an item at the end of the story, or of the items of a subagent. */
  add(item: StoryItem, parent?: CallItem): void {
    this.additions += 1;
    (parent?.children ?? this.items).push(item);
  }

  /** Adds a mark to the main conversation. Consecutive retries share one mark, which shows the last of them. */
  mark({ what, text, detail, isError, crash }: Notice, { n, t }: EventPlace): void {
    const last = this.items.at(-1);
    if (what === 'retry' && last?.kind === 'mark' && last.what === 'retry') {
      last.text = text;
      return;
    }
    const mark: MarkItem = {
      kind: 'mark',
      key: `mark ${n} ${what}`,
      n,
      t,
      depth: 0,
      what,
      text,
      detail,
      isError,
      ...(crash && { crash }),
    };
    this.add(mark);
  }
}
