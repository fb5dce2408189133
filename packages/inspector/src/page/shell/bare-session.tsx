// Shown instead of a view, or below it, if a session that is over has only its header: says what the view is for, and why it is empty.
import { Empty } from '../components/empty.js';
import type { LoadedSession, ViewName } from '../store/store.js';

const WHAT: Readonly<Partial<Record<ViewName, { title: string; what: string }>>> = {
  story: { title: 'No conversation', what: 'Prompts, thoughts, texts and calls are told here, in order.' },
  timeline: { title: 'No times', what: 'Bars show here what took time, and a table where it went.' },
  wire: {
    title: 'No messages',
    what: 'Everything that passes between the program and the CLI is listed here.',
  },
  tools: {
    title: 'No tools',
    what: 'The tools of the session are listed here, with their schemas and calls.',
  },
  cost: { title: 'No cost', what: 'Tokens and cost are summed up here, by turn, model and subagent.' },
};

export function BareSession({ view, session }: { view: ViewName; session: LoadedSession }) {
  const told = WHAT[view];
  if (!told) return null;
  const header = session.model.wire.rows.find(({ event }) => event === 'header');
  return (
    <Empty icon={view} title={told.title}>
      <p>{told.what}</p>
      <p>
        Only the header of this session is known
        {header && header.summary !== '' && (
          <>
            {' '}
            (<bdi>{header.summary}</bdi>)
          </>
        )}
        : it ended before anything passed.
      </p>
    </Empty>
  );
}
