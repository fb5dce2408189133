// The template `cluster` with the roles of its deploy/roles.sql on a real PostgreSQL: migration, workers and API as processes, with the
// real CLI and the template's script. Needs the built package.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  createIsolatedEnvironment,
  type IsolatedEnvironment,
} from '../../../packages/testing/src/isolated-environment.js';
import { findPostgres } from '../../../scripts/support/services/find-servers.mjs';
import { findFreePort } from '../../../scripts/support/services/server-process.mjs';
import { PROJECT_ROOT } from '../../package/project.js';
import { waitUntil } from '../../support/wait-until.js';
import { nameSchema, runSql } from '../support/journals.js';

interface Started {
  child: ChildProcess;
  lines: Array<Record<string, unknown>>;
}

const TOKENS = { ann: 'token-of-ann-000001', bob: 'token-of-bob-000001' };
const ROLES = ['agent_owner', 'agent_worker', 'agent_api'] as const;
const database = nameSchema('agents');
/** Where the backup of the database is restored. */
const restored = nameSchema('restored');
const urlOf = (role: string, name = database): string => {
  const url = new URL(inject('postgresUrl'));
  url.username = role;
  url.pathname = `/${name}`;
  return url.href;
};
const asRole = (role: (typeof ROLES)[number], sql: string) => runSql(sql, [], urlOf(role));

let place: string;
let home: IsolatedEnvironment;
let api: string;
const started: Started[] = [];

/** Four processes with CLIs start at a time here. */
const PATIENCE_MS = 120_000;

/** A project as `inboard init` writes it, installed. */
function install(): void {
  place = mkdtempSync(join(tmpdir(), 'inboard-roles-'));
  cpSync(join(PROJECT_ROOT, 'templates', 'cluster'), place, { recursive: true });
  const modules = join(place, 'node_modules');
  for (const scope of ['@anthropic-ai', '@cfworker']) mkdirSync(join(modules, scope), { recursive: true });
  for (const name of ['jiti', 'pg', '@anthropic-ai/claude-code', '@cfworker/json-schema'])
    symlinkSync(join(PROJECT_ROOT, 'node_modules', name), join(modules, name));
  // As it is installed: what lies outside of node_modules would be compiled anew in each process.
  for (const part of ['dist', 'package.json'])
    cpSync(join(PROJECT_ROOT, part), join(modules, 'inboard', part), { recursive: true });
}

function run(program: string, env: Record<string, string>): Started {
  const args = ['--import', 'jiti/register', `src/${program}.ts`];
  const child = spawn(process.execPath, args, {
    cwd: place,
    env: { ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const one: Started = { child, lines: [] };
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) one.lines.push(JSON.parse(line) as Record<string, unknown>);
  });
  started.push(one);
  return one;
}

async function line({ lines, child }: Started, type: string): Promise<Record<string, unknown>> {
  const find = () => lines.find((each) => each['type'] === type);
  await waitUntil(() => find() !== undefined || child.exitCode !== null, PATIENCE_MS);
  return find() ?? { exit: child.exitCode, lines };
}

const startWorker = (more: Record<string, string> = {}): Started =>
  run('worker', { DATABASE_URL: urlOf('agent_worker'), MODEL: 'script', KEEP_WARM_MS: '0', ...more });

const migrate = (name: string): Started =>
  run('migrate', {
    MIGRATE_DATABASE_URL: urlOf('agent_owner', name),
    DATABASE_ROLE: 'agent_worker',
    API_ROLE: 'agent_api',
  });

