// The journal behind PgBouncer: as behind nothing where sessions are pooled, and with an address to listen at where transactions are.
// Needs the Debian package pgbouncer: `INBOARD_TRIALS=1 npx vitest run --project services pgbouncer`.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startPgbouncer, type PgbouncerServer } from '../../../scripts/support/services/pgbouncer-server.mjs';
import type { JournalChange } from '../../../packages/cluster/src/journal/journal.js';
import { describeJournal } from '../../../packages/testing/src/conformance/journal/journal-conformance.js';
import { waitUntil } from '../../support/wait-until.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

describe.each(['session', 'transaction'] as const)('PgBouncer that pools by %s', (mode) => {
  let pooler: PgbouncerServer;
  beforeAll(async () => {
    pooler = await startPgbouncer({ postgresUrl: inject('postgresUrl'), mode });
  });
  afterAll(() => pooler.stop());

  const schema = nameSchema(mode);
  const open = (): ReturnType<typeof openJournal> =>
    openJournal({
      connectionString: pooler.url,
      schema,
      ...(mode === 'transaction' && { listenConnectionString: inject('postgresUrl') }),
    });

  describeJournal('postgresJournal', () => ({ journal: open(), open: () => Promise.resolve(open()) }), {
    describe,
    it,
  });
});

describe('PgBouncer that pools by transaction', () => {
  let pooler: PgbouncerServer;
  beforeAll(async () => {
    pooler = await startPgbouncer({ postgresUrl: inject('postgresUrl'), mode: 'transaction' });
  });
  afterAll(() => pooler.stop());

  const enqueue = (journal: ReturnType<typeof openJournal>): Promise<unknown> =>
    journal.enqueue({ key: randomUUID(), id: 'first', content: 'hi', start: { agent: 'a', data: null } });

  it('finds its connections as they were, where the journal has another address to listen at', async () => {
    const settings = `select string_agg(name || ' ' || setting, ', ' order by name) as all from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout')`;
    const journal = openJournal({
      connectionString: pooler.url,
      listenConnectionString: inject('postgresUrl'),
      schema: nameSchema(),
    });
    await enqueue(journal);
    expect(await runSql(settings, [], pooler.url)).toEqual(await runSql(settings));
  });

  it('without such an address: it is said, and changes are looked for', async () => {
    const warned = new Promise<Error & { code?: string }>((resolve) => process.once('warning', resolve));
    const journal = openJournal({ connectionString: pooler.url, schema: nameSchema() });
    const heard: JournalChange[] = [];
    await using _listening = await journal.listen((change) => heard.push(change));
    await enqueue(journal);
    expect(await warned).toMatchObject({ code: 'JOURNAL_NOT_HEARD' });
    await waitUntil(() => heard.some(({ kind }) => kind === 'inbox'));
    expect(heard.every(({ key }) => key === undefined)).toBe(true);
  });
});
