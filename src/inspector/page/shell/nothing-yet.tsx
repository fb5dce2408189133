// What is shown instead of a view when there is no session to look at: says why, and what to do.
import { Button } from '../components/button.js';
import { Empty } from '../components/empty.js';
import type { Store } from '../store/store.js';

export function NothingYet({ store }: { store: Store }) {
  const state = store.state.value;
  if (state === undefined)
    return store.connection.value === 'connecting' ? (
      <Empty title="Reading…" />
    ) : (
      <Empty icon="warning" title="The server cannot be read">
        <p>The line above says why. This page goes on by itself as soon as it can.</p>
      </Empty>
    );
  if (store.sessions.value.length > 0)
    return (
      <Empty icon="fleet" title="No session is chosen">
        <p>Choose one of those there are.</p>
        <Button look="primary" onClick={() => store.show('fleet')}>
          Show all sessions
        </Button>
      </Empty>
    );
  if (state.kind === 'files')
    return (
      <Empty icon="story" title="There is no recording here">
        <p>
          A run is recorded with the option <code>trace</code>, and shown with:
        </p>
        <pre>inboard inspect my-run.jsonl</pre>
      </Empty>
    );
  return (
    <Empty icon="story" title="No session yet">
      <p>
        Start one in this process: it appears here by itself. Each query and conversation of the program does.
      </p>
      <pre>{"for await (const message of query({ prompt: 'Hello' })) …"}</pre>
    </Empty>
  );
}
