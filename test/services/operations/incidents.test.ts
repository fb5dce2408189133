// Produces each incident of docs/operations.md and its parts, heals it as the page says, and holds the page against what was seen: each line that it
// quotes was seen, and each kind of trouble that was seen is named. Numbers, times and ids may differ.
import { writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it, onTestFailed } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { CLUSTER_METRICS } from '../../../packages/cluster/src/numbers/cluster-metrics.js';
import { createSdkMcpServer, tool } from '../../../packages/inboard/src/index.js';
import type { Cluster } from '../../../packages/inboard/src/cluster.js';
import { gate } from '../../../packages/testing/src/script/gate.js';
import { crash } from '../../../packages/testing/src/fake-cli/script/build-faults.js';
import { held, text, toolUse } from '../../../packages/testing/src/script/reply.js';
import { readWholePage } from '../../package/project.js';
import { waitUntil } from '../../support/wait-until.js';
import { FaultyLink } from '../support/faulty-link.js';
import { runSql } from '../support/journals.js';
import { IncidentScene } from './incident-scene.js';

const PAGE = readWholePage('docs/operations.md');

/** A line without what differs from run to run. */
function normalize(line: string): string {
  return (
    line
      .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
      .replaceAll(/call_[0-9a-f]{40}/g, 'call_ID')
      // What is below an error depends on where a connection broke.
      .replaceAll(/ cause=(?:"(?:[^"\\]|\\.)*"|\S+)/g, '')
      // Given back in time, a lease is not taken over.
      .replaceAll(/ takenOverAfterMs=\d+/g, '')
      .replaceAll(/incident_[0-9a-f]{8}/g, 'inboard')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replaceAll(/\d+(?:\.\d+)?/g, 'N')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

/** A section of the page, without its heading. */
function readSection(heading: string): string {
  const [, section = ''] = PAGE.split(new RegExp(`^##+ ${heading}$`, 'm'));
  return section.split(/^##+ /m)[0] ?? '';
}

/** The blocks of a section of the page in this language. */
function blocksOf(heading: string, language: string): string[] {
  const blocks = readSection(heading).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'));
  return [...blocks].map(([, block = '']) => block.trim());
}

/** Runs the queries that the page gives, in the schema of the scene. */
async function runQueries(heading: string, scene: IncidentScene, url?: string): Promise<void> {
  const queries = blocksOf(heading, 'sql');
  expect(queries).not.toHaveLength(0);
  for (const query of queries) await scene.query(query.replaceAll("'inboard'", `'${scene.schema}'`), url);
}

/** What a line of a worker's log tells of trouble, as patterns that a line of the page must match; nothing if all is well. */
function signsOf(line: string): RegExp[] {
  const [, type = '', rest = ''] =
    /^\S+Z worker-1 (lost|trouble|turn-parked|draining|turn-ended)\b(.*)$/.exec(line) ?? [];
  const marks = [...rest.matchAll(/(?:why|where|code)=\S+/g)].map(([mark]) => mark);
  if (type === '' || (type === 'turn-ended' && marks.length === 0)) return [];
  return [new RegExp(`\\b${[type, ...marks].join('.*')}\\b`)];
}

/** What was seen by a test that failed, for the one who looks for its cause. */
function showOnFailure(scene: IncidentScene): void {
  onTestFailed(() => console.error(scene.seen.join('\n')));
}

/** Fails for each quoted line that was not seen, for a kind of trouble that the page does not name, and for a section without quotes. */
async function expectQuotes(heading: string, scene: IncidentScene): Promise<void> {
  await scene.measure();
  const { seen } = scene;
  const dump = process.env['INBOARD_INCIDENTS'];
  if (dump) writeFileSync(dump, `## ${heading}\n${seen.join('\n')}\n\n`, { flag: 'a' });
  const quotes = blocksOf(heading, 'text').flatMap((block) => block.split('\n'));
  expect(quotes, `quotes of "${heading}"`).not.toHaveLength(0);
  const lines = new Set(seen.map(normalize));
  expect(quotes.filter((line) => !lines.has(normalize(line)))).toEqual([]);
  const page = PAGE.split('\n');
  const unnamed = seen.flatMap(signsOf).filter((sign) => !page.some((line) => sign.test(line)));
  expect(unnamed, 'kinds of trouble that the page does not name').toEqual([]);
}

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off' } });
});
afterAll(async () => {
  server.resume();
  await server.stop();
});

const say = (cluster: Cluster, key = 'ann/1', content = 'Hello', id = 'm1') =>
  cluster.conversation(key, { agent: 'support' }).send(content, { id });

const HELD = 'held until the CLI is ended';

it('leases are lost', async () => {
  await using link = new FaultyLink(inject('postgresUrl'));
  await link.set('fine');
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const agents = { support: scene.plays([[held(text(HELD), gate())], [text('Done.')]]) };
  await scene.work(scene.open(agents, {}, link.address), { name: 'worker-1', leaseMs: 2000 });
  const sent = await say(scene.open(agents));
  await scene.starts(1);
  await link.set('silent');
  await scene.logs(/ lost /);
  await scene.command(['status']);
  await link.set('fine');
  expect(await sent.outcome()).toMatchObject({ ok: true, text: 'Done.' });
  await scene.command(['show', 'ann/1']);
  await expectQuotes('Leases are lost', scene);
});

it('a conversation is locked', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const agents = { support: scene.plays([[held(text(HELD), gate())], [text('Done.')]]) };
  await scene.work(scene.open(agents), { name: 'worker-1', leaseMs: 5000 });
  const sent = await say(scene.open(agents));
  await scene.starts(1);
  const other = new Client({ connectionString: inject('postgresUrl'), application_name: 'report' });
  await other.connect();
  await other.query('begin');
  await other.query(`select from ${scene.schema}.conversations where key = 'ann/1' for update`);
  await scene.logs(/ lost /);
  await runQueries('A row is locked', scene);
  await other.query('rollback');
  await other.end();
  expect(await sent.outcome()).toMatchObject({ ok: true });
  await expectQuotes('A row is locked', scene);
});

