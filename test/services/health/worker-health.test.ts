// What probes of a real worker see on a real PostgreSQL: a database that stands still or is gone, an event loop that stands still,
// newer tables, and a drain. Needs the built package.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { postgresJournal } from '../../../packages/cluster/src/postgres/postgres-journal.js';
import { waitUntil } from '../../support/wait-until.js';
import { runSql } from '../support/journals.js';
import { HealthWorker } from './worker-process.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off' } });
});
afterAll(async () => {
  server.resume();
  await server.stop();
});
beforeEach(async () => {
  await runSql('drop schema if exists inboard cascade', [], server.url);
});

describe('a worker', () => {
  it('is not ready while the database stands still or is gone, is alive all the while, and is ready again', async () => {
    await using worker = await new HealthWorker(server.url).start();
    await worker.until('ready');
    server.pause();
    expect(await worker.probe('readyz')).toMatchObject({
      status: 503,
      body: { checks: { journal: 'NO_ANSWER' } },
    });
    expect((await worker.probe('healthz')).status).toBe(200);
    const metrics = await worker.metrics();
    expect(metrics).toContain('inboard_cluster_check{inboard_check="journal"} 0\n');
    expect(metrics).not.toContain('inboard_cluster_conversations');
    server.resume();
    await worker.until('ready');
    await server.halt();
    await worker.until({ check: 'journal', code: 'JOURNAL_UNAVAILABLE' });
    expect((await worker.probe('healthz')).status).toBe(200);
    await server.go();
    await worker.until('ready');
  });

  it('gives no probe an answer while its event loop stands still, which no database brings about', async () => {
    await using worker = await new HealthWorker(server.url).start();
    await worker.until('ready');
    worker.child.kill('SIGSTOP');
    expect((await worker.probe('healthz')).status).toBe(0);
    worker.child.kill('SIGCONT');
    await worker.until('ready');
    expect(await worker.metrics()).toMatch(/^inboard_cluster_loop_delay_seconds (?:0\.[5-9]|[1-9])/m);
  });

  it('is not ready from SIGTERM on, and is alive until its last turn has ended', async () => {
    await using worker = await new HealthWorker(server.url).start();
    const journal = postgresJournal(server.url);
    await journal.enqueue({ key: 'chat', id: 'one', content: 'Hi', start: { agent: 'helper', data: null } });
    await waitUntil(() => worker.said.some(({ type }) => type === 'turn-started'));
    worker.child.kill('SIGTERM');
    await waitUntil(() => worker.said.some(({ type }) => type === 'draining'));
    expect(await worker.probe('readyz')).toMatchObject({
      status: 503,
      body: { checks: { worker: 'DRAINING' } },
    });
    expect((await worker.probe('healthz')).status).toBe(200);
    expect(await worker.metrics()).toContain('inboard_cluster_workers{inboard_state="draining"} 1\n');
    worker.answer();
    expect(await worker.ended()).toBe(0);
    expect(worker.said.at(-1)).toEqual({ end: 'drained' });
    expect(await journal.turn('chat', 'one')).toMatchObject({ state: 'ended', outcome: { ok: true } });
    await journal.close();
  });

  it('is not ready once its tables need newer code', async () => {
    await using worker = await new HealthWorker(server.url).start();
    const journal = postgresJournal(server.url);
    await journal.enqueue({ key: 'chat', id: 'one', content: 'Hi', start: { agent: 'helper', data: null } });
    await waitUntil(() => worker.said.some(({ type }) => type === 'turn-started'));
    await runSql('insert into inboard.migrations (version, oldest) values (99, 99)', [], server.url);
    await worker.until({ check: 'tables', code: 'JOURNAL_VERSION' });
    expect((await worker.probe('healthz')).status).toBe(200);
    worker.answer();
    await worker.ended();
    expect(worker.said.at(-1)).toEqual({ end: 'JOURNAL_VERSION' });
    await journal.close();
  });
});
