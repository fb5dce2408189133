// The view "story": the conversation from top to bottom, followed while it continues.
import { useEffect, useRef } from 'preact/hooks';
import { formatCountOf } from '../../../model/format.js';
import { findStoryRow, isErrorItem, isTurnStart } from '../../../model/story/story-rows.js';
import type { SessionModel } from '../../../model/session-model.js';
import type { SessionSummary } from '../../../model/session-summary.js';
import type { StoryItem } from '../../../model/story/story-item.js';
import { Empty } from '../../components/empty.js';
import { Icon } from '../../components/icons.js';
import { lateView } from '../../components/late-view.js';
import { useKeys } from '../../components/use-keys.js';
import { VirtualList, type ListHandle } from '../../components/virtual-list.js';
import { defineKeys } from '../../store/keys.js';
import type { LoadedSession, Store } from '../../store/store.js';
import { placeOf, toggle, type GoTo, type StoryPlace } from './story-place.js';
import { StoryRow } from './story-row.js';

// Loaded on use, so that the story itself appears sooner.
const Outline = lateView(async () => (await import('./outline/outline.js')).Outline);

const KEYS = defineKeys('Story', {
  next: { keys: ['j'], says: 'Next item' },
  previous: { keys: ['k'], says: 'Previous item' },
  open: { keys: ['Enter'], says: 'Unfold or fold the item' },
  line: { keys: ['o'], says: 'Show the exact line of the item' },
  error: { keys: ['e'], says: 'Next error' },
  errorBefore: { keys: ['E'], says: 'Previous error' },
  turn: { keys: [']'], says: 'Next turn' },
  turnBefore: { keys: ['['], says: 'Previous turn' },
  search: { keys: ['/'], says: 'Search the story' },
  outline: { keys: ['g'], says: 'Go to the outline' },
});

const ESTIMATE = 64;
const LIVE = new Set(['starting', 'queued', 'working', 'waiting', 'idle']);

export function StoryView({ store }: { store: Store }) {
  const loaded = store.current.value;
  if (!loaded) return null;
  return <LoadedStory store={store} loaded={loaded} />;
}

function LoadedStory({ store, loaded }: { store: Store; loaded: LoadedSession }) {
  const { model, revision } = loaded;
  const isLive = store.state.value?.kind === 'live' && LIVE.has(store.summary.value?.state ?? '');
  const place = placeOf(model, isLive);
  const handle = useRef<ListHandle | undefined>(undefined);
  const changes = revision.value;
  const rows = place.rows();
  const go: GoTo = (index, at) => {
    if (index === undefined) return;
    place.active.value = index;
    handle.current?.focusIndex(index, at);
  };
  const wanted = place.wanted.value;
  useEffect(() => {
    if (wanted === undefined) return;
    place.wanted.value = undefined;
    place.follow.value = false;
    go(wanted, 'center');
  }, [wanted]);
  useStoryKeys(store, model.id, place, go);
  noteWhatWasSeen(place, model.story.additions);
  const isCutOff = store.summary.value?.state === 'cut' && loaded.progress.value === 1;
  useEffect(() => {
    if (isCutOff) model.cutOff();
  }, [isCutOff, model]);
  const isReading = loaded.progress.value < 1;
  const now = isLive ? readNow(store.summary.value, loaded.model, rows.at(-1)) : undefined;
  if (rows.length === 0)
    return (
      <section class="view view-story" aria-label="Story">
        <Empty icon="story" title={isReading ? 'Reading the story' : 'Nothing has been said yet'} />
      </section>
    );
  return (
    <section class="view view-story" aria-label="Story">
      <div class="story-frame">
        <aside class="outline" aria-label="Outline of the story">
          <Outline store={store} model={model} place={place} go={go} revision={changes} />
        </aside>
        <div class="story-main">
          <VirtualList
            label="The conversation"
            class="story-list"
            count={rows.length + (now === undefined ? 0 : 1)}
            keyAt={(index) => rows[index]?.key ?? 'now'}
            renderRow={(index) => {
              const item = rows[index];
              if (!item) return <Now text={now ?? ''} />;
              return <Row store={store} session={model.id} place={place} item={item} revision={changes} />;
            }}
            estimate={ESTIMATE}
            revision={changes}
            active={place.active.value}
            onMove={(index) => {
              place.active.value = index;
            }}
            onOpen={(index) => {
              const key = rows[index]?.key;
              if (key !== undefined) toggle(place.open, key);
            }}
            follow={place.follow}
            memory={place.memory}
            visible={place.visible}
            handle={handle}
            rowClass={(index) => gapOf(rows, index)}
          />
          <NewBelow place={place} additions={model.story.additions} isLive={isLive} handle={handle} />
        </div>
      </div>
    </section>
  );
}

