// Shown instead of a view when there is no session: says why, and what to do.
import { Button } from '../components/button.js';
import { Empty } from '../components/empty.js';
import type { Store } from '../store/store.js';

export function NothingYet({ store }: { store: Store }) {
  const state = store.state.value;
  if (state === undefined)
    return store.connection.value === 'connecting' ? (
      <Empty title="Reading…" />
    ) : (
      <Empty icon="warning" title="The server cannot be reached">
        <p>The line above says why. This page keeps trying.</p>
      </Empty>
    );
  if (store.sessions.value.length > 0)
    return (
      <Empty icon="fleet" title="No session is selected">
        <p>Choose one of your sessions.</p>
        <Button look="primary" onClick={() => store.show('fleet')}>
          Show all sessions
        </Button>
      </Empty>
    );
  if (state.kind === 'files')
    return (
      <Empty icon="story" title="No recording here">
        <p>
          Record a run with the option <code>trace</code>, and open it with:
        </p>
        <pre>inboard inspect my-run.jsonl</pre>
      </Empty>
    );
  return (
    <Empty icon="story" title="No session yet">
      <p>Queries and conversations of this process appear here as they are started.</p>
      <pre>{"for await (const message of query({ prompt: 'Hello' })) …"}</pre>
    </Empty>
  );
}
