// Two versions of the code on the same tables: what version 1 listens to, what it reports, and when code is too old.
import { describe, expect, it } from 'vitest';
import type { JournalChange } from '../../../src/cluster/journal/journal.js';
import { TABLES_VERSION } from '../../../src/cluster/postgres/schema/migrations.js';
import { memoryDispatcher } from '../../../src/cluster/dispatch/memory-dispatcher.js';
import { startWorker } from '../../../src/cluster/work/worker.js';
import type { WorkerEvent } from '../../../src/cluster/work/worker-event.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect, createTablesOf, listenOn, reportAsVersion1 } from '../support/strangers.js';

const REPORT = { concurrency: 1, running: 0, warm: 0, draining: false };

async function upgrade(): Promise<{ schema: string; journal: ReturnType<typeof openJournal> }> {
  const schema = nameSchema('versions');
  await createTablesOf(1, schema);
  const journal = openJournal({ schema });
  await journal.open();
  return { schema, journal };
}

/** Sends as a process of version 1 does: by the function that both call. */
async function sendAsVersion1(schema: string, key: string): Promise<void> {
  await runSql(`select * from "${schema}".enqueue($1, 'one', 'u', '"x"', 0, null, 'a', 'null', null, 's')`, [
    key,
  ]);
}

describe('notifications between versions', () => {
  it('reach a worker of version 1 by name while there is one, and no longer', async () => {
    const { schema, journal } = await upgrade();
    const names = await listenOn(await connect(), schema);
    await journal.reportWorker({ name: 'new', ...REPORT });
    await journal.enqueue({ key: 'before', id: 'one', content: 'x', start: { agent: 'a', data: null } });
    await reportAsVersion1(schema, 'old');
    await journal.enqueue({ key: 'with spaces', id: 'one', content: 'x', start: { agent: 'a', data: null } });
    await journal.remove('with spaces');
    const all = ['events', 'inbox', 'stop', 'events', 'answer'].map((kind) => `${kind} with spaces`);
    await expect.poll(() => names).toEqual(all);
    await runSql(
      `update "${schema}".workers set seen_at = seen_at - interval '61 seconds' where name = 'old'`,
    );
    await journal.enqueue({ key: 'after', id: 'one', content: 'x', start: { agent: 'a', data: null } });
    await runSql(`select pg_notify($1, 'the end')`, [schema]);
    await expect.poll(() => names).toEqual([...all, 'the end']);
  });

  it('know a worker that goes back to version 1 under its name, and one that comes from there', async () => {
    const { schema, journal } = await upgrade();
    const names = await listenOn(await connect(), schema);
    const send = (key: string): Promise<unknown> =>
      journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
    await journal.reportWorker({ name: 'same', ...REPORT });
    await reportAsVersion1(schema, 'same');
    await send('back');
    await journal.reportWorker({ name: 'same', ...REPORT });
    await send('again');
    await runSql(`select pg_notify($1, 'the end')`, [schema]);
    await expect.poll(() => names).toEqual(['events back', 'inbox back', 'the end']);
  });

  it('of version 1 reach this version', async () => {
    const { schema, journal } = await upgrade();
    const changes: JournalChange[] = [];
    await journal.listen((change) => changes.push(change));
    await sendAsVersion1(schema, 'sent by 1');
    await expect.poll(() => changes).toContainEqual({ kind: 'inbox', key: 'sent by 1' });
  });
});

describe('a running worker', () => {
  it('goes on while newer tables allow it, and ends with JOURNAL_VERSION when they do not', async () => {
    const { schema, journal } = await upgrade();
    const report = (): Promise<void> => journal.reportWorker({ name: 'w', ...REPORT });
    await runSql(`insert into "${schema}".migrations values ($1, $2)`, [TABLES_VERSION + 1, TABLES_VERSION]);
    await report();
    const events: WorkerEvent[] = [];
    const worker = await startWorker(
      {
        journal,
        dispatcher: memoryDispatcher(),
        agents: {},
        admit: () => Promise.resolve({ admitted: true }),
      },
      { onEvent: (event) => events.push(event) },
    );
    const ended = worker.untilSignal();
    await runSql(`insert into "${schema}".migrations values ($1, $1)`, [TABLES_VERSION + 2]);
    await expect(ended).rejects.toMatchObject({
      code: 'JOURNAL_VERSION',
      retryable: false,
      message: expect.stringContaining('Update the package') as string,
    });
    expect(events.map(({ type }) => type)).toEqual(['started', 'trouble', 'draining', 'ended']);
    expect(await journal.workers()).toMatchObject([{ name: 'w' }]);
    // Also where the newer tables have none of what this code calls.
    await runSql(`drop function "${schema}".report_worker(text, text)`);
    const error: unknown = await report().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'JOURNAL_VERSION' });
    expect((error as Error).cause).toBeUndefined();
  }, 30_000);

  it('does not take missing tables for newer ones', async () => {
    const { schema, journal } = await upgrade();
    await runSql(`drop schema "${schema}" cascade`);
    const error: unknown = await journal
      .reportWorker({ name: 'w', ...REPORT })
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'JOURNAL_VERSION' });
    expect((error as Error).cause).toBeDefined();
  });
});
