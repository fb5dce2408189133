// The outline of a story: its turns, and in each of them the calls and what went wrong. The figures are those of the facts that
// all views share.
import type { SessionModel } from '../session-model.js';
import type { AnswerItem, PromptStoryItem, StoryItem } from './story-item.js';
import { isErrorItem, listRows } from './story-rows.js';

/** One turn of the outline, or with the number 0 what came before the first one. */
export interface OutlineTurn {
  number: number;
  key: string;
  /** The prompt that began it, if there was one. */
  prompt: PromptStoryItem | undefined;
  /** Its end; undefined while it has none. */
  answer: AnswerItem | undefined;
  /** Its first item in the story. */
  first: StoryItem | undefined;
  /** Its calls, those of subagents too, and errors other than failed calls, in the order of the story. */
  entries: StoryItem[];
}

/** What the outline tells of a turn. */
export interface TurnFigures {
  calls: number;
  errors: number;
  durationMs: number;
}

/** All turns that have begun. What came before the first one is listed only if there is something in it. */
export function listOutline(model: SessionModel): OutlineTurn[] {
  const { story, time } = model;
  const turns = Array.from({ length: time.turns.length + 1 }, (_, number): OutlineTurn => ({
    number,
    key: `turn ${number}`,
    prompt: undefined,
    answer: undefined,
    first: undefined,
    entries: [],
  }));
  for (const item of listRows(story.items, () => false)) {
    const turn = turns[turnOfItem(model, item)];
    if (!turn) continue;
    if (item.kind === 'prompt' && item.turn === turn.number) turn.prompt = item;
    if (item.kind === 'answer') turn.answer = item;
    turn.first ??= item;
    if (item.kind === 'call' || isErrorItem(item)) turn.entries.push(item);
  }
  const before = model.tally.countsOf(0);
  return before.calls + before.errors + (turns[0]?.entries.length ?? 0) > 0 ? turns : turns.slice(1);
}

/** The turn of an item: that of its prompt, that in which its call began, or the last that had begun. */
export function turnOfItem({ tally, time }: SessionModel, item: StoryItem): number {
  if (item.kind === 'prompt' && item.turn !== undefined) return item.turn;
  const known = item.kind === 'call' ? tally.turnOf(item.toolUseId) : undefined;
  if (known !== undefined) return known;
  let from = 0;
  let to = time.turns.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time.turns[middle]?.n ?? 0) <= item.n) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * The figures of a turn. It took as long as its end says; without an end, it lasted until the next turn began, or it lasts up to
 * `now`.
 */
export function figuresOfTurn(
  { tally, time }: SessionModel,
  { number, answer }: OutlineTurn,
  now: number,
): TurnFigures {
  const begun = number === 0 ? 0 : (time.turns[number - 1]?.t ?? 0);
  const end = time.turns[number]?.t ?? now;
  return { ...tally.countsOf(number), durationMs: answer?.durationMs ?? Math.max(0, end - begun) };
}

/** A line of the outline: a turn, or one of its entries. */
export interface OutlineLine {
  key: string;
  turn: OutlineTurn;
  entry: StoryItem | undefined;
}

/** The lines of the outline: all turns, and the entries of those that are unfolded. */
export function listOutlineLines(
  turns: readonly OutlineTurn[],
  isOpen: (turn: OutlineTurn) => boolean,
  isShown: (entry: StoryItem) => boolean = () => true,
): OutlineLine[] {
  const lines: OutlineLine[] = [];
  for (const turn of turns) {
    lines.push({ key: turn.key, turn, entry: undefined });
    if (!isOpen(turn)) continue;
    for (const entry of turn.entries) if (isShown(entry)) lines.push({ key: entry.key, turn, entry });
  }
  return lines;
}
