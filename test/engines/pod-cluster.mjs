// A worker of inboard/cluster on PostgreSQL, without a dispatcher: for comparison with engines of others.
import { createCluster } from 'inboard/cluster';
import { postgresJournal } from 'inboard/cluster/postgres';
import { createAgent, plan, tell, watchJournal } from './pod-parts.mjs';

const cluster = createCluster({
  agents: { shop: createAgent() },
  journal: watchJournal(postgresJournal(plan.database)),
});
await cluster.work({
  name: plan.name,
  suspendAfterMs: plan.suspendAfterMs,
  keepWarmMs: 0,
  onEvent: (event) => {
    if (event.type === 'lost') tell({ refused: JSON.stringify(event) });
    if (event.type === 'trouble') tell({ trouble: event.error?.stack ?? JSON.stringify(event) });
  },
});
tell({ ready: process.pid });
