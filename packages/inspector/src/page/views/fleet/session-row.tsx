// One session of the fleet: its title, state and cost. Opens on a click or Enter.
import { lastActivity } from '../../../model/fleet/session-filter.js';
import { countTokens } from '../../../model/fleet/fleet-totals.js';
import { findWords, splitWords } from '../../../model/fleet/session-search.js';
import { shortModel } from '../../../model/fleet/short-model.js';
import {
  formatCountOf,
  formatCount,
  formatDuration,
  formatMoney,
  NO_NUMBER,
  readWords,
} from '../../../model/format.js';
import type { SessionSummary } from '../../../model/session-summary.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ShareBar } from '../../components/share-bar.js';
import type { Store } from '../../store/store.js';
import { fleetStateOf, showSession, toggleMark } from './fleet-state.js';
import { SessionStateMark } from './session-state.js';
import { toolNamesOf } from './tool-names.js';

export function SessionRow({ store, session }: { store: Store; session: SessionSummary }) {
  const state = fleetStateOf(store);
  const isMarked = state.marked.value.includes(session.id);
  const isNew = state.seen.value !== undefined && !state.seen.value.has(session.id);
  return (
    <li
      class={`fleet-row ${isMarked ? 'fleet-row-marked' : ''} ${session.waiting > 0 ? 'fleet-row-waiting' : ''}`}
      data-session={session.id}
    >
      <div class="fleet-what">
        <button type="button" class="fleet-open" onClick={() => showSession(store, session.id)}>
          <span class="fleet-title">{session.title}</span>
        </button>
        {isNew && <Badge tone="accent">New</Badge>}
        {session.waiting > 0 && <Badge tone="permission">{formatCountOf(session.waiting, 'question')}</Badge>}
        {session.errors > 0 && <Badge tone="error">{formatCountOf(session.errors, 'error')}</Badge>}
      </div>
      <p class="fleet-line soft">
        <Line store={store} session={session} />
      </p>
      <div class="fleet-state">
        <SessionStateMark session={session} />
      </div>
      <Time store={store} session={session} />
      <Figures session={session} />
      <Button
        class="fleet-mark"
        look="plain"
        icon="swap"
        label={isMarked ? 'Marked for comparing' : 'Mark for comparing'}
        shortcut="c"
        isPressed={isMarked}
        onClick={() => toggleMark(state, session.id)}
      />
    </li>
  );
}

/** The time so far. A component of its own, because it is drawn again with each tick of the clock. */
function Time({ store, session }: { store: Store; session: SessionSummary }) {
  const { durationMs, shares, read } = store.clock.summaryNow(session);
  return (
    <div class={`fleet-time ${read === undefined ? '' : 'partial'}`}>
      <span class="number">{read === undefined ? formatDuration(durationMs) : readWords(read)}</span>
      <ShareBar shares={shares} />
    </div>
  );
}

/**
 * The text that the search found. Otherwise the last answer or the first prompt of a session, and the tenant, agent and state
 * of a conversation of a cluster.
 */
function Line({ store, session }: { store: Store; session: SessionSummary }) {
  const words = splitWords(fleetStateOf(store).filter.value.text);
  const found = words.length > 0 ? findWords(session, words, toolNamesOf(store, session.id)) : undefined;
  if (found && found.field !== 'title')
    return (
      <>
        <span class="faint">{`in its ${found.field}: `}</span>
        {found.excerpt}
      </>
    );
  const { answer, prompt, title, stateText, cwd, conversation } = session;
  if (conversation)
    return (
      <>
        <span class="faint">{[conversation.tenant, conversation.agent].filter(Boolean).join(' · ')}</span>
        {` ${stateText}`}
      </>
    );
  return <>{answer || (prompt === title ? '' : prompt) || stateText || cwd}</>;
}

function Figures({ session }: { session: SessionSummary }) {
  const { model, turns, tokens, costUsd, conversation } = session;
  const active = lastActivity(session);
  return (
    <dl class={`fleet-figures number ${session.read === undefined ? '' : 'partial'}`}>
      <div class="fleet-model">
        <dt>Model</dt>
        <dd title={model}>{model === undefined ? NO_NUMBER : shortModel(model)}</dd>
      </div>
      <div>
        <dt>Turns</dt>
        <dd>{turns}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>{conversation ? NO_NUMBER : formatCount(countTokens(tokens))}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{costUsd === undefined ? NO_NUMBER : formatMoney(costUsd)}</dd>
      </div>
      <div class="fleet-active">
        <dt>Last activity</dt>
        <dd>{active === 0 ? NO_NUMBER : <Moment at={active} />}</dd>
      </div>
    </dl>
  );
}

/** The names of the columns, if the rows are wide enough for columns. */
export function ColumnNames() {
  return (
    <div class="fleet-columns" aria-hidden="true">
      <span class="fleet-state">State</span>
      <span class="fleet-what">Session</span>
      <span class="fleet-time">Time</span>
      <div class="fleet-figures">
        <div class="fleet-model">Model</div>
        <div>Turns</div>
        <div>Tokens</div>
        <div>Cost</div>
        <div>Last activity</div>
      </div>
    </div>
  );
}

const MOMENT = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

function Moment({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {MOMENT.format(date)}
    </time>
  );
}
