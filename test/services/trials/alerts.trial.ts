// The runs behind the thresholds of `docs/operations/alerts.yml`: each trouble is brought about on real processes, and what the
// metrics say of it is printed. Needs root for the full disk, and the built package.
import { writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { mountSmallDisk, type SmallDisk } from '../../../scripts/support/services/small-disk.mjs';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { postgresJournal } from '../../../packages/cluster/src/postgres/postgres-journal.js';
import { waitUntil } from '../../support/wait-until.js';
import { runSql } from '../support/journals.js';
import { HealthWorker } from '../health/worker-process.js';

const LOST = 'inboard_cluster_leases_lost_total';
const TROUBLES = 'inboard_cluster_troubles_total';

let disk: SmallDisk;
let server: PostgresServer;
let journal: Journal;
const figures: string[] = [];

beforeAll(async () => {
  disk = mountSmallDisk(250);
  server = await startPostgres({ parent: disk.folder, settings: { fsync: 'off', max_wal_size: '48MB' } });
});
afterAll(async () => {
  server.resume();
  await server.stop();
  disk.unmount();
  process.stdout.write(`\n${figures.join('\n')}\n`);
  if (process.env['INBOARD_FIGURES']) writeFileSync(process.env['INBOARD_FIGURES'], figures.join('\n'));
});
beforeEach(async () => {
  await runSql('drop schema if exists inboard cascade', [], server.url);
});

async function start(options: object = {}): Promise<HealthWorker> {
  const worker = await new HealthWorker(server.url, options).start();
  journal = postgresJournal(server.url);
  return worker;
}

async function send(count: number, agent = 'helper'): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await journal.enqueue({ key: `chat-${index}`, id: 't', content: 'Hi', start: { agent, data: null } });
}

/** Waits until all turns run. */
async function running(worker: HealthWorker, count: number): Promise<void> {
  await waitUntil(() => worker.said.filter(({ type }) => type === 'turn-started').length >= count);
}

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('nothing happens: 100 turns, and no lease is lost', async () => {
  await using worker = await start({ concurrency: 8 });
  worker.answer();
  await send(100);
  await waitUntil(async () => (await worker.value('inboard_cluster_turns_total', 'ok')) === 100, 120_000);
  const lost = (await worker.metrics())
    .split('\n')
    .filter((line) => line.startsWith(LOST) && !line.endsWith(' 0'));
  figures.push(
    ...lost,
    `quiet: 100 turns, leases lost ${await worker.value(LOST)}, troubles ${await worker.value(TROUBLES)}, ` +
      `loop delay ${await worker.value('inboard_cluster_loop_delay_seconds')} s`,
  );
  await journal.close();
}, 150_000);

it('the database is restarted, and stands still', async () => {
  await using worker = await start({ concurrency: 8 });
  await send(8);
  await running(worker, 8);
  const begun = performance.now();
  const restarting = server.restart();
  await worker.until({ check: 'journal', code: 'JOURNAL_UNAVAILABLE' });
  await restarting;
  await worker.until('ready');
  figures.push(
    `restart of PostgreSQL: ready again after ${seconds(begun)} s, leases lost ${await worker.value(LOST)}`,
  );
  const stalled = performance.now();
  server.pause();
  await worker.until({ check: 'journal', code: 'NO_ANSWER' });
  figures.push(`PostgreSQL stands still: not ready after ${seconds(stalled)} s`);
  await pause(5000);
  server.resume();
  const resumed = performance.now();
  await worker.until('ready');
  await pause(1000);
  figures.push(
    `stood still for 5 s: ready ${seconds(resumed)} s after it went on (with a second of waiting), ` +
      `leases lost of 8: ${await worker.value(LOST)}`,
  );
  await journal.close();
}, 60_000);

it('a row is locked', async () => {
  await using worker = await start({ concurrency: 4 });
  await send(4);
  await running(worker, 4);
  const client = new Client(server.url);
  await client.connect();
  await client.query(`begin; select * from inboard.conversations where key = 'chat-1' for update`);
  await waitUntil(async () => (await worker.value(LOST, 'locked')) > 0);
  const { body } = await worker.probe('readyz');
  figures.push(
    `a locked row: leases lost ${await worker.value(LOST, 'locked')} of 4 (locked), others ` +
      `${(await worker.value(LOST)) - (await worker.value(LOST, 'locked'))}, checks ${JSON.stringify(body.checks)}`,
  );
  expect(body.checks?.['journal']).toBe('ok');
  await client.end();
  await journal.close();
}, 60_000);

