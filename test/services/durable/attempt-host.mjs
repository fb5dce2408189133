// A process that makes one attempt at a turn on a ledger in PostgreSQL, with the real CLI. `support/turn-host.mjs` has its plan.
import { agentOptions, plan, reach, saved, tell, watchStore } from '../support/turn-host.mjs';

const { attemptTurn } = await import(`${plan.entryPoints}/durable.js`);
const { createPostgresLedger } = await import(`${plan.entryPoints}/durable-postgres.js`);

const inner = createPostgresLedger({ connectionString: plan.url, schema: plan.schema });
const ledger = {
  ...inner,
  store: (fence) => {
    const store = watchStore(inner.store(fence));
    return {
      ...store,
      calls: (key) => {
        const records = store.calls(key);
        const add = async (fact) => {
          reach(`before ${fact.type}`);
          await records.add(fact);
          if (fact.type === 'asked') await saved;
          reach(`after ${fact.type}`);
        };
        return { ...records, add };
      },
    };
  },
};

try {
  const end = await attemptTurn({
    ledger,
    conversation: 'chat',
    turn: { id: 'turn-1', content: 'Refund order 7' },
    agent: agentOptions,
    answers: plan.answers,
    suspendAfterMs: plan.suspendAfterMs ?? 200,
  });
  tell({ end });
} catch (error) {
  tell({ error: String(error?.stack ?? error) });
}
await inner.close();
process.exit();
