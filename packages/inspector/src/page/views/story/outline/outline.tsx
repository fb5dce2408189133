// The outline beside the story: the search, and a list of turns that follows the scroll. Without room beside the story, a button
// lays it over the story. The arrow keys, Enter and Escape work in it.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCountOf } from '../../../../model/format.js';
import type { SessionModel } from '../../../../model/session-model.js';
import { listOutlineLines, turnOfItem, type OutlineLine } from '../../../../model/story/outline.js';
import { listRows } from '../../../../model/story/story-rows.js';
import type { StoryItem } from '../../../../model/story/story-item.js';
import { Button } from '../../../components/button.js';
import { VirtualList, type ListHandle } from '../../../components/virtual-list.js';
import type { Store } from '../../../store/store.js';
import type { GoTo, StoryPlace } from '../story-place.js';
import { EntryLine, TurnLine } from './outline-line.js';
import { isUnfolded, outlineOf, setUnfolded, type OutlineState } from './outline-state.js';
import { StorySearch } from './story-search.js';

/** How many lines are seen beyond the current one, in the direction in which the story is scrolled. */
const AHEAD = 4;

export interface OutlineProps {
  store: Store;
  model: SessionModel;
  place: StoryPlace;
  go: GoTo;
  revision: number;
}

export function Outline({ store, model, place, go, revision }: OutlineProps) {
  const state = outlineOf(model);
  const { isOver } = state;
  const turns = state.turns();
  const opener = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    if (!isOver.value) return;
    isOver.value = false;
    opener.current?.querySelector('button')?.focus();
  };
  return (
    <>
      <div class="outline-bar">
        <span class="outline-opener" ref={opener}>
          <Button
            icon="timeline"
            label="Outline"
            shortcut="g"
            isExpanded={isOver.value}
            onClick={() => {
              isOver.value = !isOver.value;
            }}
          />
        </span>
        <StorySearch place={place} go={go} />
      </div>
      <div
        class={isOver.value ? 'outline-panel outline-over' : 'outline-panel'}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOver.value) return;
          event.preventDefault();
          event.stopPropagation();
          close();
        }}
      >
        <div class="outline-head">
          <h3 class="number">
            {formatCountOf(model.time.turns.length, 'turn')}
            {(store.current.value?.progress.value ?? 1) < 1 && ' so far'}
          </h3>
          {[true, false].map((all) => (
            <button
              key={String(all)}
              type="button"
              class="text-button"
              onClick={() => {
                state.unfolded.value = { all, but: new Set() };
              }}
            >
              {all ? 'Expand all' : 'Collapse all'}
            </button>
          ))}
        </div>
        {turns.length > 0 && (
          <OutlineList
            {...{ store, model, place, revision, state }}
            onGo={(line) => {
              isOver.value = false;
              goToLine(model, place, go, line);
            }}
          />
        )}
      </div>
    </>
  );
}

interface OutlineListProps extends Omit<OutlineProps, 'go'> {
  state: OutlineState;
  onGo: (line: OutlineLine) => void;
}

