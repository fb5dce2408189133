// A process that receives webhooks: gives a pending call many results at once, and tells which of them were taken. Its plan is its
// argument. It begins when it is told to.
import { once } from 'node:events';

const plan = JSON.parse(process.argv[2]);
const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const { postgresJournal } = await import(`${plan.entryPoints}/cluster-postgres.js`);

const cluster = createCluster({
  agents: { desk: () => ({}) },
  journal: postgresJournal({ connectionString: plan.url, schema: plan.schema }),
});
// Connects before the others begin.
await cluster.calls.list();
process.stdout.write('"ready"\n');
await once(process.stdin, 'data');

const settled = await Promise.allSettled(
  Array.from({ length: plan.each }, (_, at) =>
    cluster.calls.complete(plan.callKey, `${plan.name}, result ${at}`, { by: plan.name }),
  ),
);
const taken = settled.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
const refused = settled.flatMap(({ reason }) => (reason ? [{ code: reason.code, by: reason.by }] : []));
process.stdout.write(`${JSON.stringify({ taken, refused })}\n`);
await cluster.close();
