// Compares two stories step by step: which steps are the same, which only one has, and how the others differ.
import type { CallItem, StoryItem } from '../../story/story-item.js';
import { alignTokens, type Pair, type AlignedEntry } from './align.js';
import { diffValues, type ValueChange } from '@inboard/core/util/diff-values.js';
import { listSteps, outputText, type StoryStep } from './story-step.js';

/** One way in which two steps differ. */
export type Difference =
  | { what: 'text' | 'output'; left: string; right: string }
  | { what: 'input'; changes: ValueChange[] }
  | { what: 'outcome' | 'decision'; left: string; right: string }
  | { what: 'duration' | 'tokens'; left: number; right: number };

/** A step of one run, of the other, or of both. */
export interface ComparedStep {
  verdict: 'same' | 'differs' | 'left' | 'right';
  left: StoryStep | undefined;
  right: StoryStep | undefined;
  differences: Difference[];
}

// Two runs never take exactly the same time. A difference is shown only if one step takes at least twice as long as the
// other, and at least a second longer. A difference of tokens is shown only if one step has at least twice as many, and at
// least 1,000 more.
const NOTABLE_FACTOR = 2;
const NOTABLE_MS = 1000;
const NOTABLE_TOKENS = 1000;

/** Aligns the turns first, then the steps within each pair of turns. */
export function compareStories(left: readonly StoryItem[], right: readonly StoryItem[]): ComparedStep[] {
  const turns = listTurns(left);
  const others = listTurns(right);
  return pairTurns(turns, others).flatMap((pair) => {
    const [ours, theirs] = [pick(turns, pair.left) ?? [], pick(others, pair.right) ?? []];
    return alignTokens(ours.map(tokenOf), theirs.map(tokenOf)).map((at) =>
      compareStep(pick(ours, at.left), pick(theirs, at.right)),
    );
  });
}

function tokenOf({ token }: StoryStep): AlignedEntry {
  return token;
}

function pick<T>(list: readonly T[], at: number | undefined): T | undefined {
  return at === undefined ? undefined : list[at];
}

function listTurns(items: readonly StoryItem[]): StoryStep[][] {
  const turns: StoryStep[][] = [];
  for (const step of listSteps(items)) (turns[step.turn] ??= []).push(step);
  return turns;
}

/** Pairs turns with the same prompt. Between those, turns without a partner are paired in their order. */
function pairTurns(left: readonly StoryStep[][], right: readonly StoryStep[][]): Pair[] {
  const prompt = (steps: readonly StoryStep[]): AlignedEntry => {
    const exact = steps[0]?.token.exact ?? '';
    return { exact, loose: exact };
  };
  const pairs: Pair[] = [];
  for (const pair of alignTokens(left.map(prompt), right.map(prompt))) {
    const open = pair.left === undefined ? findOpen(pairs) : undefined;
    if (open) open.right = pair.right;
    else pairs.push(pair);
  }
  return pairs;
}

/** The list may end with pairs that have no turn on the right. Gives the first of these; undefined if there are none. */
function findOpen(pairs: readonly Pair[]): Pair | undefined {
  let open: Pair | undefined;
  for (const pair of pairs.toReversed()) {
    if (pair.right !== undefined) break;
    open = pair;
  }
  return open;
}

function compareStep(left: StoryStep | undefined, right: StoryStep | undefined): ComparedStep {
  if (left === undefined || right === undefined)
    return { verdict: left ? 'left' : 'right', left, right, differences: [] };
  const differences = [...diffContent(left.item, right.item), ...diffFigures(left.item, right.item)];
  return { verdict: differences.length > 0 ? 'differs' : 'same', left, right, differences };
}

function diffContent(left: StoryItem, right: StoryItem): Difference[] {
  if (left.kind === 'call' && right.kind === 'call') return diffCalls(left, right);
  const found: Difference[] = [];
  if (left.kind === 'question' && right.kind === 'question') {
    if (left.title !== right.title) found.push({ what: 'text', left: left.title, right: right.title });
    note(found, 'decision', left.outcome ?? 'open', right.outcome ?? 'open');
  } else if (left.kind !== 'question' && left.kind !== 'call' && 'text' in right) {
    if (left.text !== right.text) found.push({ what: 'text', left: left.text, right: right.text });
  }
  if (left.kind === 'answer' && right.kind === 'answer') note(found, 'outcome', left.subtype, right.subtype);
  return found;
}

function diffCalls(left: CallItem, right: CallItem): Difference[] {
  const found: Difference[] = [];
  const changes = diffValues(left.ranInput ?? left.input, right.ranInput ?? right.input);
  if (changes.length > 0) found.push({ what: 'input', changes });
  note(found, 'decision', decisionOf(left), decisionOf(right));
  note(found, 'outcome', left.state, right.state);
  const [output, other] = [outputText(left.output), outputText(right.output)];
  if (output !== other) found.push({ what: 'output', left: output, right: other });
  return found;
}

function decisionOf({ permission }: CallItem): string {
  if (permission === undefined) return 'not asked';
  return `${permission.outcome ?? 'open'}${permission.isEdited ? ', edited' : ''}`;
}

function note(found: Difference[], what: 'outcome' | 'decision', left: string, right: string): void {
  if (left !== right) found.push({ what, left, right });
}

function diffFigures(left: StoryItem, right: StoryItem): Difference[] {
  const found: Difference[] = [];
  const compare = (what: 'duration' | 'tokens', one: number | undefined, other: number | undefined): void => {
    if (one === undefined || other === undefined) return;
    const least = what === 'duration' ? NOTABLE_MS : NOTABLE_TOKENS;
    const [low, high] = one < other ? [one, other] : [other, one];
    if (high - low >= least && high >= low * NOTABLE_FACTOR) found.push({ what, left: one, right: other });
  };
  compare('duration', durationOf(left), durationOf(right));
  compare('tokens', tokensOf(left), tokensOf(right));
  return found;
}

/** How long a step took, in milliseconds; undefined if it has no duration or did not end. */
export function durationOf(item: StoryItem): number | undefined {
  if (item.kind === 'answer') return item.durationMs;
  if (item.kind !== 'call' && item.kind !== 'text' && item.kind !== 'thinking') return undefined;
  return item.endT === undefined ? undefined : item.endT - item.t;
}

function tokensOf(item: StoryItem): number | undefined {
  if (item.kind !== 'answer') return undefined;
  const { input, output, cacheRead, cacheWrite } = item.tokens;
  return input + output + cacheRead + cacheWrite;
}

/** Consecutive equal steps as one group; any other step by itself. */
export type FoldedSteps = { kind: 'same'; steps: ComparedStep[] } | { kind: 'step'; step: ComparedStep };

/** The steps that differ, with the equal steps between them grouped. */
export function foldSame(steps: readonly ComparedStep[]): FoldedSteps[] {
  const stretches: FoldedSteps[] = [];
  for (const step of steps) {
    const last = stretches.at(-1);
    if (step.verdict !== 'same') stretches.push({ kind: 'step', step });
    else if (last?.kind === 'same') last.steps.push(step);
    else stretches.push({ kind: 'same', steps: [step] });
  }
  return stretches;
}