it('the event loop stands still', async () => {
  await using worker = await start({ concurrency: 4 });
  await send(4);
  await running(worker, 4);
  for (const ms of [1000, 1400, 3500]) {
    worker.block(ms);
    await pause(ms + 1500);
    figures.push(
      `event loop held up for ${ms} ms: loop delay ${await worker.value('inboard_cluster_loop_delay_seconds')} s, ` +
        `leases lost of 4: ${await worker.value(LOST)}`,
    );
  }
  await journal.close();
}, 60_000);

it('a conversation fails again and again', async () => {
  await using worker = await start({ concurrency: 4 });
  const begun = performance.now();
  await send(1, 'broken');
  await waitUntil(async () => (await worker.value(TROUBLES, 'agent')) >= 5, 60_000);
  figures.push(`a broken agent: 5 troubles after ${seconds(begun)} s`);
  await waitUntil(async () => (await worker.value('inboard_cluster_turns_total', '"failed"')) === 1, 120_000);
  figures.push(
    `a broken agent: ended as failed after ${seconds(begun)} s, troubles ${await worker.value(TROUBLES, 'agent')}`,
  );
  await journal.close();
}, 200_000);

it('a budget is used up', async () => {
  await using worker = await start({ budgets: { cluster: 0 } });
  await send(1);
  await waitUntil(async () => (await worker.value('inboard_cluster_turns_total', '"refused"')) === 1);
  figures.push('a budget of 0: one turn refused, and counted at once');
  await journal.close();
}, 60_000);

it('a worker is killed', async () => {
  await using worker = await start({ name: 'w1' });
  await using other = await start({ name: 'w2' });
  const begun = performance.now();
  worker.child.kill('SIGKILL');
  await waitUntil(async () => (await other.value('inboard_cluster_workers', 'silent')) === 1, 40_000);
  figures.push(`a killed worker: silent after ${seconds(begun)} s`);
  await journal.close();
}, 60_000);

it('the database takes no writes', async () => {
  await using worker = await start();
  await runSql('alter system set default_transaction_read_only to on', [], server.url);
  await runSql('select pg_reload_conf()', [], server.url);
  const begun = performance.now();
  await worker.until({ check: 'journal', code: 'JOURNAL_UNAVAILABLE' });
  figures.push(`a read-only database: not ready after ${seconds(begun)} s`);
  await runSql('alter system reset default_transaction_read_only', [], server.url);
  await runSql('select pg_reload_conf()', [], server.url);
  await worker.until('ready');
  await journal.close();
}, 60_000);

it('the disk of the database is full', async () => {
  await using worker = await start({ concurrency: 4 });
  worker.answer();
  await send(1);
  disk.fill();
  const content = Array.from({ length: 4000 }, () => Math.random().toString(36)).join(' ');
  const begun = performance.now();
  let index = 0;
  let isRed: boolean = false;
  let refused = 0;
  let state = '';
  while (!isRed && performance.now() - begun < 30_000) {
    index += 1;
    await journal
      .enqueue({ key: `big-${index}`, id: 't', content, start: { agent: 'helper', data: null } })
      .catch(() => (refused += 1));
    const { body } = await worker.probe('readyz');
    state = JSON.stringify(body.checks);
    isRed = body.checks?.['journal_disk'] === 'DISK_FULL' || body.checks?.['journal'] !== 'ok';
  }
  figures.push(
    `a full disk: worker not ready after ${seconds(begun)} s (${refused} messages refused): ${state}`,
  );
  disk.empty();
  await server.revive();
  const emptied = performance.now();
  await waitUntil(async () => {
    await server.revive();
    return (await worker.probe('readyz')).status === 200;
  }, 60_000);
  figures.push(`room again: ready after ${seconds(emptied)} s`);
  expect(isRed).toBe(true);
  await journal.close();
}, 120_000);
