// Leases are renewed although everything else waits: for locks, or for a database that answers late.
import { Client } from 'pg';
import { expect, inject, it } from 'vitest';
import { quoteName } from '../../../packages/cluster/src/postgres/journal-options.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { nameSchema, openJournal } from '../support/journals.js';

it('renews leases while all connections of the journal are taken', async () => {
  const schema = nameSchema('urgent');
  const journal = openJournal({ schema, maxConnections: 1 });
  const take = async (key: string): Promise<Fence> => {
    await journal.enqueue({ key, id: 'one', content: 'hi', start: { agent: 'test', data: null } });
    const lease = await journal.lease(key, { owner: 'test', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
    return lease.fence;
  };
  const stuck = await take('stuck');
  const free = await take('free');
  const other = new Client(inject('postgresUrl'));
  await other.connect();
  await other.query(`begin; select 1 from ${quoteName(schema)}.conversations where key = 'stuck' for update`);
  const events = [{ turn: 'one', type: 'text' as const, text: 'late' }];
  const publishing = journal.publish(stuck, events, 'batch');
  const late = journal.turns('free');
  expect(await journal.renew([free], 60_000)).toMatchObject([{ key: 'free', held: true }]);
  await other.query('rollback');
  await other.end();
  await publishing;
  expect(await late).toHaveLength(1);
});
