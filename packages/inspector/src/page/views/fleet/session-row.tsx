// One session of the fleet: its state, title and figures in one line, or in two where there is less room. Opens on a click or
// Enter.
import { readFleetFigures } from '../../../model/fleet/fleet-figures.js';
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
import { ShareBar } from '../../components/share-bar.js';
import type { Store } from '../../store/store.js';
import { fleetStateOf, showSession, toggleMark } from './fleet-state.js';
import { SessionStateMark } from './session-state.js';
import { toolNamesOf } from './tool-names.js';

export function SessionRow({ store, session }: { store: Store; session: SessionSummary }) {
  const state = fleetStateOf(store);
  const { errors, waiting } = readFleetFigures(session);
  const isMarked = state.marked.value.includes(session.id);
  const isNew = state.seen.value !== undefined && !state.seen.value.has(session.id);
  return (
    <li class={isMarked ? 'fleet-row fleet-row-marked' : 'fleet-row'} data-session={session.id}>
      <div class="fleet-state">
        <SessionStateMark session={session} />
        {waiting > 1 && <span class="fleet-waits number">{formatCountOf(waiting, 'question')}</span>}
      </div>
      <div class="fleet-what">
        <button type="button" class="fleet-open" onClick={() => showSession(store, session.id)}>
          <bdi class="fleet-title">{session.title}</bdi>
        </button>
        {isNew && <Badge tone="accent">New</Badge>}
        {errors > 0 && <Badge tone="error">{formatCountOf(errors, 'error')}</Badge>}
        <p class="fleet-line soft">
          <span class="fleet-words">
            <Line store={store} session={session} />
          </span>
        </p>
      </div>
      <Figures store={store} session={session} />
      <label class="fleet-mark">
        <input
          type="checkbox"
          checked={isMarked}
          title="Mark for comparing (c)"
          onChange={() => toggleMark(state, session.id)}
        />
        <span class="fleet-mark-word">Compare</span>
        <bdi class="off-screen">{session.title}</bdi>
      </label>
    </li>
  );
}

/** The figures. A component of its own, because it is drawn again with each tick of the clock. */
function Figures({ store, session }: { store: Store; session: SessionSummary }) {
  const now = store.clock.summaryNow(session);
  const { turns, durationMs, tokens, costUsd } = readFleetFigures(now);
  // The time that goes on while nothing happens is no activity.
  const { activeAt } = readFleetFigures(session);
  const { model } = session;
  return (
    <dl class={`fleet-figures number ${now.read === undefined ? '' : 'partial'}`}>
      <div class="fleet-time">
        <dt>Time</dt>
        <dd>
          {now.read === undefined ? formatDuration(durationMs) : readWords(now.read)}
          <ShareBar shares={now.shares} />
        </dd>
      </div>
      <div class="fleet-model">
        <dt>Model</dt>
        <dd title={model}>{model === undefined ? NO_NUMBER : shortModel(model)}</dd>
      </div>
      <div class="fleet-turns">
        <dt>Turns</dt>
        <dd>{turns}</dd>
      </div>
      <div class="fleet-tokens">
        <dt>Tokens</dt>
        <dd>{tokens === undefined ? NO_NUMBER : formatCount(tokens)}</dd>
      </div>
      <div class="fleet-cost">
        <dt>Cost</dt>
        <dd>{costUsd === undefined ? NO_NUMBER : formatMoney(costUsd)}</dd>
      </div>
      <div class="fleet-active">
        <dt>Last activity</dt>
        <dd>{activeAt === undefined ? NO_NUMBER : <Moment at={activeAt} />}</dd>
      </div>
    </dl>
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
        <bdi>{found.excerpt}</bdi>
      </>
    );
  const { answer, prompt, title, stateText, cwd, conversation } = session;
  if (conversation)
    return (
      <>
        <bdi class="faint">{[conversation.tenant, conversation.agent].filter(Boolean).join(' · ')}</bdi>
        {` ${stateText}`}
      </>
    );
  return <bdi class="fleet-told">{answer || (prompt === title ? '' : prompt) || stateText || cwd}</bdi>;
}

/** The names of the columns, if the rows are wide enough for columns. */
export function ColumnNames() {
  return (
    <div class="fleet-columns" aria-hidden="true">
      <span class="fleet-state">State</span>
      <span class="fleet-what">Session</span>
      <div class="fleet-figures">
        <div class="fleet-time">Time</div>
        <div class="fleet-model">Model</div>
        <div class="fleet-turns">Turns</div>
        <div class="fleet-tokens">Tokens</div>
        <div class="fleet-cost">Cost</div>
        <div class="fleet-active">Last activity</div>
      </div>
      <span class="fleet-mark">Compare</span>
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