async function call(token: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(
    api + path,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  return (await response.json()) as Record<string, unknown>;
}

/** Sends a message, allows what is asked, and returns the answer. */
async function talk(id: string, token: string): Promise<unknown> {
  await call(token, '/conversations/chat-1/messages', { id, text: 'It is broken.', name: 'Bo' });
  let asked: Array<{ id: string }> = [];
  await waitUntil(async () => {
    asked = (await call(token, '/approvals'))['approvals'] as typeof asked;
    return asked.length > 0;
  }, PATIENCE_MS);
  await call(token, `/approvals/${encodeURIComponent(asked[0]?.id ?? '')}`, { allow: true });
  let outcome: unknown;
  await waitUntil(async () => {
    const [row] = await asRole(
      'agent_owner',
      `select outcome::json->>'text' as text from inboard.turns where id = '${id}'`,
    );
    outcome = row?.['text'];
    return outcome !== null && outcome !== undefined;
  }, PATIENCE_MS);
  return outcome;
}

beforeAll(async () => {
  install();
  home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  await runSql(`create database "${database}"`);
  await createRoles(database);
});

const administrator = (name: string): string => urlOf(new URL(inject('postgresUrl')).username, name);

async function createRoles(name: string): Promise<void> {
  const sql = readFileSync(join(place, 'deploy', 'roles.sql'), 'utf8');
  await runSql(sql.replaceAll('REPLACE-ME', 'secret'), [], administrator(name));
}

afterAll(async () => {
  await Promise.all(
    started.map(async ({ child }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }),
  );
  for (const name of [database, restored]) await runSql(`drop database if exists "${name}" with (force)`);
  for (const role of ROLES) await runSql(`drop role ${role}`);
  await home.remove();
  rmSync(place, { recursive: true, force: true });
});

it('refuse to work before the migration, and name its command', async () => {
  const worker = startWorker();
  expect(await line(worker, 'fatal')).toMatchObject({
    code: 'JOURNAL_VERSION',
    message: expect.stringMatching(/Run "npm run migrate" with a MIGRATE_DATABASE_URL/) as string,
  });
}, 150_000);

it('are enough for migration, workers and API', async () => {
  for (const time of ['first', 'again'])
    expect(await line(migrate(database), 'migrated'), time).toHaveProperty('at');
  const port = await findFreePort();
  const people = `ann:${TOKENS.ann},bob@acme:${TOKENS.bob}`;
  const serving = run('api', { DATABASE_URL: urlOf('agent_api'), API_TOKENS: people, PORT: String(port) });
  api = `http://127.0.0.1:${port}`;
  const host = new URL(inject('postgresUrl')).host;
  expect(await line(serving, 'ready')).toMatchObject({
    what: 'api',
    url: api,
    database: `${host}/${database}`,
  });
  const workers = [startWorker(), startWorker()];
  const health = [];
  for (const worker of workers) {
    const { what, health: url } = await line(worker, 'ready');
    expect(what).toBe('worker');
    health.push(url);
  }
  expect(new Set([...health, (await line(serving, 'ready'))['health']]).size, 'ports of their own').toBe(3);
  const third = startWorker({ HEALTH_PORT: new URL(String(health[0])).port });
  expect((await line(third, 'fatal'))['message']).toMatch(/^HEALTH_PORT: port \d+ is in use/);

  expect(await talk('m1', TOKENS.bob)).toBe('Done: shipment 1, refund 2.');
  // Its own results, and not those of the first message.
  expect(await talk('m2', TOKENS.bob)).toBe('Done: shipment 3, refund 4.');
  expect(await asRole('agent_owner', 'select key, tenant from inboard.conversations')).toEqual([
    { key: 'acme/chat-1', tenant: 'acme' },
  ]);
}, 480_000);

it.each([
  ['agent_worker', 'create table inboard.mine (a int)'],
  ['agent_worker', 'create table public.mine (a int)'],
  ['agent_worker', 'create schema mine'],
  ['agent_worker', 'alter table inboard.turns add column mine int'],
  ['agent_worker', 'update inboard.migrations set oldest = 9'],
  ['agent_worker', 'delete from shop.actions'],
  ['agent_api', 'drop table inboard.turns'],
  ['agent_api', 'select * from shop.actions'],
  ['agent_api', `insert into shop.actions (call_key, kind, order_name) values ('x', 'refund', '1')`],
  ['agent_owner', 'create role mine'],
] as const)('allow no more than that: %s may not %s', async (role, sql) => {
  await expect(asRole(role, sql)).rejects.toThrow(/permission denied|must be owner/);
});

it('are given again where a backup is restored, which the migration asks for', async () => {
  const program = (name: string): string => join(findPostgres() ?? '', name);
  const file = join(place, 'backup');
  execFileSync(program('pg_dump'), ['-Fc', '-f', file, administrator(database)]);
  await runSql(`create database "${restored}"`);
  execFileSync(program('pg_restore'), ['-d', administrator(restored), file]);
  expect(await line(migrate(restored), 'fatal')).toMatchObject({
    message: expect.stringMatching(
      /CREATE on the database: permission denied .* Run deploy\/roles\.sql/,
    ) as string,
  });
  for (const _ of [1, 2]) await createRoles(restored);
  expect(await line(migrate(restored), 'migrated')).toHaveProperty('at');
  const allowed = await runSql('select number from shop.actions', [], urlOf('agent_worker', restored));
  expect(allowed.length).toBeGreaterThan(0);
}, 150_000);
