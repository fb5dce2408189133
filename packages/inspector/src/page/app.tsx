// Draws the whole page: header, tabs, the chosen view, and the questions that wait for an answer.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { FaultBoundary } from './components/fault-boundary.js';
import { lateView } from './components/late-view.js';
import { Tabs, type Tab } from './components/tabs.js';
import { Toasts } from './components/toast.js';
import { useKeys } from './components/use-keys.js';
import { fitsMedia, NO_COLUMNS } from './components/fits-media.js';
import { hasDock } from './shell/has-dock.js';
import { isBare } from './shell/is-bare.js';
import { Header, switchTheme, type Overlay } from './shell/header.js';
import { announcement, watchQuestions } from './shell/notify.js';
import { ReadingLine } from './shell/reading-line.js';
import { TimeLine } from './shell/session-facts.js';
import { SHELL_KEYS } from './shell/shell-keys.js';
import type { Preferences } from './store/preferences.js';
import { isOfSession, listViews, VIEWS, type Store, type ViewName } from './store/store.js';
import { StoryView } from './views/story/story-view.js';

const VIEW_OF = {
  story: StoryView,
  timeline: lateView(async () => (await import('./views/timeline/timeline-view.js')).TimelineView),
  wire: lateView(async () => (await import('./views/wire/wire-view.js')).WireView),
  tools: lateView(async () => (await import('./views/tools/tools-view.js')).ToolsView),
  cost: lateView(async () => (await import('./views/cost/cost-view.js')).CostView),
  fleet: lateView(async () => (await import('./views/fleet/fleet-view.js')).FleetView),
  audit: lateView(async () => (await import('./views/audit/audit-view.js')).AuditView),
};

// Loaded soon after the page was drawn, so they are here when the server is gone.
const Banners = lateView(async () => (await import('./shell/banner.js')).Banners);

const Dock = lateView(async () => (await import('./shell/dock.js')).Dock);

const NothingYet = lateView(async () => (await import('./shell/nothing-yet.js')).NothingYet);

const BareSession = lateView(async () => (await import('./shell/bare-session.js')).BareSession);

const EventDetail = lateView(async () => (await import('./components/event-detail.js')).EventDetail);

const Overlays = lateView(async () => (await import('./shell/overlays.js')).Overlays);

const LABELS: Readonly<Record<ViewName, string>> = {
  story: 'Story',
  timeline: 'Timeline',
  wire: 'Wire',
  tools: 'Tools',
  cost: 'Cost',
  fleet: 'Fleet',
  audit: 'Audit',
};

export function App({ store, preferences }: { store: Store; preferences: Preferences }) {
  const overlay = useSignal<Overlay>(undefined);
  const isDockOpen = useSignal(false);
  useEffect(() => watchQuestions(store, preferences), [store, preferences]);
  useShellKeys(store, preferences, overlay, isDockOpen);
  const isReading = (store.current.value?.progress.value ?? 1) < 1;
  return (
    <div class={isReading ? 'app app-reading' : 'app'}>
      <a
        class="skip"
        href="#view"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('view')?.focus();
        }}
      >
        Skip to the view
      </a>
      <Header store={store} preferences={preferences} overlay={overlay} />
      <nav class="bar" aria-label="Views">
        <Tabs
          label="Views"
          class="bar-tabs"
          panel="view"
          tabs={listViews(store.state.value).map(tabOf)}
          chosen={store.view.value}
          onChoose={(name) => store.show(name)}
        />
        <BarTime store={store} overlay={overlay} />
      </nav>
      <ReadingLine store={store} />
      <div class="banners">
        <Banners store={store} />
      </div>
      <Work store={store} isDockOpen={isDockOpen} />
      <div class="off-screen" aria-live="polite">
        {announcement.value}
      </div>
      <Toasts />
      <Overlays store={store} preferences={preferences} overlay={overlay} />
    </div>
  );
}

/** A component of its own, because it is drawn again with each tick of the clock. */
function BarTime({ store, overlay }: { store: Store; overlay: Signal<Overlay> }) {
  const summary = isOfSession(store.view.value) ? store.figures.value : undefined;
  if (!summary) return null;
  return (
    <div class="bar-time">
      <TimeLine
        summary={summary}
        onOpen={() => {
          overlay.value = 'figures';
        }}
      />
    </div>
  );
}

function Work({ store, isDockOpen }: { store: Store; isDockOpen: Signal<boolean> }) {
  const name = store.view.value;
  const View = VIEW_OF[name];
  const hasView = (isOfSession(name) ? store.current : store.state).value !== undefined;
  const session = isOfSession(name) ? store.current.value : undefined;
  const bare = session && isBare(store, session) ? session : undefined;
  const hasQuestions = hasDock(store);
  // While the sheet of questions covers the view, the keyboard cannot reach the view either.
  const isCovered = hasQuestions && isDockOpen.value && fitsMedia(NO_COLUMNS);
  return (
    <div class={`work ${store.questions.value.length === 0 ? 'work-calm' : ''}`}>
      <main class="stage" inert={isCovered}>
        <div
          id="view"
          class={bare ? 'panel bare' : 'panel'}
          role="tabpanel"
          tabIndex={-1}
          aria-labelledby={`view-tab-${name}`}
        >
          <h2 class="off-screen">{LABELS[name]}</h2>
          <FaultBoundary key={name} name={LABELS[name]}>
            {!hasView && <NothingYet store={store} />}
            {hasView && (!bare || name === 'wire') && <View key={store.selected.value} store={store} />}
            {bare && <BareSession view={name} session={bare} />}
          </FaultBoundary>
        </div>
      </main>
      {store.shownEvent.value && (
        <section class="detail" aria-label="The exact event" inert={isCovered}>
          <FaultBoundary name="Event">
            <EventDetail store={store} />
          </FaultBoundary>
        </section>
      )}
      {hasQuestions && (
        <FaultBoundary name="Questions" isNeeded={store.questions.value.length > 0}>
          <Dock store={store} isOpen={isDockOpen} />
        </FaultBoundary>
      )}
    </div>
  );
}

function tabOf(name: ViewName, index: number): Tab<ViewName> {
  return { name, label: LABELS[name], icon: name, shortcut: String(index + 1) };
}

function useShellKeys(
  store: Store,
  preferences: Preferences,
  overlay: Signal<Overlay>,
  isDockOpen: Signal<boolean>,
): void {
  const views = Object.fromEntries(VIEWS.map((name) => [name, () => store.show(name)])) as Record<
    ViewName,
    () => void
  >;
  useKeys(
    SHELL_KEYS,
    {
      ...views,
      sessions: () => {
        if (store.sessions.value.length > 1) overlay.value = 'sessions';
      },
      questions: () => {
        if (!hasDock(store)) return;
        isDockOpen.value = true;
        // The first card that is still open gets the focus, if there is one, because the next key answers it.
        requestAnimationFrame(() => {
          const card = document.querySelector<HTMLElement>('[data-question]:not(.qcard-busy)');
          (card ?? document.getElementById('dock-title'))?.focus();
        });
      },
      theme: () => switchTheme(preferences),
      help: () => {
        overlay.value = 'help';
      },
      close: () => {
        if (isDockOpen.value) isDockOpen.value = false;
        else store.shownEvent.value = undefined;
      },
    },
    'under',
  );
}
