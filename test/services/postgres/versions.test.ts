// Two versions of the code on the same tables: what version 1 listens to, what it reports, and when code is too old.
import { describe, expect, it } from 'vitest';
import type { JournalChange } from '../../../packages/cluster/src/journal/journal.js';
import { TABLES_VERSION } from '../../../packages/cluster/src/postgres/schema/migrations.js';
import { memoryDispatcher } from '../../../packages/cluster/src/dispatch/memory-dispatcher.js';
import { startWorker } from '../../../packages/cluster/src/work/worker.js';
import type { WorkerEvent } from '../../../packages/cluster/src/work/host/worker-event.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect, createTablesOf, findChannel, listenOn, reportAsVersion1 } from '../support/strangers.js';

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

  it.each([1, 3, 4] as const)(
    'tell this version of the end of a turn that code of version %i ended',
    async (version) => {
      const schema = nameSchema('ended');
      await createTablesOf(version, schema);
      const journal = openJournal({ schema });
      const changes: JournalChange[] = [];
      await journal.listen((change) => changes.push(change));
      await sendAsVersion1(schema, 'chat');
      const [{ epoch } = {}] = await runSql(`select * from "${schema}".take_lease('chat', 'old', 600000)`);
      await runSql(`select * from "${schema}".next_turn('chat', $1)`, [epoch]);
      const outcome = JSON.stringify({ ok: true, kind: 'ok', text: '', costUsd: 0 });
      const text = `select "${schema}".finish_turn('chat', $1, 'one', $2, 0, null, '{}', '{}') as done`;
      expect(await runSql(text, [epoch, outcome])).toEqual([{ done: true }]);
      await expect.poll(() => changes).toContainEqual({ kind: 'ended', key: 'chat' });
    },
  );

  it('of this version tell code of versions 2 and 3 what they listen to', async () => {
    const { schema, journal } = await upgrade();
    const numbers = await listenOn(await connect(), await findChannel(schema));
    await sendAsVersion1(schema, 'chat');
    const lease = await journal.lease('chat', { owner: 'new', ms: 600_000 });
    if (lease.state !== 'granted') throw new Error(lease.state);
    await journal.next(lease.fence);
    const outcome = { ok: true, kind: 'ok', text: '', turnCostUsd: 0 };
    await journal.finishAndNext?.(lease.fence, 'one', { outcome });
    await journal.release(lease.fence);
    await runSql(`select pg_notify($1, 'the end')`, [await findChannel(schema)]);
    await expect.poll(() => numbers.at(-1)).toBe('the end');
    // Those versions look at every `events`, and leave out the kind that they do not know.
    expect(numbers.map((told) => told.split(' ')[0])).toEqual([
      'events',
      'inbox',
      'events',
      'events',
      'ended',
      'the',
    ]);
  });

  it('of version 1 reach this version', async () => {
    const { schema, journal } = await upgrade();
    const changes: JournalChange[] = [];
    await journal.listen((change) => changes.push(change));
    await sendAsVersion1(schema, 'sent by 1');
    await expect.poll(() => changes).toContainEqual({ kind: 'inbox', key: 'sent by 1' });
  });
});

it('tells a process that only sends that newer tables do not admit it any more', async () => {
  const { schema, journal } = await upgrade();
  await journal.checkRoom?.();
  await runSql(`insert into "${schema}".migrations (version, oldest) values (99, 99)`);
  await expect(journal.checkRoom?.()).rejects.toMatchObject({ code: 'JOURNAL_VERSION' });
});

describe('the calls of a worker of another version', () => {
  const KEY = 'chat';
  const PAID = { content: [{ type: 'text', text: 'paid' }] };

  /** What code of version 1 writes of a call, by the functions that it calls. */
  async function workAsVersion1(schema: string): Promise<{ epoch: unknown; message: string }> {
    const call = async (name: string, ...values: unknown[]) =>
      await runSql(
        `select * from "${schema}".${name}(${values.map((_, at) => `$${at + 1}`).join(', ')})`,
        values,
      );
    await sendAsVersion1(schema, KEY);
    const [{ epoch } = {}] = await call('take_lease', KEY, 'old', 600_000);
    const [{ uuid } = {}] = await call('next_turn', KEY, epoch);
    for (const key of ['begun', 'waiting', 'working', 'ended'])
      await call('begin_call', KEY, epoch, key, 'one', '"pay"', '{"order":7}');
    await call('end_call', KEY, epoch, 'waiting', '"inboard:waiting-for-person"');
    await call('end_call', KEY, epoch, 'working', '"inboard:waiting-for-person"');
    await call('end_call', KEY, epoch, 'working', '"inboard:working"');
    await call('end_call', KEY, epoch, 'ended', JSON.stringify(PAID));
    return { epoch, message: String(uuid) };
  }

  it.each([1, 2, 3, 4] as const)(
    'are known to this one: tables of version %i, before and after',
    async (version) => {
      for (const when of ['before', 'after']) {
        const schema = nameSchema('calls');
        await createTablesOf(version, schema);
        const journal = openJournal({ schema });
        if (when === 'after') await journal.open();
        const { message } = await workAsVersion1(schema);
        await journal.open();
        const { sessionId = '' } = (await journal.conversation(KEY)) ?? {};
        const facts = (await journal.store().calls?.({ projectKey: 'any', sessionId }).load()) ?? [];
        const told = facts.map((fact) =>
          fact.type === 'covers' ? `covers ${fact.message}` : `${fact.callKey}: ${fact.type}`,
        );
        expect(told).toEqual([
          `covers ${message}`,
          'begun: begun',
          'waiting: begun',
          'waiting: waiting',
          'working: begun',
          'ended: begun',
          'ended: ended',
        ]);
        expect(facts.at(-1)).toMatchObject({ result: PAID });
      }
    },
  );

  it('of this one are known to version 1, in its words', async () => {
    const { schema, journal } = await upgrade();
    await sendAsVersion1(schema, KEY);
    const lease = await journal.lease(KEY, { owner: 'new', ms: 600_000 });
    if (lease.state !== 'granted') throw new Error(lease.state);
    const { fence } = lease;
    await journal.next(fence);
    const calls = ['begun', 'waiting', 'ended'];
    for (const callKey of calls)
      await journal.beginCall(fence, { callKey, turn: 'one', toolName: 'pay', input: {} });
    await journal.endCall(fence, 'waiting', 'inboard:waiting-for-person');
    await journal.endCall(fence, 'ended', PAID);
    await runSql(`update "${schema}".conversations set lease_until = clock_timestamp() where key = $1`, [
      KEY,
    ]);
    const [{ epoch } = {}] = await runSql(`select * from "${schema}".take_lease($1, 'old', 600000)`, [KEY]);
    const known = [];
    for (const key of calls) {
      const text = `select begun, result from "${schema}".begin_call($1, $2, $3, 'one', '"pay"', '{}')`;
      known.push(...(await runSql(text, [KEY, epoch, key])));
    }
    expect(known).toEqual([
      { begun: 1, result: null },
      { begun: 1, result: '"inboard:waiting-for-person"' },
      { begun: 1, result: JSON.stringify(PAID) },
    ]);
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
