// Shows when an event happened, its size, what it answers, and the other events of the same call or streamed answer.
import type { WireRow } from '../../model/wire/wire-row.js';
import { formatBytes, formatClock, formatDuration, formatExact } from '../../model/format.js';
import type { LoadedSession, Store } from '../store/store.js';
import { showInStory } from '../views/story/show-in-story.js';
import { Button } from './button.js';
import { fitsMedia, NO_COLUMNS } from './fits-media.js';

interface EventFactsProps {
  store: Store;
  session: LoadedSession;
  row: WireRow;
}

export function EventFacts({ store, session, row }: EventFactsProps) {
  const { wire } = session.model;
  const show = (n: number): void => {
    store.shownEvent.value = { session: session.model.id, n };
  };
  const { model } = session;
  const openStory = (): void => {
    store.open(model.id, 'story');
    showInStory(store, model, row);
    // On a narrow page, the event would cover the view that is to be shown.
    if (fitsMedia(NO_COLUMNS)) store.shownEvent.value = undefined;
  };
  const question = row.answers === undefined ? undefined : wire.at(row.answers);
  const answer = row.answeredBy === undefined ? undefined : wire.at(row.answeredBy);
  return (
    <>
      <dl class="event-facts">
        <dt>Event</dt>
        <dd class="number">{formatExact(row.n)}</dd>
        <dt>Time</dt>
        <dd class="number">
          {formatClock(row.t, 3)}, {formatDuration(row.since)} after the previous one
        </dd>
        {row.bytes !== undefined && (
          <>
            <dt>Size</dt>
            <dd class="number" title={`${formatExact(row.bytes)} bytes`}>
              {formatBytes(row.bytes)}
            </dd>
          </>
        )}
        {question && (
          <>
            <dt>Answers</dt>
            <dd>
              <LinkTo row={question} show={show} /> after {formatDuration(row.t - question.t)}
            </dd>
          </>
        )}
        {answer && (
          <>
            <dt>Answered</dt>
            <dd>
              <LinkTo row={answer} show={show} /> after {formatDuration(answer.t - row.t)}
            </dd>
          </>
        )}
      </dl>
      <div class="event-actions">
        <Kin kin={row.run?.rows ?? wire.kinOf(row)} row={row} show={show} />
        {store.view.value !== 'wire' && (
          <Button icon="wire" onClick={() => store.open(model.id, 'wire')}>
            Open in wire
          </Button>
        )}
        {store.view.value !== 'story' && (
          <Button icon="story" onClick={openStory}>
            Open in story
          </Button>
        )}
      </div>
    </>
  );
}

function LinkTo({ row, show }: { row: WireRow; show: (n: number) => void }) {
  return (
    <button type="button" class="text-button event-link" onClick={() => show(row.n)}>
      {row.event}
    </button>
  );
}

/** Buttons to step through the events of one call, or the pieces of one streamed answer. */
function Kin({ kin, row, show }: { kin: readonly WireRow[]; row: WireRow; show: (n: number) => void }) {
  const place = kin.indexOf(row);
  if (place < 0 || kin.length < 2) return null;
  const before = kin[place - 1];
  const after = kin[place + 1];
  const none = 'There is no other';
  const whole = row.run ? 'this answer' : 'this call';
  return (
    <div class="event-kin" role="group" aria-label={`Events of ${whole}`}>
      <Button
        icon="left"
        label={`Previous one of ${whole}`}
        offBecause={before ? undefined : none}
        onClick={() => before && show(before.n)}
      />
      <span class="number small">
        {place + 1} of {kin.length} in {whole}
      </span>
      <Button
        icon="right"
        label={`Next one of ${whole}`}
        offBecause={after ? undefined : none}
        onClick={() => after && show(after.n)}
      />
    </div>
  );
}
