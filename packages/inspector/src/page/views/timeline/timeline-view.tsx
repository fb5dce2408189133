// The view "timeline": an axis for the session or a part of it, bars in lanes below it, and the shares of time.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { findLongIdle } from '../../../model/time/folded-time.js';
import { Button } from '../../components/button.js';
import { Empty } from '../../components/empty.js';
import { useKeys } from '../../components/use-keys.js';
import { defineKeys } from '../../store/keys.js';
import type { LoadedSession, Store } from '../../store/store.js';
import { showInStory } from '../story/show-in-story.js';
import { AxisBar, Overview, Ribbon } from './axis-bar.js';
import { Lanes } from './lanes.js';
import { SharesTable } from './shares-table.js';
import { SpanTable } from './span-table.js';
import { TimelineState, type Pointed } from './timeline-state.js';
import { followTime } from './follow-time.js';

const KEYS = defineKeys('Timeline', {
  zoomIn: { keys: ['+', '='], says: 'Zoom in' },
  zoomOut: { keys: ['-', '_'], says: 'Zoom out' },
  fit: { keys: ['0', 'f'], says: 'Show everything' },
  left: { keys: ['ArrowLeft', 'h'], says: 'Move to the left' },
  right: { keys: ['ArrowRight', 'l'], says: 'Move to the right' },
  next: { keys: ['j'], says: 'Next bar' },
  previous: { keys: ['k'], says: 'Previous bar' },
  open: { keys: ['Enter'], says: 'Show the bar in the story' },
  fold: { keys: ['i'], says: 'Fold long idle stretches, or unfold them' },
});

const ZOOM_STEP = 0.6;
const PAN_STEP = 0.25;

export function TimelineView({ store }: { store: Store }) {
  const loaded = store.current.value;
  if (!loaded) return null;
  return <Timeline key={loaded.model.id} store={store} loaded={loaded} />;
}

function Timeline({ store, loaded }: { store: Store; loaded: LoadedSession }) {
  const state = useMemo(() => new TimelineState(loaded.model.time, loaded.revision), [loaded]);
  useEffect(() => followTime(store, loaded.model.id, state), [store, loaded, state]);
  useSignalEffect(() => {
    // The chosen bar stays chosen, but its row may have moved.
    const rows = state.rows.value;
    const pointed = state.pointed.peek();
    const row = pointed && rows.find(({ spans }) => spans === pointed.row.spans);
    if (row && row.top !== pointed.row.top) state.pointed.value = { ...pointed, row };
  });
  const open = ({ span }: Pointed): void => {
    showInStory(store, loaded.model, { n: span.n, toolUseId: span.activity.toolUseId });
  };
  useKeys(KEYS, {
    zoomIn: () => state.zoom(ZOOM_STEP),
    zoomOut: () => state.zoom(1 / ZOOM_STEP),
    fit: () => state.fit(),
    left: () => state.pan(-PAN_STEP),
    right: () => state.pan(PAN_STEP),
    next: () => state.step(1),
    previous: () => state.step(-1),
    open: () => state.pointed.value && open(state.pointed.value),
    fold: () => state.fold(),
  });
  if (state.rows.value.length === 0)
    return (
      <section class="view view-timeline" aria-label="Timeline">
        <Empty icon="timeline" title="Nothing has taken time yet">
          Bars appear here with the first answer, call or question.
        </Empty>
      </section>
    );
  return (
    <section class="view view-timeline" aria-label="Timeline">
      <div class="view-scroll">
        <div class={state.isNarrow.value ? 'tl tl-narrow' : 'tl'}>
          <Toolbar state={state} />
          <Overview state={state} />
          <AxisBar state={state} />
          <div class="tl-ribbon">
            <Ribbon state={state} />
          </div>
          <Lanes state={state} onOpen={open} />
          <SharesTable state={state} />
          <SpanTable state={state} onOpen={open} />
        </div>
      </div>
    </section>
  );
}

function Toolbar({ state }: { state: TimelineState }) {
  const canFold = findLongIdle(state.ledger.stretches).length > 0;
  return (
    <div class="tl-tools" role="toolbar" aria-label="Timeline">
      <p class="tl-unit soft small">
        Time since the start, in {UNIT_WORDS[state.axis.value.unit.name]}
        {state.isFolded.value && '; long idle stretches are folded'}
      </p>
      {canFold && (
        <Button isPressed={state.isFolded.value} shortcut="i" onClick={() => state.fold()}>
          Fold idle
        </Button>
      )}
      <Button icon="minus" label="Zoom out" shortcut="-" onClick={() => state.zoom(1 / ZOOM_STEP)} />
      <Button icon="plus" label="Zoom in" shortcut="+" onClick={() => state.zoom(ZOOM_STEP)} />
      <Button shortcut="0" label="Fit, show everything" onClick={() => state.fit()}>
        Fit
      </Button>
    </div>
  );
}

const UNIT_WORDS = { ms: 'milliseconds', s: 'seconds', min: 'minutes', h: 'hours' } as const;
