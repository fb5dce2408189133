// The container of the template `cluster`: the steps of its container file, and its processes as the manifests run them, on a real
// PostgreSQL with the real CLI and a scripted model. Where there are no namespaces it says "not run". Needs the built package.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { TurnRecord } from '../../../packages/cluster/src/journal/records.js';
import { text, toolUse } from '../../../packages/testing/src/script/reply.js';
import {
  startScriptedModel,
  type ScriptedModel,
} from '../../../packages/testing/src/scripted-model/scripted-model.js';
import { findPort } from '../../../scripts/support/free-port.mjs';
import { PROJECT_ROOT } from '../../package/project.js';
import { WORKLOADS } from '../../package/deployment/manifests.js';
import { createAuthority } from '../../support/certificates.js';
import { waitUntil } from '../../support/wait-until.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { Container, whyNoContainer } from './container.js';
import { buildImage, type Image } from './container-image.js';

const TOKEN = 'token-of-ann-000001';
const notRun = whyNoContainer();
if (notRun !== undefined)
  console.warn(`The container of the template "cluster": not run, because ${notRun}.`);

let place: string;
let image: Image;
let model: ScriptedModel;
let databaseUrl: string;
let worker: string;
let database: { DATABASE_URL: string };
/** The files of the image. */
let before: string[];
/** Lets the second answer of a held turn come. */
let release = (): void => {};
const held = new Promise<void>((resolve) => (release = resolve));
/** Whether the model was asked what it does not answer as long as the tests run. */
let isAsked = false;
let giveUp = (): void => {};
const never = new Promise<void>((resolve) => (giveUp = resolve));

beforeAll(async () => {
  if (notRun !== undefined) return;
  place = mkdtempSync(join(tmpdir(), 'inboard-container-'));
  const context = join(place, 'context');
  cpSync(join(PROJECT_ROOT, 'templates', 'cluster'), context, { recursive: true });
  renameSync(join(context, 'dockerignore'), join(context, '.dockerignore'));
  image = buildImage(context, place);
  for (const difference of image.differs)
    console.warn(`The container of the template "cluster": ${difference}.`);
  model = await startScriptedModel({
    onExhausted: async ({ answers, prompt }) => {
      if (prompt.includes('never')) {
        isAsked = true;
        await never;
      }
      if (prompt.includes('slowly')) {
        await held;
        return text('At last.');
      }
      if (prompt.includes('alone') && answers.length > 0) return text(`Alone: ${answers[0]?.text}.`);
      if (answers.length === 0) return toolUse('mcp__shop__replace', { order: '1001' });
      if (answers.length === 1) return toolUse('mcp__shop__refund', { order: '1001', cents: 500 });
      return text(`Done: ${answers.map((answer) => answer.text).join(', ')}.`);
    },
  });
  // A database of its own, whose tables one role makes and another uses.
  const name = nameSchema('container');
  worker = nameSchema('worker');
  await runSql(`create database ${name}`);
  await runSql(`create role ${worker} login`);
  databaseUrl = inject('postgresUrl').replace(/\/postgres$/, `/${name}`);
  before = listFiles(image.root);
  const env = { MIGRATE_DATABASE_URL: databaseUrl, DATABASE_ROLE: worker };
  await using migrate = new Container(image, { args: ['node', 'dist/migrate.js'], env });
  expect(await migrate.ended(), migrate.lines.join('\n')).toBe(0);
  database = { DATABASE_URL: databaseUrl.replace('inboard@', `${worker}@`) };
});

afterAll(async () => {
  if (notRun !== undefined) return;
  release();
  giveUp();
  await model.close({ verify: false });
  rmSync(place, { recursive: true, force: true });
});