it('the database stands still', async () => {
  await using scene = new IncidentScene(server.url);
  showOnFailure(scene);
  const agents = { support: scene.plays([[held(text(HELD), gate())], [text('Done.')]]) };
  const cluster = scene.open(agents);
  await scene.work(cluster, { name: 'worker-1', leaseMs: 2000 });
  const sent = await say(cluster);
  await scene.starts(1);
  server.pause();
  await scene.logs(/ lost /);
  const refused = await say(cluster, 'bob/1').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  await scene.command(['status']);
  server.resume();
  expect(await sent.outcome()).toMatchObject({ ok: true });
  await scene.command(['status']);
  await expectQuotes('The database stands still', scene);
});

it('the database fails over to a standby', async () => {
  const standby = await startPostgres({
    settings: { fsync: 'off' },
    fill: (data, run) =>
      run('pg_basebackup', ['-d', server.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']),
  });
  try {
    await using link = new FaultyLink(server.url);
    await link.set('fine');
    // The command asks the new primary.
    await using scene = new IncidentScene(standby.url);
    showOnFailure(scene);
    const agents = { support: scene.plays([[held(text(HELD), gate())], [text('Done.')]]) };
    const cluster = scene.open(agents, {}, link.address);
    await scene.work(cluster, { name: 'worker-1', leaseMs: 2000 });
    const sent = await say(cluster);
    await scene.starts(1);
    // What the standby has not received by now would be lost.
    const [{ at } = {}] = await runSql('select pg_current_wal_lsn()::text as at', [], server.url);
    await waitUntil(async () => {
      const [row] = await runSql(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there',
        [at],
        standby.url,
      );
      return row?.['is_there'] === true;
    });
    await server.halt();
    await scene.logs(/ lost /);
    await runSql('select pg_promote()', [], standby.url);
    await link.set('away');
    link.aim(standby.url);
    await link.set('fine');
    await runQueries('The database fails over', scene);
    expect(await sent.outcome()).toMatchObject({ ok: true });
    await scene.command(['status']);
    await scene.command(['show', 'ann/1']);
    await expectQuotes('The database fails over', scene);
    await link.set('away');
  } finally {
    await standby.stop();
    await server.go();
  }
}, 60_000);

/** Takes all connections that a role can have; gives them. */
async function takeConnections(connectionString: string): Promise<Client[]> {
  const taken: Client[] = [];
  for (;;) {
    const client = new Client({ connectionString, application_name: 'report' });
    // The page ends them.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      expect(error).toMatchObject({ code: '53300' });
      return taken;
    }
    taken.push(client);
  }
}

it('the connections are used up', async () => {
  const small = await startPostgres({ settings: { fsync: 'off', max_connections: 12 } });
  try {
    for (const role of ['agent', 'report']) await runSql(`create role ${role} login`, [], small.url);
    await runSql('grant create on database postgres to agent', [], small.url);
    const urlOf = (role: string) => small.url.replace('//inboard@', `//${role}@`);
    await using scene = new IncidentScene(urlOf('agent'));
    showOnFailure(scene);
    const agents = { support: scene.plays([[text('Done.'), text('Done.')]]) };
    await say(scene.open(agents), 'ann/1', 'Before', 'm0');
    const taken = await takeConnections(urlOf('report'));
    const cluster = scene.open(agents);
    const refused = await say(cluster).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
    scene.seen.push(`${(refused as { code: string }).code}: ${(refused as Error).message}`);
    await scene.command(['status']);
    await runQueries('The connections are used up', scene, small.url);
    expect(await scene.command(['status'])).toContain('Conversations');
    for (const client of taken) await client.end();
    const sent = await say(cluster);
    await scene.work(cluster, { name: 'worker-1' });
    expect(await sent.outcome()).toMatchObject({ ok: true });
    await expectQuotes('The connections are used up', scene);
  } finally {
    await small.stop();
  }
});

it('the disk is full', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const agents = { support: scene.plays([[text('Done.'), text('Done.')]]) };
  const cluster = scene.open(agents);
  await say(cluster, 'ann/1', 'Before', 'm0');
  // What PostgreSQL says when a file cannot grow: test/services/trials/disk-full.trial.ts fills a real disk, which needs root.
  await runSql(`create function ${scene.schema}.full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/16397": No space left on device' using errcode = '53100'; end $$`);
  for (const table of ['turns', 'events'])
    await runSql(`create trigger full_disk before insert or update on ${scene.schema}.${table}
      execute function ${scene.schema}.full_disk()`);
  await scene.work(cluster, { name: 'worker-1' });
  const refused = await say(cluster).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  scene.seen.push(`${(refused as { code: string }).code}: ${(refused as Error).message}`);
  await scene.logs(/trouble/);
  await runQueries('The disk is full', scene);
  for (const table of ['turns', 'events']) await runSql(`drop trigger full_disk on ${scene.schema}.${table}`);
  const sent = await say(cluster);
  expect(await sent.outcome()).toMatchObject({ ok: true });
  await expectQuotes('The disk is full', scene);
});

