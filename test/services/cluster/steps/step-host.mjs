// A process that makes one step of a conversation on PostgreSQL, with the real CLI, or several one after the other.
// `support/turn-host.mjs` has its plan.
import { agentOptions, plan, reach, tell, watchStore } from '../../support/turn-host.mjs';

const { createCluster } = await import(`${plan.entryPoints}/cluster.js`);
const { postgresJournal } = await import(`${plan.entryPoints}/cluster-postgres.js`);

const inner = postgresJournal({ connectionString: plan.url, schema: plan.schema });
const journal = {
  ...inner,
  store: (fence) => watchStore(inner.store(fence)),
  endCall: async (...given) => {
    reach('before its end');
    await inner.endCall(...given);
    reach('after its end');
  },
};
const cluster = createCluster({ agents: { desk: () => agentOptions }, journal });
const controller = new AbortController();
process.once('SIGUSR2', () => controller.abort());
try {
  for (const turn of plan.turns ?? ['turn-1']) {
    const end = await cluster.step('chat', {
      turn,
      suspendAfterMs: 200,
      ...plan.step,
      signal: controller.signal,
      onEvent: ({ type }) => tell({ event: type }),
    });
    tell({ end });
  }
} catch (error) {
  tell({ error: error?.name ?? String(error) });
}
await cluster.close().catch((error) => tell({ closing: String(error) }));
process.exit();