describe.skipIf(notRun !== undefined)('the container of the template "cluster"', () => {
  it('migrates, works, answers, and drains, as a user without rights, on a root that nobody can write to', async () => {
    const [workerHealth, apiHealth, port] = [await findPort(), await findPort(), await findPort()];
    await using work = new Container(image, {
      env: {
        ...database,
        ...account(),
        HEALTH_PORT: String(workerHealth),
        DRAIN_MS: '60000',
      },
    });
    await using api = new Container(image, {
      args: ['node', 'dist/api.js'],
      env: { ...database, API_TOKENS: `ann:${TOKEN}`, PORT: String(port), HEALTH_PORT: String(apiHealth) },
    });
    await untilReady(work, workerHealth);
    await untilReady(api, apiHealth);
    for (const container of [work, api]) {
      expect(container.status()).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      expect(container.status()).toMatch(/^CapEff:\t0+$/m);
      expect(container.status()).toMatch(/^NoNewPrivs:\t1$/m);
    }

    const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const message = { id: '1', text: 'Order 1001 is broken', name: 'Bo' };
    expect(await call('/conversations/chat/messages', message)).toMatchObject({ status: 202, turn: '1' });
    const listed = async (): Promise<Array<{ id: string }>> =>
      (await call('/approvals'))['approvals'] as Array<{ id: string }>;
    await waitUntil(async () => (await listed()).length > 0);
    const [question] = await listed();
    const answered = await call(`/approvals/${encodeURIComponent(question?.id ?? '')}`, { allow: true });
    expect(answered).toEqual({ status: 200, by: 'ann' });
    const journal = openJournal({ connectionString: databaseUrl, migrate: false });
    const read = async (key: string): Promise<TurnRecord | undefined> => (await journal.turns(key))[0];
    await waitUntil(async () => (await read('chat'))?.state === 'ended');
    expect((await read('chat'))?.outcome?.text).toBe('Done: shipment 1, refund 2.');
    const actions = await runSql('select kind, cents from shop.actions order by number', [], databaseUrl);
    expect(actions).toEqual([
      { kind: 'replacement', cents: null },
      { kind: 'refund', cents: 500 },
    ]);

    // A turn is under way when the pod is replaced.
    await call('/conversations/slow/messages', { ...message, id: '2', text: 'Answer slowly' });
    await waitUntil(async () => (await read('slow'))?.state === 'running');
    work.stop('SIGTERM');
    await waitUntil(async () => (await probe(workerHealth, 'readyz')).checks?.['worker'] === 'DRAINING');
    expect((await probe(workerHealth, 'healthz')).status).toBe(200);
    release();
    expect(await work.ended(), work.lines.join('\n')).toBe(0);
    expect((await read('slow'))?.state).toBe('ended');
    api.stop('SIGTERM');
    expect(await api.ended(), api.lines.join('\n')).toBe(0);

    // What runs can write to two mounts, which are gone now; the mount points are all that is new.
    const added = listFiles(image.root).filter((path) => !before.includes(path));
    expect(added.filter((path) => !/^(?:etc\/(?:passwd|hosts)|usr|s?bin|lib\w*)$/.test(path))).toEqual([]);
    expect([...work.lines, ...api.lines].filter((line) => line.includes('EROFS'))).toEqual([]);
  });

  it('runs CLIs on a host of their own, as the component "remote" says, and hands over what does not end in time', async () => {
    const certificates = mkdtempSync(join(place, 'certificates-'));
    const mounted = join(image.root, 'etc', 'agent-remote');
    mkdirSync(mounted, { recursive: true });
    const authority = createAuthority(certificates);
    const { cert, key } = authority.sign('agent-remote');
    for (const [name, text] of Object.entries({ 'ca.crt': authority.ca, 'tls.crt': cert, 'tls.key': key }))
      writeFileSync(join(mounted, name), text);
    const [port, remoteHealth, workerHealth] = [await findPort(), await findPort(), await findPort()];
    const args = WORKLOADS.get('agent-remote')?.pod.containers[0]?.args.map((word) =>
      word.replace('-port=9465', `-port=${remoteHealth}`).replace('--port=7400', `--port=${port}`),
    );
    const token = { REMOTE_TOKEN: 'token-of-the-hosts-01' };
    await using remote = new Container(image, { args, env: { ...account(), ...token } });
    await using work = new Container(image, {
      env: {
        ...database,
        ...token,
        HEALTH_PORT: String(workerHealth),
        REMOTE_HOST: '127.0.0.1',
        REMOTE_PORT: String(port),
        REMOTE_CA: '/etc/agent-remote/ca.crt',
        DRAIN_MS: '300',
      },
    });
    await untilReady(remote, remoteHealth);
    await untilReady(work, workerHealth);
    const journal = openJournal({ connectionString: databaseUrl, migrate: false });
    const start = { agent: 'support', data: { name: 'Bo' } };
    await journal.enqueue({ key: 'away', id: '3', content: 'Answer alone', start });
    await waitUntil(async () => (await journal.turns('away'))[0]?.state === 'ended');
    expect((await journal.turns('away'))[0]?.outcome?.text).toMatch(/^Alone: shipment \d+\.$/);
    expect(remote.lines.join('\n')).toMatch(/has the CLI with process id \d+, in \/home\/node/);

    // A turn that does not end within the drain is left for another worker.
    await journal.enqueue({ key: 'left', id: '4', content: 'Answer never', start });
    await waitUntil(() => isAsked);
    work.stop('SIGTERM');
    expect(await work.ended(), work.lines.join('\n')).toBe(0);
    expect((await journal.turns('left'))[0]).toMatchObject({ state: 'running', attempt: 1 });
    expect((await journal.conversation('left'))?.lease).toBeUndefined();
    remote.stop('SIGTERM');
    expect(await remote.ended(), remote.lines.join('\n')).toBe(0);
  });

  it('ends with a sentence where something is missing, or was left as it is in the example', async () => {
    const wrong: Array<[string, Record<string, string>, RegExp]> = [
      ['worker', {}, /DATABASE_URL is not set/],
      ['worker', { DATABASE_URL: databaseUrl }, /There is no account\. Set ANTHROPIC_API_KEY/],
      [
        'api',
        { DATABASE_URL: databaseUrl, API_TOKENS: 'ann:REPLACE-ME-WITH-A-LONG-RANDOM-TEXT' },
        /API_TOKENS still has/,
      ],
    ];
    await Promise.all(
      wrong.map(async ([program, env, message]) => {
        await using container = new Container(image, { args: ['node', `dist/${program}.js`], env });
        expect(await container.ended()).toBe(1);
        expect(container.lines.join('\n')).toMatch(message);
      }),
    );
  });
});

/** A made-up account, and no way to another host than the script. */
function account(): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  return {
    ANTHROPIC_API_KEY: 'sk-ant-api03-not-a-real-key',
    ANTHROPIC_BASE_URL: model.url,
    HTTPS_PROXY: nowhere,
    HTTP_PROXY: nowhere,
    NO_PROXY: '127.0.0.1,localhost',
  };
}

async function probe(
  port: number,
  page: string,
): Promise<{ status: number; checks?: Record<string, string> }> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/${page}`, { signal: AbortSignal.timeout(1000) });
    return { ...((await answer.json()) as object), status: answer.status };
  } catch {
    return { status: 0 };
  }
}

async function untilReady(container: Container, port: number): Promise<void> {
  await waitUntil(async () => {
    if (container.hasEnded) throw new Error(`It ended:\n${container.lines.join('\n')}`);
    return (await probe(port, 'readyz')).status === 200;
  });
}

/** Files and links, not folders. */
function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
