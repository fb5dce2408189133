// A worker on the journal of PostgreSQL: one process is one life. It works until it is ended.
import { createKillPoints, dieNow } from './kill-points.mjs';
import { hookCli } from './hook-files.mjs';
import { createShop } from './shop.mjs';
import { watchJournal } from './watch-store.mjs';

const plan = JSON.parse(process.env.CALL_FAULTS_PLAN);
const points = createKillPoints({ file: plan.files.notes, life: plan.life, kill: plan.kill, die: dieNow });
const cli = hookCli(points);
const sdk = await import(`${plan.entryPoints}/index.js`);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const { postgresJournal } = await import(`${plan.entryPoints}/cluster-postgres.js`);
const journal = watchJournal(postgresJournal(plan.postgres), points, () => cli.pid() !== undefined);
const cluster = createCluster({
  agents: { desk: () => createShop({ sdk, plan, points: () => points }) },
  journal,
});
await cluster.work({
  concurrency: 1,
  // Longer than a cell: a worker that loses its lease on a busy machine goes on without the death that the cell is about. The lease of
  // one that was killed is ended by the play.
  leaseMs: 600_000,
  sweepMs: 100,
  keepWarmMs: 0,
  maxAttempts: 50,
  onEvent: (event) =>
    points.note('event', {
      type: event.type,
      error: event.error && String(event.error?.stack ?? event.error),
    }),
});
