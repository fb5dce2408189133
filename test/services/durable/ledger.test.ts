// The ledger in PostgreSQL keeps the contract of ledgers, with a process that is stopped in the middle of its writes. A ledger that
// checks its fence and then writes does not, and the cases find that.
import { Pool } from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createPostgresLedger } from '../../../packages/cluster/src/postgres/ledger/postgres-ledger.js';
import { LeaseLostError } from '../../../packages/core/src/errors.js';
import { createDeferred } from '../../../packages/core/src/util/deferred.js';
import type { Ledger, LedgerFence, LedgerStore } from '../../../packages/durable/src/ledger/ledger.js';
import {
  describeLedger,
  ledgerCases,
} from '../../../packages/testing/src/conformance/ledger/ledger-conformance.js';
import { nameSchema, runSql } from '../support/journals.js';
import { openLedger, programOf } from './ledgers.js';

const schema = nameSchema('ledger');
const program = programOf(schema);

describeLedger(
  'the ledger in PostgreSQL',
  () => ({ ledger: openLedger(schema), open: () => openLedger(schema), program }),
  { describe, it },
);

/**
 * A ledger as many write it by hand: it looks whether the fence is held, and writes in another statement. Its process is slow in between:
 * it writes only after somebody has read the transcript.
 */
function checkThenWrite(ledger: Ledger, pool: Pool, tables: string): Ledger {
  let read = createDeferred<void>();
  const write = async (fence: LedgerFence, work: (number: string) => Promise<unknown>): Promise<void> => {
    const { rows } = await pool.query(
      `select number from "${tables}".conversations where key = $1 and epoch = $2`,
      [fence.key, fence.epoch],
    );
    const [row] = rows as { number: string }[];
    if (!row) throw new LeaseLostError(fence);
    await read.promise;
    await work(row.number);
  };
  const store = (fence?: LedgerFence): LedgerStore => {
    const inner = ledger.store(fence);
    const load: LedgerStore['load'] = async (key) => {
      const loaded = await inner.load(key);
      read.resolve();
      read = createDeferred();
      return loaded;
    };
    if (!fence) return { ...inner, load };
    return {
      ...inner,
      load,
      append: (key, entries) =>
        write(fence, (number) =>
          pool.query(
            `insert into "${tables}".entries (conversation, project_key, session_id, subpath, uuid, epoch, entry)
            select $1, $2, $3, '', e.uuid, 0, e.entry from unnest($4::text[], $5::text[]) as e (uuid, entry)`,
            [
              number,
              key.projectKey,
              key.sessionId,
              entries.map(({ uuid }) => uuid),
              entries.map((each) => JSON.stringify(each)),
            ],
          ),
        ),
    };
  };
  return { ...ledger, store };
}

describe('a ledger that checks its fence before it writes', () => {
  const pool = new Pool({ connectionString: inject('postgresUrl'), max: 20 });
  afterAll(() => pool.end());

  it('is found out', async () => {
    const ledger = checkThenWrite(openLedger(schema), pool, schema);
    const race = ledgerCases({ stopsProcess: false }).find(({ name }) =>
      name.includes('lets no write through'),
    );
    await expect(race?.run(() => ({ ledger }))).rejects.toThrow(
      /took effect after the conversation was taken/,
    );
  });
});

describe('the tables of a ledger', () => {
  it('are made once, by many processes that begin at the same time', async () => {
    const fresh = nameSchema('fresh');
    const ledgers = Array.from({ length: 6 }, () => openLedger(fresh));
    const taken = await Promise.all(ledgers.map((ledger) => ledger.take('chat', { owner: 'a' })));
    expect(new Set(taken.map((each) => 'sessionId' in each && each.sessionId)).size).toBe(1);
    expect(await runSql(`select version, oldest from "${fresh}".ledger_migrations`)).toEqual([
      { version: 1, oldest: 1 },
    ]);
  });

  it('are not made without being asked for, and the error says what to do', async () => {
    const options = { connectionString: inject('postgresUrl'), schema: nameSchema('none'), migrate: false };
    const ledger = createPostgresLedger(options);
    await expect(ledger.take('chat', { owner: 'a' })).rejects.toMatchObject({
      code: 'JOURNAL_VERSION',
      message: expect.stringContaining('migrate: true') as string,
    });
    await ledger.close();
  });

  it('of a newer version are refused by code that is too old for them', async () => {
    const newer = nameSchema('newer');
    await openLedger(newer).take('chat', { owner: 'a' });
    await runSql(`insert into "${newer}".ledger_migrations (version, oldest) values (99, 98)`);
    await expect(openLedger(newer).take('chat', { owner: 'a' })).rejects.toMatchObject({
      code: 'JOURNAL_VERSION',
    });
  });
});
