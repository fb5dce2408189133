// The state of the outline that is kept while another view is shown: which turns are unfolded, and on a small page, whether the
// outline is open.
import { signal, type Signal } from '@preact/signals';
import type { SessionModel } from '../../../../model/session-model.js';
import { listOutline, type OutlineTurn } from '../../../../model/story/outline.js';
import { remember } from '../story-place.js';

/** Of a story with this many turns, all are unfolded at first; of a longer one, only the last. */
const FEW_TURNS = 3;

/** The outline of one story. */
export interface OutlineState {
  turns: () => readonly OutlineTurn[];
  /** Which turns are unfolded, and which of them the reader folded or unfolded by themselves. */
  unfolded: Signal<{ all: boolean | undefined; but: ReadonlySet<string> }>;
  /** Whether the outline lies over the story; where there is room, it stands beside it. */
  isOver: Signal<boolean>;
}

const states = new WeakMap<SessionModel, OutlineState>();

/** The state of the outline of a session. */
export function outlineOf(model: SessionModel): OutlineState {
  const known = states.get(model);
  if (known) return known;
  const state: OutlineState = {
    turns: remember(
      () => [model.story.additions, model.time.turns.length],
      () => listOutline(model),
    ),
    unfolded: signal({ all: undefined, but: new Set<string>() }),
    isOver: signal(false),
  };
  states.set(model, state);
  return state;
}

/** Whether the entries of a turn are shown. */
export function isUnfolded({ turns, unfolded }: OutlineState, { key }: OutlineTurn): boolean {
  const { all, but } = unfolded.value;
  const list = turns();
  const isAtFirst = all ?? (list.length <= FEW_TURNS || list.at(-1)?.key === key);
  return but.has(key) ? !isAtFirst : isAtFirst;
}

/** Folds or unfolds a turn. */
export function setUnfolded(state: OutlineState, turn: OutlineTurn, isOpen: boolean): void {
  if (isUnfolded(state, turn) === isOpen) return;
  const { all, but } = state.unfolded.value;
  const next = new Set(but);
  if (!next.delete(turn.key)) next.add(turn.key);
  state.unfolded.value = { all, but: next };
}