it('a conversation fails again and again', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const plays = scene.plays([[text('Done.')]]);
  let isBroken = true;
  const support = () => {
    if (isBroken) throw new Error('The customer 7 has no address.');
    return plays();
  };
  const cluster = scene.open({ support });
  await scene.work(cluster, { name: 'worker-1', maxAttempts: 3 });
  const sent = await say(cluster);
  expect(await sent.outcome()).toMatchObject({ ok: false });
  // The worker still holds the conversation in the moment of the outcome, and would be listed as its owner.
  await scene.logs(/ released /);
  await scene.command(['ls'], { state: 'failed' });
  await scene.command(['show', 'ann/1']);
  isBroken = false;
  expect(await (await say(cluster, 'ann/1', 'Again', 'm2')).outcome()).toMatchObject({ ok: true });
  expect(await scene.command(['ls'], { state: 'failed' })).toContain('No conversation matches.');
  await expectQuotes('A conversation fails again and again', scene);
});

it('CLIs are killed', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const [killed, well] = [scene.plays([[crash({ signal: 'SIGKILL' })]]), scene.plays([[text('Done.')]])];
  let isShort = true;
  const cluster = scene.open({ support: () => (isShort ? killed() : well()) });
  await scene.work(cluster, { name: 'worker-1' });
  const sent = [await say(cluster, 'ann/1'), await say(cluster, 'bob/1')];
  await scene.logs(/ trouble key=ann\/1 where=cli/);
  await waitUntil(async () => {
    const listed = await scene.command(['ls'], { state: 'failed' });
    return /ann\/1 +retried .* waits: time/.test(listed) && /bob\/1 +retried/.test(listed);
  });
  isShort = false;
  for (const turn of sent) expect(await turn.outcome()).toMatchObject({ ok: true, text: 'Done.' });
  expect(await scene.command(['ls'], { state: 'failed' })).toContain('No conversation matches.');
  await expectQuotes('CLIs are killed', scene);
});

