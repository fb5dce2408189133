// The story as a flat list of rows, with the items of subagents below the calls that started them. It also finds the rows
// to jump to: turns, errors, search results.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { CallItem, StoryItem } from './story-item.js';

/** The items in reading order, without those inside folded calls. */
export function listRows(items: readonly StoryItem[], isFolded: (call: CallItem) => boolean): StoryItem[] {
  const rows: StoryItem[] = [];
  // An explicit stack instead of recursion, because a recording may nest subagents without limit.
  const lists = [items[Symbol.iterator]()];
  for (let list = lists.at(-1); list; list = lists.at(-1)) {
    const { done, value: item } = list.next();
    if (done === true) {
      lists.pop();
      continue;
    }
    rows.push(item);
    if (item.kind === 'call' && item.children.length > 0 && !isFolded(item))
      lists.push(item.children[Symbol.iterator]());
  }
  return rows;
}

export function isErrorItem(item: StoryItem): boolean {
  switch (item.kind) {
    case 'call':
      return item.state === 'failed';
    case 'mark':
      return item.isError;
    case 'text':
      return item.isError === true;
    case 'answer':
      return !item.ok && item.isInterrupted !== true;
    default:
      return false;
  }
}

export function isTurnStart(item: StoryItem): boolean {
  return item.kind === 'prompt' && item.depth === 0 && item.isFromCli !== true;
}

/** The index of the next row that fits, from an index in a direction. The search wraps around; undefined if none fits. */
export function findStoryRow(
  rows: readonly StoryItem[],
  from: number,
  step: 1 | -1,
  fits: (item: StoryItem) => boolean,
): number | undefined {
  for (let count = 1; count <= rows.length; count += 1) {
    const index = (((from + step * count) % rows.length) + rows.length) % rows.length;
    if (fits(rows[index] as StoryItem)) return index;
  }
  return undefined;
}

/** The indexes of the rows that contain a text, in upper or lower case. */
export function searchRows(rows: readonly StoryItem[], query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const found: number[] = [];
  for (const [index, item] of rows.entries()) if (textOfItem(item).includes(wanted)) found.push(index);
  return found;
}

const MOST_SEARCHED = 100_000;
/** The searchable texts of items that are settled, so that they are collected only once. */
const texts = new WeakMap<StoryItem, string>();

function textOfItem(item: StoryItem): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = collectText(item).slice(0, MOST_SEARCHED).toLowerCase();
  if (isSettled(item)) texts.set(item, text);
  return text;
}

function isSettled(item: StoryItem): boolean {
  if (item.kind === 'text' || item.kind === 'thinking') return !item.isStreaming;
  if (item.kind === 'call') return item.endT !== undefined;
  return item.kind !== 'question' || item.settledT !== undefined;
}

function collectText(item: StoryItem): string {
  switch (item.kind) {
    case 'call': {
      const { toolName, input, ranInput, inputText, output, permission, blockedBy } = item;
      const results = output.map((part) =>
        part.type === 'text' ? part.text : part.type === 'json' ? stringifyDeep(part.value) : part.mediaType,
      );
      const given = input === undefined ? inputText : stringifyDeep(input);
      const ran = ranInput === undefined ? '' : stringifyDeep(ranInput);
      return [toolName, given, ran, ...results, permission?.message, blockedBy?.reason].join('\n');
    }
    case 'mark':
      return `${item.text}\n${item.detail ?? ''}`;
    case 'question':
      return `${item.title}\n${item.message ?? ''}`;
    case 'answer':
      // The same text is found in an item above.
      return item.isRepeated ? '' : item.text;
    default:
      return item.text;
  }
}
