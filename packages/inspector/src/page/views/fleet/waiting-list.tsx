// The oldest open questions of all sessions, above everything else. Each has a button that opens its session.
import { formatCountOf, formatTimeOfDay } from '../../../model/format.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icons.js';
import type { Store } from '../../store/store.js';
import { showSession } from './fleet-state.js';

const MOST = 5;

export function WaitingList({ store }: { store: Store }) {
  const questions = store.questions.value.toSorted((one, other) => one.askedAt - other.askedAt);
  if (questions.length === 0) return null;
  const titles = new Map(store.sessions.value.map(({ id, title }) => [id, title]));
  return (
    <section class="fleet-waiting" aria-label="Waiting for you">
      <h2>
        <Icon name="question" />
        {`${formatCountOf(questions.length, 'question waits', 'questions wait')} for you`}
      </h2>
      <ul>
        {questions.slice(0, MOST).map(({ id, session, title, subject, askedAt }) => (
          <li key={`${session} ${id}`}>
            <span class="fleet-asked">
              <strong>{title || subject}</strong>
              <span class="soft">{` in ${titles.get(session) ?? session}, since ${formatTimeOfDay(askedAt)}`}</span>
            </span>
            <Button onClick={() => showSession(store, session)}>Answer</Button>
          </li>
        ))}
      </ul>
      {questions.length > MOST && (
        <p class="soft small">{`${questions.length - MOST} more: filter by "Waiting" to see their sessions.`}</p>
      )}
    </section>
  );
}
