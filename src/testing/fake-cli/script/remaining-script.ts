// The items of a script, looked at without playing them.
import type { FakeScriptItem } from './fake-step.js';

/** Whether an item is a list of items. */
export function isList(item: FakeScriptItem): item is readonly FakeScriptItem[] {
  return Array.isArray(item);
}

/** Whether a step waits until somebody else ends it. */
export function isEndless(item: FakeScriptItem): boolean {
  return 'do' in item && item.do === 'stall' && item.until === undefined;
}

/** What an item is called in a sentence. */
export function nameItem(item: FakeScriptItem): string {
  if (typeof item === 'function') return 'a function';
  if (isList(item)) return item.map(nameItem).join(', ');
  if (item.do === 'useTools') return `useTool(${item.calls.map(({ name }) => name).join(', ')})`;
  return item.do;
}

/** Takes away what is left of the turn: up to its end, or to the prompt of the next. */
export function skipTurn(pending: FakeScriptItem[]): void {
  for (;;) {
    const item = pending.shift();
    if (item === undefined) return;
    if (typeof item === 'function') continue;
    if (isList(item)) pending.unshift(...item);
    else if (item.do === 'endTurn') return;
    else if (item.do === 'expectPrompt') {
      pending.unshift(item);
      return;
    }
  }
}
