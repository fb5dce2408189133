// The part of a script that has not been played yet.
import { describeReply } from '../../script/check-blocks.js';
import { isReply } from './check-script.js';
import type { FakeScriptItem } from './fake-step.js';

export class RemainingScript {
  #items: FakeScriptItem[] = [];
  #isOfReplies = true;

  /** The item at the front. It stays there while it is played. Undefined at the end of the script. */
  get next(): FakeScriptItem | undefined {
    return this.#items[0];
  }

  /** Whether a scripted model could play the script too, because it has only replies and functions. */
  get isOfReplies(): boolean {
    return this.#isOfReplies;
  }

  /** Adds items at the end. */
  append(...items: readonly FakeScriptItem[]): void {
    this.#isOfReplies &&= items.every(isOfModel);
    this.#items.push(...items);
  }

  /** Replaces the item at the front. Without new items, the item counts as played. */
  replaceNext(...items: readonly FakeScriptItem[]): void {
    this.#items.splice(0, 1, ...items);
  }

  /** Inserts items after the one at the front. */
  insertBehindNext(...items: readonly FakeScriptItem[]): void {
    this.#items.splice(1, 0, ...items);
  }

  /**
   * Drops the items of a turn that was interrupted: all up to and including `endTurn`, or all before the next
   * `expectPrompt`, reply, or function that may return a reply. A reply belongs to the next turn.
   */
  skipTurn(): void {
    const hasReplies = this.#isOfReplies || this.#items.some(holdsReply);
    for (;;) {
      const item = this.#items[0];
      if (item === undefined || isReply(item)) return;
      if (typeof item === 'function' && hasReplies) return;
      if (typeof item === 'object' && 'do' in item && item.do === 'expectPrompt') return;
      this.#items.shift();
      if (typeof item === 'function') continue;
      if (isList(item)) this.#items.unshift(...item);
      else if (item.do === 'endTurn') return;
    }
  }

  /** The names of the items that are left. A step at the front that waits forever counts as played. */
  listNames(): string[] {
    return this.#items.filter((item, index) => index > 0 || !isEndless(item)).map(nameItem);
  }
}

/** Whether an item is a list of items. */
export function isList(item: FakeScriptItem): item is readonly FakeScriptItem[] {
  return Array.isArray(item);
}

function isEndless(item: FakeScriptItem): boolean {
  return 'do' in item && item.do === 'stall' && item.until === undefined;
}

function isOfModel(item: FakeScriptItem): boolean {
  return typeof item === 'function' || (isList(item) ? item.every(isOfModel) : isReply(item));
}

function holdsReply(item: FakeScriptItem): boolean {
  return isList(item) ? item.some(holdsReply) : isReply(item);
}

function nameItem(item: FakeScriptItem): string {
  if (typeof item === 'function') return 'a function';
  if (isList(item)) return item.map(nameItem).join(', ');
  if (isReply(item)) return describeReply(item);
  if (item.do === 'useTools') return `useTool(${item.calls.map(({ name }) => name).join(', ')})`;
  return item.do;
}