function OutlineList({ store, model, place, revision, state, onGo }: OutlineListProps) {
  const handle = useRef<ListHandle | undefined>(undefined);
  const chosen = useSignal<string | undefined>(undefined);
  const before = useRef<number | undefined>(undefined);
  const found = readFound(model, place);
  const isOpen = (line: OutlineLine['turn']): boolean =>
    found ? found.byTurn.has(line.number) : isUnfolded(state, line);
  const turns = found ? state.turns().filter(({ number }) => found.byTurn.has(number)) : state.turns();
  const lines = listOutlineLines(turns, isOpen, found && ((entry) => found.items.has(entry)));
  const current = findCurrent(model, place, lines);
  const own = lines.findIndex(({ key }) => key === chosen.value);
  const active = own < 0 ? current : own;
  useEffect(() => {
    const from = before.current ?? 0;
    before.current = current;
    // While the reader is in the list, it stays where it is.
    if (current === undefined || chosen.value !== undefined) return;
    const ahead = current < from ? -AHEAD : AHEAD;
    handle.current?.scrollToIndex(Math.max(0, Math.min(lines.length - 1, current + ahead)));
  }, [current, chosen.value, state.isOver.value]);
  if (found && lines.length === 0) return <p class="outline-none soft small">Nothing matches.</p>;
  return (
    <div
      class="outline-lines"
      onKeyDown={(event) => {
        const line = active === undefined ? undefined : lines[active];
        if (!line || found || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
        event.preventDefault();
        setUnfolded(state, line.turn, event.key === 'ArrowRight');
        // The line of a call is gone when its turn is folded; the one of its turn is there.
        if (event.key === 'ArrowLeft' && line.entry)
          handle.current?.focusIndex(lines.findIndex(({ key }) => key === line.turn.key));
        chosen.value = event.key === 'ArrowLeft' ? line.turn.key : line.key;
      }}
      onFocusOut={({ currentTarget }) => {
        // A line that is scrolled away loses the focus, and the list gives it to another one.
        const look = (): void => {
          if (!currentTarget.contains(document.activeElement)) chosen.value = undefined;
        };
        requestAnimationFrame(() => requestAnimationFrame(look));
      }}
    >
      <VirtualList
        label="Outline"
        class="outline-list"
        count={lines.length}
        keyAt={(index) => lines[index]?.key ?? ''}
        estimate={30}
        revision={revision}
        active={active}
        onMove={(index) => {
          chosen.value = lines[index]?.key;
        }}
        onOpen={(index) => lines[index] && onGo(lines[index])}
        handle={handle}
        renderRow={(index) => {
          const line = lines[index];
          if (!line) return null;
          const { turn, entry } = line;
          if (entry) return <EntryLine entry={entry} revision={revision} onGo={() => onGo(line)} />;
          return (
            <TurnLine
              {...{ store, model, turn, revision }}
              isOpen={isOpen(turn)}
              found={found?.byTurn.get(turn.number)}
              onFold={() => setUnfolded(state, turn, !isOpen(turn))}
              onGo={() => onGo(line)}
            />
          );
        }}
      />
    </div>
  );
}

/** What the search found, and how much of it in each turn; undefined without a search. */
function readFound(
  model: SessionModel,
  place: StoryPlace,
): { items: ReadonlySet<StoryItem>; byTurn: ReadonlyMap<number, number> } | undefined {
  if (place.query.value.trim() === '') return undefined;
  const rows = place.rows();
  const items = new Set(place.matches().flatMap((index) => rows[index] ?? []));
  const byTurn = new Map<number, number>();
  for (const item of items) {
    const turn = turnOfItem(model, item);
    byTurn.set(turn, (byTurn.get(turn) ?? 0) + 1);
  }
  return { items, byTurn };
}

/** The line of what is read now: of the chosen item if it is in sight, else of the first one in sight. */
function findCurrent(
  model: SessionModel,
  place: StoryPlace,
  lines: readonly OutlineLine[],
): number | undefined {
  const { first, end } = place.visible.value;
  const active = place.active.value;
  const item = place.rows()[active !== undefined && active >= first && active < end ? active : first];
  if (!item) return undefined;
  const number = turnOfItem(model, item);
  // The last line of the turn that is not after the item; the line of the turn itself if there is none. What is before all
  // listed turns counts towards the next one.
  const begin = lines.findIndex(({ turn }) => turn.number >= number);
  if (begin < 0) return undefined;
  let best = begin;
  for (let index = begin + 1; lines[index]?.turn.number === number; index += 1)
    if ((lines[index]?.entry?.n ?? Infinity) <= item.n) best = index;
  return best;
}

/** Shows the beginning of a turn, or an entry. If it is in a folded subagent, all are unfolded. */
function goToLine(model: SessionModel, place: StoryPlace, go: GoTo, { turn, entry }: OutlineLine): void {
  const item = entry ?? turn.prompt ?? turn.first;
  if (!item) return;
  if (!place.rows().includes(item) && listRows(model.story.items, () => false).includes(item))
    place.folded.value = new Set();
  const index = place.rows().indexOf(item);
  if (index >= 0) go(index, entry ? 'center' : 'start');
}
