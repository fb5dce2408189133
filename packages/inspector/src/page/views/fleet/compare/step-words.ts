// Describes steps in words: a name, and the content on one line.
import type { Difference } from '../../../../model/fleet/compare/compare-steps.js';
import type { StoryItem } from '../../../../model/story/story-item.js';

const NAMES: Record<Exclude<StoryItem['kind'], 'call'>, string> = {
  prompt: 'Prompt',
  text: 'Text',
  thinking: 'Thinking',
  question: 'Question',
  mark: 'Event',
  answer: 'Answer',
};

export function stepNameOf(item: StoryItem): string {
  if (item.kind !== 'call') return NAMES[item.kind];
  return item.server === undefined ? item.name : `${item.server}: ${item.name}`;
}

const LINE = 200;

/** The beginning of the content of a step, on one line. */
export function stepLineOf(item: StoryItem): string {
  return stepTextOf(item).slice(0, LINE).replaceAll(/\s+/g, ' ');
}

/** The whole content of a step; for a call, its input. */
export function stepTextOf(item: StoryItem): string {
  if (item.kind === 'question') return item.title;
  return item.kind === 'call' ? item.inputText || JSON.stringify(item.input ?? {}) : item.text;
}

const WHAT: Record<Difference['what'], string> = {
  text: 'text',
  input: 'input',
  output: 'result',
  outcome: 'outcome',
  decision: 'decision',
  duration: 'duration',
  tokens: 'tokens',
};

/** The ways in which two steps differ: `input, result`. */
export function tellDifferences(differences: readonly Difference[]): string {
  return differences.map(({ what }) => WHAT[what]).join(', ');
}
