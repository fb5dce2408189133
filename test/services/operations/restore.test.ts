// Backups that are restored: a dump, and a base backup with the log up to a point in time. What was stored by then is there and
// goes on; what came later is lost, and what to do about it is what docs/operations/database.md says.
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkHistory } from '../../../packages/cluster/src/journal/check-history.js';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { LeaseLostError } from '../../../packages/core/src/errors.js';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { readProjectFile } from '../../package/project.js';
import { openJournal, runSql } from '../support/journals.js';

const OUTCOME = { ok: true, kind: 'success', text: 'done', turnCostUsd: 0.5 };
const MARK = 'before the accident';
/** The statement that the page tells an operator to run. */
const ADVANCE_EPOCHS = /select setval\('inboard\.epochs'.*;/.exec(
  readProjectFile('docs/operations/database.md'),
)?.[0];

let server: PostgresServer;
/** As a server in production: it keeps its log for backups. */
beforeAll(async () => {
  server = await startPostgres({
    settings: {
      fsync: 'off',
      archive_mode: 'on',
      archive_command: 'cp %p ../archive-%f',
      max_wal_senders: 4,
    },
  });
});
afterAll(async () => {
  await server.stop();
});

async function take(journal: Journal, key: string, owner: string): Promise<Fence> {
  const lease = await journal.lease(key, { owner, ms: 600_000 });
  if (lease.state !== 'granted') throw new Error(`The lease of ${key} is ${lease.state}`);
  return lease.fence;
}

async function send(journal: Journal, key: string, id: string): Promise<void> {
  await journal.enqueue({ key, id, content: id, start: { agent: 'a', data: null, tenant: 'acme' } });
}

async function transcriptOf(
  journal: Journal,
  key: string,
): Promise<{ projectKey: string; sessionId: string }> {
  return {
    projectKey: 'inboard-cluster',
    sessionId: String((await journal.conversation(key))?.sessionId),
  };
}

async function work(journal: Journal, fence: Fence, id: string): Promise<void> {
  const turn = await journal.next(fence);
  await journal.beginCall(fence, { callKey: `${fence.key} ${id}`, turn: id, toolName: 't', input: {} });
  await journal.endCall(fence, `${fence.key} ${id}`, 'paid');
  const entry = { type: 'user', uuid: String(turn?.uuid), parentUuid: null };
  await journal.store(fence).append(await transcriptOf(journal, fence.key), [entry]);
  await journal.finish(fence, id, { outcome: OUTCOME });
}

/** One conversation that is over, one that waits for a person, one in mid-turn, and one whose message was only just sent. */
async function fill(journal: Journal, prefix: string): Promise<Fence> {
  const done = `${prefix} done`;
  await send(journal, done, 'one');
  const first = await take(journal, done, 'worker');
  await work(journal, first, 'one');
  await journal.release(first);

  const asks = `${prefix} asks`;
  await send(journal, asks, 'one');
  const fence = await take(journal, asks, 'worker');
  await journal.next(fence);
  const question = {
    id: `${prefix} question`,
    kind: 'permission',
    attempt: 1,
    askedAt: 0,
    input: {},
  } as const;
  await journal.ask(fence, 'one', question);
  await journal.park(fence, 'one', { questions: [question.id], turnCostUsd: 0 });
  await journal.release(fence);

  const busy = `${prefix} busy`;
  await send(journal, busy, 'one');
  const held = await take(journal, busy, 'worker');
  await journal.next(held);
  await send(journal, `${prefix} queued`, 'one');
  return held;
}

async function expectAllOf(journal: Journal, prefix: string): Promise<void> {
  const states = async (key: string): Promise<string[] | undefined> =>
    (await journal.history(`${prefix} ${key}`))?.turns.map(({ state }) => state);
  expect(await states('done')).toEqual(['ended']);
  expect(await states('asks')).toEqual(['parked']);
  expect(await states('busy')).toEqual(['running']);
  expect(await states('queued')).toEqual(['queued']);
  const done = await journal.history(`${prefix} done`);
  expect(done?.calls).toMatchObject([{ begun: 1, ended: 1 }]);
  expect(await journal.store().load(await transcriptOf(journal, `${prefix} done`))).toHaveLength(1);
  expect(checkHistory(done === undefined ? [] : [done])).toEqual([]);
}

/** It works: the question is answered once, the turn that was cut off is taken up, and the queue moves. */
async function expectToGoOn(journal: Journal, prefix: string): Promise<void> {
  const answer = { result: { behavior: 'allow' }, answeredAt: 0 } as const;
  expect(await journal.answer(`${prefix} question`, answer)).toMatchObject({ taken: true });
  for (const key of ['asks', 'queued']) {
    const fence = await take(journal, `${prefix} ${key}`, 'new worker');
    await work(journal, fence, 'one');
    await journal.release(fence);
  }
  expect((await journal.conversation(`${prefix} asks`))?.state).toBe('idle');
}

describe('a dump', () => {
  it('that is taken while workers work is whole, and lacks what came later', async () => {
    const journal = openJournal({ connectionString: server.url });
    const held = await fill(journal, 'dump');
    const file = join(server.folder, 'dump');
    await server.run('pg_dump', ['-Fc', '-n', 'inboard', '-f', file, '-d', server.url]);
    await journal.finish(held, 'one', { outcome: OUTCOME });
    await send(journal, 'dump later', 'one');

    await using restored = await startRestored();
    await chmod(file, 0o644);
    await restored.server.run('pg_restore', ['-d', restored.server.url, file]);
    const copy = openJournal({ connectionString: restored.server.url, migrate: false });
    await expectAllOf(copy, 'dump');
    expect(await copy.conversation('dump later')).toBeUndefined();
    // A sender that repeats its message with the same id stores it again.
    await send(copy, 'dump later', 'one');
    await expectToGoOn(copy, 'dump');
    const fence = await takeOver(copy, restored.server, 'dump busy');
    await work(copy, fence, 'one');
  });
});

describe('a point in time', () => {
  it('is reached, and a worker that was forgotten cannot write, once the epochs are advanced', async () => {
    const journal = openJournal({ connectionString: server.url });
    await fill(journal, 'point');
    const backup = join(server.folder, 'base');
    await server.run('pg_basebackup', [
      '-D',
      backup,
      '-X',
      'none',
      '--no-sync',
      '-c',
      'fast',
      '-d',
      server.url,
    ]);
    await fill(journal, 'after the backup');
    await runSql(`select pg_create_restore_point('${MARK}')`, [], server.url);
    // What is lost: an end, a message, and two changes of owner.
    await send(journal, 'point done', 'two');
    const lost = await take(journal, 'point done', 'forgotten');
    await runSql('select pg_switch_wal()', [], server.url);
    // It archives what is left of its log before it ends.
    await server.halt('fast');

    await using restored = await startRestored(async (data, run) => {
      await run('/bin/cp', ['-a', backup, data]);
      await run('/bin/touch', [join(data, 'recovery.signal')]);
    });
    await expect
      .poll(async () => (await runSql('select pg_is_in_recovery() as is', [], restored.server.url))[0])
      .toEqual({ is: false });
    await runSql(String(ADVANCE_EPOCHS), [], restored.server.url);
    const copy = openJournal({ connectionString: restored.server.url, migrate: false });
    await expectAllOf(copy, 'point');
    await expectAllOf(copy, 'after the backup');
    expect((await copy.history('point done'))?.turns).toHaveLength(1);
    await send(copy, 'point done', 'two');
    // Whoever sent it has its answer once; the worker of the time that is lost can write nothing.
    const fence = await take(copy, 'point done', 'new worker');
    expect(fence.epoch).toBeGreaterThan(lost.epoch + 1000);
    await expect(copy.next(lost)).rejects.toThrow(LeaseLostError);
    await work(copy, fence, 'two');
    await expectToGoOn(copy, 'after the backup');
    const history = await copy.history('point done');
    expect(checkHistory(history === undefined ? [] : [history])).toEqual([]);
    await server.go();
  });
});

type FillData = NonNullable<NonNullable<Parameters<typeof startPostgres>[0]>['fill']>;

interface Restored extends AsyncDisposable {
  readonly server: PostgresServer;
}

async function startRestored(fillData?: FillData): Promise<Restored> {
  const restored = await startPostgres({
    ...(fillData && {
      fill: fillData,
      settings: {
        fsync: 'off',
        restore_command: `cp ${server.folder}/archive-%f %p`,
        recovery_target_name: MARK,
        recovery_target_action: 'promote',
      },
    }),
  });
  return { server: restored, [Symbol.asyncDispose]: () => restored.stop() };
}

/** The lease of a worker that is gone ends by itself; here the test ends it. */
async function takeOver(journal: Journal, { url }: PostgresServer, key: string): Promise<Fence> {
  await runSql(`update inboard.conversations set lease_until = clock_timestamp() where key = $1`, [key], url);
  return await take(journal, key, 'new worker');
}
