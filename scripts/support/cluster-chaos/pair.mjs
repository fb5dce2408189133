// Journal and dispatcher of a pair, by its name: what a process of a chaos run works on.

/** Those that several processes can share. */
export const PAIRS = ['postgres', 'postgres+redis', 'postgres+bullmq-pg'];

/** Opens both. `entryPoints` is the folder of the built package, `postgres` and `redis` are addresses. */
export async function openPair({ pair, entryPoints, postgres, redis }) {
  if (pair === 'memory') return {};
  const { postgresJournal } = await import(`${entryPoints}/cluster-postgres.js`);
  const journal = postgresJournal(postgres);
  if (pair === 'postgres') return { journal };
  const { bullmqDispatcher } = await import(`${entryPoints}/cluster-bullmq.js`);
  const connection = pair === 'postgres+redis' ? redis : postgres;
  return { journal, dispatcher: bullmqDispatcher({ connection }) };
}
