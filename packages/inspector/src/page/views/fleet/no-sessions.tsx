// Shown in the fleet while there is no session: how to start one.
import { Empty } from '../../components/empty.js';
import { ClusterHead } from './cluster-head.js';
import type { Store } from '../../store/store.js';

export function NoSessions({ store }: { store: Store }) {
  const isLive = store.state.value?.kind === 'live';
  if (store.state.value?.cluster)
    return (
      <div class="view-scroll">
        <div class="fleet-inner">
          <ClusterHead store={store} />
        </div>
        <Empty icon="fleet" title="No conversation yet">
          <p>Conversations of the cluster appear here with their first message.</p>
        </Empty>
      </div>
    );
  return (
    <div class="view-scroll">
      {isLive ? (
        <Empty icon="fleet" title="No session yet">
          <p>Queries and conversations of this process appear here as they are started.</p>
        </Empty>
      ) : (
        <Empty icon="fleet" title="No recordings here">
          <p>Record a run, and it appears here:</p>
          <pre>inboard run tools.mjs "…" --trace=run.jsonl</pre>
        </Empty>
      )}
    </div>
  );
}