function Row(props: {
  store: Store;
  session: string;
  place: StoryPlace;
  item: StoryItem;
  /** Changes with each batch of events. Items change in place, and a component is drawn again only when a prop changes. */
  revision: number;
}) {
  const { store, session, place, item } = props;
  return (
    <StoryRow
      item={item}
      store={store}
      session={session}
      query={place.query.value}
      turn={item.kind === 'prompt' ? item.turn : undefined}
      isOpen={place.open.value.has(item.key)}
      onToggle={() => toggle(place.open, item.key)}
      isFolded={place.folded.value.has(item.key)}
      onFold={() => toggle(place.folded, item.key)}
    />
  );
}

/** The present activity, if no item shows it yet. */
function readNow(
  summary: SessionSummary | undefined,
  model: SessionModel,
  last: StoryItem | undefined,
): string | undefined {
  if (summary?.conversation) {
    // Only the journal knows whether a worker has a conversation of a cluster; the events do not say it.
    const isLeft = summary.state === 'working' && summary.conversation.owner === undefined;
    if (isLeft || summary.state === 'queued')
      return `${summary.stateText.charAt(0).toUpperCase()}${summary.stateText.slice(1)}`;
    if (summary.state !== 'working') return undefined;
  }
  const { state } = model.summary.read();
  if (state === 'starting') return 'Claude Code is starting';
  if (state !== 'working') return undefined;
  if ((last?.kind === 'text' || last?.kind === 'thinking') && last.isStreaming) return undefined;
  if (last?.kind === 'call' && last.endT === undefined) return undefined;
  return 'The model is at work';
}

function Now({ text }: { text: string }) {
  return (
    <div class="story-row">
      <p class="story-body now">
        <span class="now-dot" aria-hidden="true" />
        {text}
      </p>
    </div>
  );
}

/** A button that scrolls to the end, with the number of new items. */
function NewBelow(props: {
  place: StoryPlace;
  additions: number;
  isLive: boolean;
  handle: { current: ListHandle | undefined };
}) {
  const { place, additions, isLive, handle } = props;
  if (place.follow.value || !isLive) return null;
  const count = additions - place.seen.value;
  return (
    <button type="button" class="new-below" onClick={() => handle.current?.scrollToEnd()}>
      <Icon name="down" />
      {count > 0 ? `${formatCountOf(count, 'new step')} below` : 'Follow'}
    </button>
  );
}

function noteWhatWasSeen(place: StoryPlace, additions: number): void {
  if (place.follow.peek()) place.seen.value = additions;
}

/** The gap above a row: small between consecutive calls, large between turns. */
function gapOf(rows: readonly StoryItem[], index: number): string {
  const item = rows[index];
  const before = rows[index - 1];
  if (!before) return 'row-first';
  if (!item) return 'row-next';
  if (isTurnStart(item)) return index === 1 ? 'row-next' : 'row-turn';
  const isClose =
    (item.kind === 'call' && before.kind === 'call') ||
    (item.kind === 'mark' && before.kind === 'mark') ||
    item.kind === 'answer';
  return isClose ? 'row-close' : 'row-next';
}

function useStoryKeys(store: Store, session: string, place: StoryPlace, go: GoTo): void {
  const move = (step: 1 | -1): void => {
    const { length } = place.rows();
    const now = place.active.value ?? (place.follow.value ? length : -1);
    go(Math.max(0, Math.min(length - 1, now + step)));
  };
  const find = (step: 1 | -1, fits: (item: StoryItem) => boolean): void => {
    const rows = place.rows();
    const from = place.active.value ?? (step === 1 ? -1 : rows.length);
    go(findStoryRow(rows, from, step, fits), fits === isTurnStart ? 'start' : 'center');
  };
  const chosen = (): StoryItem | undefined =>
    place.active.value === undefined ? undefined : place.rows()[place.active.value];
  useKeys(KEYS, {
    next: () => move(1),
    previous: () => move(-1),
    open: () => {
      const item = chosen();
      if (item) toggle(place.open, item.key);
    },
    line: () => {
      const item = chosen();
      if (item) store.shownEvent.value = { session, n: item.n };
    },
    error: () => find(1, isErrorItem),
    errorBefore: () => find(-1, isErrorItem),
    turn: () => find(1, isTurnStart),
    turnBefore: () => find(-1, isTurnStart),
    search: () => document.getElementById('story-search')?.focus(),
    outline: () => {
      const list = document.querySelector<HTMLElement>('.outline-list');
      // On a small page, a button must show it first.
      if (!list?.checkVisibility({ visibilityProperty: true }))
        document.querySelector<HTMLElement>('.outline-opener button')?.click();
      requestAnimationFrame(() => list?.focus());
    },
  });
}
