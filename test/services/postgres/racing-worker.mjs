// A process that takes whatever is due, and writes under its leases; every third lease it forgets, as a killed one does,
// and goes on writing when another has it. Ends when nothing is left.
import { postgresJournal } from '../../../dist/entry/cluster-postgres.js';

const [url, schema, owner] = process.argv.slice(2);
const journal = postgresJournal({ connectionString: url, schema, migrate: false, maxConnections: 4 });
const stale = [];
let leases = 0;
let refused = 0;

async function work(key) {
  const lease = await journal.lease(key, { owner, ms: 150 });
  if (lease.state !== 'granted') return;
  const { fence, conversation } = lease;
  leases += 1;
  const turn = await journal.next(fence);
  if (!turn) {
    await journal.release(fence);
    return;
  }
  const entry = { type: 'user', uuid: turn.uuid, message: { role: 'user', content: turn.content } };
  await journal.store(fence).append({ projectKey: 'p', sessionId: conversation.sessionId }, [entry]);
  await journal.publish(fence, [{ turn: turn.id, type: 'text', text: owner }]);
  if (leases % 3 === 0) {
    stale.push({ fence, turn, since: performance.now() });
    return;
  }
  const outcome = { ok: true, kind: 'success', text: owner, turnCostUsd: 0.5 };
  await journal.finish(fence, turn.id, { outcome });
  await journal.release(fence);
}

for (;;) {
  // Long after others could take it over.
  while (stale.length > 0 && performance.now() - stale[0].since > 600) {
    const { fence, turn } = stale.shift();
    const outcome = { ok: true, kind: 'success', text: `late ${owner}`, turnCostUsd: 0.5 };
    // If no other worker has taken it over, this one still has it.
    await journal.finish(fence, turn.id, { outcome }).catch((error) => {
      if (error.code !== 'LEASE_LOST') throw error;
      refused += 1;
    });
    await journal.release(fence);
  }
  const due = await journal.due(5);
  for (const { key } of due)
    await work(key).catch((error) => {
      // Slow, and taken over.
      if (error.code !== 'LEASE_LOST') throw error;
      refused += 1;
    });
  const { turns } = await journal.stats();
  if (turns.queued + turns.running + turns.parked === 0 && stale.length === 0) break;
}
await journal.close();
process.stdout.write(JSON.stringify({ leases, refused }));
