// The header of the page: the session, its state and its shares of time, and the controls of the page itself.
import { type Signal, useSignal } from '@preact/signals';
import type { SessionSummary } from '../../model/session-summary.js';
import { formatCountOf } from '../../model/format.js';
import { Badge, StateMark } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Icon, type IconName } from '../components/icons.js';
import { wordOfState } from '../../model/state-words.js';
import { showToast } from '../components/toast.js';
import { THEMES, type Preferences, type Theme } from '../store/preferences.js';
import { isOfSession, type Store } from '../store/store.js';
import { noNotificationsBecause, switchNotifications } from './notify.js';
import { SessionFacts, TimeLine } from './session-facts.js';

/** What is open over the page. */
export type Overlay = 'help' | 'sessions' | 'link' | 'menu' | 'figures' | undefined;

/** What the controls of the page need. */
export interface HeaderProps {
  store: Store;
  preferences: Preferences;
  overlay: Signal<Overlay>;
}

export function Header({ store, preferences, overlay }: HeaderProps) {
  const summary = isOfSession(store.view.value) ? store.figures.value : undefined;
  const state = store.state.value;
  return (
    <header class="head">
      <Title store={store} summary={summary} overlay={overlay} />
      {summary && <State summary={summary} />}
      {state?.isReadOnly === true && (
        <Badge>
          <Icon name="lock" /> {store.source.kind === 'embedded' ? 'file' : 'read-only'}
        </Badge>
      )}
      <div class="head-gap" />
      {summary && <SessionFacts summary={summary} />}
      <div class="head-actions">
        <PageActions store={store} preferences={preferences} overlay={overlay} />
      </div>
      <div class="head-menu">
        <Button
          look="plain"
          icon="more"
          label="Settings of this page"
          onClick={() => {
            overlay.value = 'menu';
          }}
        />
      </div>
      {summary && (
        <div class="head-time">
          <TimeLine
            summary={summary}
            onOpen={() => {
              overlay.value = 'figures';
            }}
          />
        </div>
      )}
    </header>
  );
}

function Title({
  store,
  summary,
  overlay,
}: {
  store: Store;
  summary: SessionSummary | undefined;
  overlay: Signal<Overlay>;
}) {
  const count = store.sessions.value.length;
  const title = summary?.title ?? store.state.value?.title ?? 'Inboard';
  return (
    <h1 class="head-title">
      {count > 1 ? (
        <button
          type="button"
          class="head-switch"
          aria-haspopup="dialog"
          title="Choose another session (s)"
          onClick={() => {
            overlay.value = 'sessions';
          }}
        >
          <bdi class="cut">{title}</bdi>
          <span class="head-count soft">{formatCountOf(count, 'session')}</span>
          <Icon name="down" />
        </button>
      ) : (
        <bdi class="cut" title={title}>
          {title}
        </bdi>
      )}
    </h1>
  );
}

function State({ summary }: { summary: SessionSummary }) {
  const { word, tone } = wordOfState(summary);
  return (
    <span class="head-state" title={summary.stateText}>
      <StateMark tone={tone}>{word}</StateMark>
    </span>
  );
}

const THEME_ICONS: Readonly<Record<Theme, IconName>> = { system: 'system', light: 'sun', dark: 'moon' };

/** Switches to the next of the three themes. */
export function switchTheme(preferences: Preferences): void {
  const now = THEMES.indexOf(preferences.theme.value);
  preferences.theme.value = THEMES[(now + 1) % THEMES.length] ?? 'system';
  preferences.keep();
}

/** The controls of the page itself, with words beside their icons if there is room. */
export function PageActions({
  store,
  preferences,
  overlay,
  hasWords = false,
}: HeaderProps & { hasWords?: boolean }) {
  const theme = preferences.theme.value;
  // The browser decides about notifications, so its permission is read again at each drawing.
  const redraw = useSignal(0);
  const isOn = redraw.value >= 0 && preferences.notifies.value && noNotificationsBecause() === undefined;
  const word = (text: string): string | undefined => (hasWords ? text : undefined);
  const themeWord = `Theme: ${theme}`;
  const notifyWord = `Notifications: ${isOn ? 'on' : 'off'}`;
  const toggle = (): void => {
    switchNotifications(preferences).then(
      (isNowOn) => {
        redraw.value += 1;
        showToast(
          isNowOn
            ? 'You are notified when something waits and this page is hidden.'
            : 'Notifications are off.',
        );
      },
      () => showToast('The browser does not allow notifications.', 'error'),
    );
  };
  return (
    <>
      {/* A program that has ended lets no other browser in, and asks nothing any more. */}
      {store.source.kind === 'served' && store.end.value === undefined && (
        <>
          <Button
            look="plain"
            icon="link"
            label="Make a link for another browser"
            onClick={() => {
              overlay.value = 'link';
            }}
          >
            {word('Link for another browser')}
          </Button>
          <Button
            look="plain"
            icon={isOn ? 'bell' : 'bellOff'}
            label={notifyWord}
            isPressed={isOn}
            offBecause={noNotificationsBecause()}
            onClick={toggle}
          >
            {word(notifyWord)}
          </Button>
        </>
      )}
      <Button
        look="plain"
        icon={THEME_ICONS[theme]}
        label={themeWord}
        shortcut="t"
        onClick={() => switchTheme(preferences)}
      >
        {word(themeWord)}
      </Button>
      <Button
        look="plain"
        icon="keyboard"
        label="Keys"
        shortcut="?"
        onClick={() => {
          overlay.value = 'help';
        }}
      >
        {word('Keys')}
      </Button>
    </>
  );
}
