// A PostgreSQL whose processes are stopped for longer than a lease, and then do all that they were asked for: no lease is brought
// back, and a worker goes on at once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { createDeferred } from '../../../packages/core/src/util/deferred.js';
import type { QueryOptions } from '../../../packages/core/src/live/tooling/name-tools.js';
import { gate } from '../../../packages/testing/src/script/gate.js';
import { held, text } from '../../../packages/testing/src/script/reply.js';
import { told, WorkerScene } from '../../../packages/cluster/test/work/worker-scene.js';
import { nameSchema, openJournal } from '../support/journals.js';

// Long, so that a lease that is brought back is not taken for one that ends soon.
const LEASE_MS = 5000;
const START = { agent: 'helper', data: null };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off' } });
});
afterAll(async () => {
  server.resume();
  await server.stop();
});

/** A journal in the server that is stopped, with statements that may take as long as that. */
function open(schema: string) {
  return openJournal({ connectionString: server.url, schema, statementTimeoutMs: 60_000 });
}

it('does not renew a lease, and begins no turn, when it was asked in time and stood still until the lease ran out', async () => {
  const journal = open(nameSchema('stall'));
  const key = 'chat';
  await journal.enqueue({ key, id: 'one', content: 'Hi', start: START });
  // So that nothing has to be connected while it stands still.
  await journal.renew([{ key, epoch: 0, owner: 'w' }], 1000);
  const answer = await journal.lease(key, { owner: 'w', ms: 2000 });
  if (answer.state !== 'granted') throw new Error(`The lease is ${answer.state}`);
  const { expiresAt } = answer.conversation.lease ?? { expiresAt: 0 };
  server.pause();
  const renewing = journal.renew([answer.fence], 60_000);
  const beginning = journal.next(answer.fence).catch((error: unknown) => error);
  await expect.poll(() => Date.now() > expiresAt).toBe(true);
  server.resume();
  expect(await renewing).toMatchObject([{ held: false, why: 'late' }]);
  expect(await beginning).toMatchObject({ code: 'LEASE_LOST', reason: 'late' });
  expect(await journal.due(10)).toEqual([{ key, recovered: true }]);
  expect(await journal.turn(key, 'one')).toMatchObject({ state: 'queued', tries: 0 });
});

it('lets another worker go on, and has prolonged no lease meanwhile', async () => {
  const schema = nameSchema('stall');
  const [journal, second] = [open(schema), open(schema)];
  const closed = gate();
  const asked = createDeferred<void>();
  const never = createDeferred<QueryOptions>();
  let isSlow = true;
  await using scene = new WorkerScene([[held(text('Never.'), closed)], [text('Done.')]], ({ key }) => {
    if (key !== 'slow' || !isSlow) return {};
    isSlow = false;
    asked.resolve();
    return never.promise;
  });
  const one = await scene.work({ leaseMs: LEASE_MS, name: 'one' }, { journal });
  for (const key of ['begun', 'slow']) {
    await journal.enqueue({ key, id: 'one', content: 'Hi', start: START });
    await scene.dispatcher.wake(key);
    await (key === 'begun' ? closed.reached : asked.promise);
  }
  const other = await scene.work({ leaseMs: LEASE_MS, name: 'other', sweepMs: 300 }, { journal: second });
  server.pause();
  const pausedAt = Date.now();
  await expect.poll(() => told(one, 'lost').length).toBe(2);
  await expect.poll(() => Date.now() > pausedAt + LEASE_MS).toBe(true);
  server.resume();
  for (const key of ['begun', 'slow']) {
    await expect
      .poll(async () => (await journal.turn(key, 'one'))?.outcome?.text, { timeout: 40_000 })
      .toBe('Done.');
    const { leases = [] } = (await journal.history(key)) ?? {};
    // Not one millisecond longer than when it was last renewed before.
    expect(leases[0]?.until).toBeLessThanOrEqual(pausedAt + LEASE_MS);
    expect(leases[0]?.epoch).not.toBe(leases.at(-1)?.epoch);
  }
  expect([...told(one, 'lost'), ...told(other, 'lost')].map(({ why }) => why)).toEqual([
    'unreachable',
    'unreachable',
  ]);
});
