// Turns the story of a session into a list of steps that can be aligned with those of another. The steps of a subagent follow
// the call that started it. Ids and times do not count for the alignment, because they differ in any two runs.
import type { OutputPart, StoryItem } from '../../story/story-item.js';
import type { AlignedEntry } from './align.js';

/** One thing that happened. */
export interface StoryStep {
  item: StoryItem;
  /** How many subagents the step is nested in. */
  depth: number;
  /** The index of the turn, from 0. A turn begins with its prompt. */
  turn: number;
  token: AlignedEntry;
}

/** Marks of beginnings and ends. Every run has them, and the totals show their differences. */
const LEFT_OUT = new Set(['start', 'end']);

/** The steps of a story, in order. */
export function listSteps(items: readonly StoryItem[]): StoryStep[] {
  const steps: StoryStep[] = [];
  let turn = 0;
  const add = (list: readonly StoryItem[], depth: number): void => {
    for (const item of list) {
      if (item.kind === 'mark' && LEFT_OUT.has(item.what)) continue;
      // A prompt of the main conversation begins a turn.
      if (item.kind === 'prompt' && depth === 0 && steps.length > 0) turn += 1;
      steps.push({ item, depth, turn, token: tokenOf(item, depth) });
      if (item.kind === 'call') add(item.children, depth + 1);
    }
  };
  add(items, 0);
  return steps;
}

function tokenOf(item: StoryItem, depth: number): AlignedEntry {
  const loose = `${depth} ${looseOf(item)}`;
  return { loose, exact: `${loose} ${contentOf(item)}` };
}

function looseOf(item: StoryItem): string {
  switch (item.kind) {
    case 'call':
      return `call ${item.toolName}`;
    case 'question':
      return `question ${item.questionKind}`;
    case 'mark':
      return `mark ${item.what}`;
    default:
      return item.kind;
  }
}

function contentOf(item: StoryItem): string {
  switch (item.kind) {
    case 'call':
      return JSON.stringify([
        item.ranInput ?? item.input,
        outputText(item.output),
        item.state,
        item.permission?.outcome,
      ]);
    case 'question':
      return JSON.stringify([item.title, item.outcome, item.message]);
    case 'answer':
      return JSON.stringify([item.subtype, item.text]);
    default:
      return item.text;
  }
}

/** The output of a tool as one text. Images and files are replaced by their type and size. */
export function outputText(parts: readonly OutputPart[]): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'json'
        ? JSON.stringify(part.value)
        : `[${part.type} ${part.mediaType}, ${part.bytes} bytes]`;
    })
    .join('\n');
}