it('a question is not answered', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const plays = scene.plays([
    [toolUse('mcp__shop__refund', { order: '7' }), text('Done.')],
    [text('It was not allowed.')],
  ]);
  const refund = tool({
    name: 'refund',
    description: 'Pays back',
    inputSchema: { order: 'string' },
    run: () => 'paid',
  });
  const shop = () => createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: [refund] });
  const cluster = scene.open({ support: () => ({ ...plays(), mcpServers: { shop: shop() } }) });
  await scene.work(cluster, { name: 'worker-1', suspendAfterMs: 0 });
  const sent = await say(cluster);
  await scene.logs(/turn-parked/);
  await scene.measure();
  await scene.command(['status']);
  const listed = await scene.command(['approvals']);
  const [id = ''] = /call_\w+|[0-9a-f-]{36}/.exec(listed) ?? [];
  await scene.command(['approvals', 'answer', id], { deny: 'Nobody was there to decide.', by: 'ann' });
  expect(await sent.outcome()).toMatchObject({ ok: true });
  await expectQuotes('A question is not answered', scene);
});

it('the tables are newer than a worker', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const cluster = scene.open({ support: scene.plays([[text('Done.')]]) });
  const worker = await scene.work(cluster, { name: 'worker-1' });
  // As a release after the next leaves them.
  await runSql(`insert into ${scene.schema}.migrations (version, oldest) values (99, 99)`);
  const ending = await worker.untilSignal().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(ending).toMatchObject({ code: 'JOURNAL_VERSION' });
  scene.seen.push((ending as Error).message);
  await scene.command(['status']);
  await expectQuotes('A worker and the tables do not fit', scene);
});

it('names only metrics that exist', () => {
  const names = new Set<string>(Object.values(CLUSTER_METRICS).map(({ name }) => name));
  const named = [...PAGE.matchAll(/inboard\.cluster\.[\w.]*\w/g)].map(([name]) => name);
  expect(named).not.toHaveLength(0);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

it('a budget is used up', async () => {
  await using scene = new IncidentScene();
  showOnFailure(scene);
  const agents = { support: scene.plays([[text('Done.')]]) };
  const cluster = scene.open(agents, { budgets: { tenant: { usd: 0.0001, days: 1 } } });
  await scene.work(cluster, { name: 'worker-1' });
  const acme = cluster.conversation('ann/1', { agent: 'support', tenant: 'acme' });
  await (await acme.send('Hello', { id: 'm1' })).outcome();
  expect(await (await acme.send('Again', { id: 'm2' })).outcome()).toMatchObject({ kind: 'refused' });
  await scene.command(['ls'], { state: 'failed' });
  await scene.command(['status'], { tenant: 'acme' });
  await expectQuotes('A budget is used up', scene);
});
