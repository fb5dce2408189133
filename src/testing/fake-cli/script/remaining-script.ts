// The part of a script that is not played yet, and what can be said about it without playing it.
import type { FakeScriptItem } from './fake-step.js';

export class RemainingScript {
  #items: FakeScriptItem[] = [];

  /** The item at the front, which stays there while it is played; undefined at the end. */
  get next(): FakeScriptItem | undefined {
    return this.#items[0];
  }

  /** Adds items at the end. */
  append(...items: readonly FakeScriptItem[]): void {
    this.#items.push(...items);
  }

  /** Replaces the item at the front; with nothing, it counts as played. */
  replaceNext(...items: readonly FakeScriptItem[]): void {
    this.#items.splice(0, 1, ...items);
  }

  /** Puts items right behind the one at the front. */
  insertBehindNext(...items: readonly FakeScriptItem[]): void {
    this.#items.splice(1, 0, ...items);
  }

  /** Drops the rest of the turn: up to its end, or to the prompt of the next. */
  skipTurn(): void {
    for (;;) {
      const item = this.#items.shift();
      if (item === undefined) return;
      if (typeof item === 'function') continue;
      if (isList(item)) this.#items.unshift(...item);
      else if (item.do === 'endTurn') return;
      else if (item.do === 'expectPrompt') {
        this.#items.unshift(item);
        return;
      }
    }
  }

  /** The names of the items left; a step at the front that waits forever counts as played. */
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

function nameItem(item: FakeScriptItem): string {
  if (typeof item === 'function') return 'a function';
  if (isList(item)) return item.map(nameItem).join(', ');
  if (item.do === 'useTools') return `useTool(${item.calls.map(({ name }) => name).join(', ')})`;
  return item.do;
}
