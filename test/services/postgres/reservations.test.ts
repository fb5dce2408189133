// However turns that share budgets begin and end, they keep to them: random schedules on PostgreSQL, several steps at the same time
// by two handles. And workers of the version before, which reserve nothing.
import { expect, inject, it } from 'vitest';
import { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { playBudgets } from '../../../packages/cluster/test/support/budget-schedule.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const AFTER_MS = 1000;

/** The fence of a turn that is under way. */
async function begin(journal: Journal, key: string): Promise<Fence> {
  await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null, tenant: 'ann' } });
  const lease = await journal.lease(key, { owner: 'new', ms: 600_000 });
  if (lease.state !== 'granted') throw new Error(lease.state);
  await journal.next(lease.fence);
  return lease.fence;
}

const total: Record<string, number> = {};

it.each([1, 2, 3, 4])(
  'schedule %i spends no more than it may, and forgets no turn',
  async (seed) => {
    const schema = nameSchema('reservations');
    const counts = await playBudgets({
      journals: [openJournal({ schema }), openJournal({ schema })],
      seed,
      steps: 30,
      atOnce: 3,
      afterMs: AFTER_MS,
      expire: async ({ key }) => {
        await runSql(`update "${schema}".conversations set lease_until = clock_timestamp() where key = $1`, [
          key,
        ]);
      },
      rest: async () => {
        // A conversation that was locked just then is not woken, but looks again.
        await sleep(50);
        return true;
      },
    });
    for (const [what, count] of Object.entries(counts)) total[what] = (total[what] ?? 0) + count;
    expect(await runSql(`select count(*)::int as count from "${schema}".reservations`)).toEqual([
      { count: 0 },
    ]);
  },
  120_000,
);

// In one schedule alone, the order of three at once may leave room for all.
it('has seen turns begin, and turns wait', () => {
  expect(total).toMatchObject({
    begun: expect.any(Number) as number,
    waited: expect.any(Number) as number,
  });
});

it('of a worker of version 4 that takes such a turn over are settled at its end, and wake others', async () => {
  const schema = nameSchema('reservations');
  const journal = openJournal({ schema });
  const request = { budgets: [{ of: 'cluster' as const, usd: 1 }], waits: true };
  const [first, second] = [await begin(journal, 'first'), await begin(journal, 'second')];
  expect(await journal.reserve?.(first, 'one', request)).toEqual({ state: 'reserved', usd: 1 });
  expect(await journal.reserve?.(second, 'one', request)).toMatchObject({ state: 'taken' });
  await journal.release(second, { turn: 'one', turnCostUsd: 0, afterMs: 600_000 });
  await runSql(`update "${schema}".conversations set lease_until = clock_timestamp() where key = 'first'`);
  // What version 4 calls.
  const [{ epoch } = {}] = await runSql(`select * from "${schema}".take_lease('first', 'old', 600000)`);
  await runSql(`select * from "${schema}".next_turn('first', $1)`, [epoch]);
  expect(await journal.due(10)).toEqual([]);
  const outcome = JSON.stringify({ ok: true, kind: 'ok', text: '', costUsd: 0.25 });
  await runSql(`select "${schema}".finish_turn('first', $1, 'one', $2, 0.25, null, '{}', '{}') as done`, [
    epoch,
    outcome,
  ]);
  expect(await journal.due(10)).toEqual([{ key: 'second', recovered: false }]);
  const lease = await journal.lease('second', { owner: 'new', ms: 600_000 });
  if (lease.state !== 'granted') throw new Error(lease.state);
  await journal.next(lease.fence);
  expect(await journal.reserve?.(lease.fence, 'one', request)).toEqual({ state: 'reserved', usd: 0.75 });
});

it('hold whatever transactions a server begins by itself, or are refused', async () => {
  const role = nameSchema('repeatable');
  await runSql(
    `create role "${role}" login superuser; alter role "${role}" set default_transaction_isolation to 'repeatable read'`,
  );
  const connectionString = inject('postgresUrl').replace('inboard@', `${role}@`);
  const schema = nameSchema('reservations');
  const journal = openJournal({ connectionString, schema });
  const fences = await Promise.all(Array.from({ length: 8 }, (_, at) => begin(journal, `chat ${at}`)));
  const request = { budgets: [{ of: 'tenant' as const, usd: 2 }], atMostUsd: 1, waits: true };
  const answers = await Promise.all(
    fences.map(async (fence) => await journal.reserve?.(fence, 'one', request)),
  );
  expect(answers.filter((answer) => answer?.state === 'reserved')).toHaveLength(2);
  const pool = new Pool({ connectionString });
  await expect(
    openJournal({ pool, schema }).reserve?.(fences[0] as Fence, 'one', request),
  ).rejects.toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    retryable: false,
    message: expect.stringContaining('default_transaction_isolation') as string,
  });
  await pool.end();
});
