// Journal and dispatcher of a pair, by its name: what a process of a chaos run works on.

/** Those that several processes can share. */
export const PAIRS = ['postgres', 'postgres+redis', 'postgres+bullmq-pg'];

/** Opens both. `doors` is the folder of the built package, `postgres` and `redis` are addresses. */
export async function openPair({ pair, doors, postgres, redis }) {
  if (pair === 'memory') return {};
  const { postgresJournal } = await import(`${doors}/cluster-postgres.js`);
  const journal = postgresJournal(postgres);
  if (pair === 'postgres') return { journal };
  const { bullmqDispatcher } = await import(`${doors}/cluster-bullmq.js`);
  const connection = pair === 'postgres+redis' ? redis : postgres;
  return { journal, dispatcher: bullmqDispatcher({ connection }) };
}
