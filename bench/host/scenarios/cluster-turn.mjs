// A turn of a conversation in a cluster on PostgreSQL, once everything is warm, beside the same turn of a plain session. The cluster's
// own bench starts the database and plays the turns.

export async function measure() {
  const { measureWarmTurn } = await import(new URL('../../cluster/warm-turn.mjs', import.meta.url).href);
  const { statements, turnMs, plainMs } = await measureWarmTurn();
  return { statements, turnMs, plainMs };
}
