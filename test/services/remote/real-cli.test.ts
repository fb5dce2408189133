// The real CLI behind serveCli(), without a network: tools and permissions here, a session that moves to a fresh host, TLS
// with certificates on both sides, and the command over its standard input and output. Needs the built package.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createSdkMcpServer,
  InMemorySessionStore,
  openSession,
  query,
  tool,
  type InboardWarning,
} from '../../../packages/inboard/src/index.js';
import { connectCli, serveCli, type RemoteServerEvent } from '../../../packages/inboard/src/remote.js';
import {
  createIsolatedEnvironment,
  startOffline,
  text,
  toolUse,
} from '../../../packages/inboard/src/testing.js';
import { NEWEST_VERSION } from '../../../packages/core/src/options/supported-versions.js';
import { waitUntil } from '../../support/wait-until.js';
import { createAuthority } from '../../support/certificates.js';

const TOKEN = 'a-token-for-this-test';
const COMMAND = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inboard-remote-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function portOf(server: Awaited<ReturnType<typeof serveCli>>): number {
  return 'port' in server.address ? server.address.port : 0;
}

it('has its tools and permissions here, and its version is known', async () => {
  await using offline = await startOffline([toolUse('mcp__home__where', {}), text('Done.')]);
  const { env, cwd } = offline.options;
  const events: RemoteServerEvent[] = [];
  await using server = await serveCli({ listen: {}, token: TOKEN, env, cwd, onEvent: (e) => events.push(e) });
  const where = tool('where', 'Says where it runs.', {}, () => `process ${process.pid}`);
  const asked: string[] = [];
  const seen: string[] = [];
  const running = query({
    prompt: 'Where?',
    options: {
      ...connectCli({ port: portOf(server), token: TOKEN }),
      mcpServers: { home: createSdkMcpServer({ name: 'home', tools: [where], alwaysLoad: true }) },
      // A private file there, and a version that must be known before the start.
      settings: { model: 'claude-sonnet-4-5' },
      trace: { write: () => {} },
      canUseTool: (name, input) => {
        asked.push(name);
        return Promise.resolve({ behavior: 'allow', updatedInput: input });
      },
    },
  });
  for await (const message of running) {
    if (message.type === 'system' && message.subtype === 'init') {
      expect(message.claude_code_version).toBe(NEWEST_VERSION);
      expect(message.cwd).toBe(cwd);
    }
    if (message.type === 'result' && message.subtype === 'success') seen.push(message.result);
  }
  expect(seen).toEqual(['Done.']);
  expect(asked).toEqual(['mcp__home__where']);
  expect(JSON.stringify(offline.model.requests.at(-1))).toContain(`process ${process.pid}`);
  // One link: that which asked for the version also started the CLI. The host there says so once nothing of it is left.
  await waitUntil(() => events.at(-1)?.type === 'ended');
  expect(events.map(({ type }) => type)).toEqual(['started', 'ended']);
  expect(events.at(-1)).toMatchObject({ exitCode: 0, signal: null });
});

it('says that a transcript is lost which the store did not take: the CLI there had the only other one', async () => {
  await using offline = await startOffline([text('First.'), text('Second.')]);
  const { env, cwd } = offline.options;
  await using server = await serveCli({ listen: {}, token: TOKEN, env, cwd });
  const sessionStore = new InMemorySessionStore();
  const warnings: InboardWarning[] = [];
  const ask = async (prompt: string, resume?: string): Promise<string | undefined> => {
    const remote = connectCli({ port: portOf(server), token: TOKEN });
    const onWarning = (warning: InboardWarning): unknown => warnings.push(warning);
    const options = { ...remote, sessionStore, projectKey: 'shop', resume, onWarning };
    let sessionId: string | undefined;
    for await (const message of query({ prompt, options })) sessionId = message.session_id ?? sessionId;
    return sessionId;
  };
  const sessionId = await ask('Hello one');
  expect(warnings).toEqual([]);
  sessionStore.append = () => Promise.reject(new Error('The store is down'));
  const before = new Set(readdirSync(tmpdir()));
  await ask('Hello two', sessionId);
  const told = warnings.filter(({ code }) => code.startsWith('TRANSCRIPT_'));
  expect(told).toMatchObject([{ code: 'TRANSCRIPT_LOST', error: { code: 'SESSION_STORE_FAILED' } }]);
  expect(told[0]?.message).not.toContain('is kept');
  const kept = readdirSync(tmpdir()).filter((name) => name.startsWith('inboard-kept-') && !before.has(name));
  expect(kept).toEqual([]);
});

it('moves to a host that never saw the session, over TLS with certificates, out of a store here', async () => {
  await using offline = await startOffline([text('First.'), text('Second.')]);
  const authority = createAuthority(folder);
  const tls = { ...authority.sign('host'), ca: authority.ca };
  const mine = authority.sign('home');
  const sessionStore = new InMemorySessionStore();
  const serve = ({ env, cwd }: { env: Record<string, string>; cwd: string }) =>
    serveCli({ env, cwd, listen: { tls }, clientCertificates: true });
  let sessionId: string | undefined;
  {
    await using server = await serve(offline.options);
    const remote = connectCli({ port: portOf(server), tls: { ca: authority.ca, ...mine } });
    await using session = openSession({ options: { ...remote, sessionStore } });
    expect((await session.send('one').outcome()).text).toBe('First.');
    ({ sessionId } = session);
    const stranger = connectCli({ port: portOf(server), tls: { ca: authority.ca } });
    await expect(query({ prompt: 'Hi', options: stranger }).next()).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
    });
    const unknown = connectCli({ port: portOf(server), tls: true });
    await expect(query({ prompt: 'Hi', options: unknown }).next()).rejects.toMatchObject({
      code: 'REMOTE_NOT_SECURE',
    });
  }
  const fresh = await createIsolatedEnvironment({ baseUrl: offline.model.url });
  {
    await using server = await serve(fresh);
    const remote = connectCli({ port: portOf(server), tls: { ca: authority.ca, ...mine } });
    await using session = openSession({ options: { ...remote, sessionStore, resume: sessionId } });
    expect((await session.send('two').outcome()).text).toBe('Second.');
    expect(session.sessionId).toBe(sessionId);
  }
  await fresh.remove();
  expect(JSON.stringify(offline.model.requests.at(-1))).toMatch(/one.*First\..*two|one\\ntwo/);
});

it('runs over the input and output of a command, and is interrupted there', async () => {
  await using offline = await startOffline([toolUse('mcp__home__wait', {}), text('Again.')]);
  const { env, cwd } = offline.options;
  const wait = tool('wait', 'Waits.', {}, async (_args, { signal }) => {
    void session.interrupt();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 'stopped';
  });
  const command = [process.execPath, COMMAND, 'remote', 'serve', '--stdio', '--cwd', cwd];
  await using session = openSession({
    options: {
      ...connectCli({ command }),
      // What a query sets travels; here it is where that host keeps its files, and its model.
      env,
      mcpServers: { home: createSdkMcpServer({ name: 'home', tools: [wait], alwaysLoad: true }) },
      allowedTools: [wait],
    },
  });
  const first = await session.send('Wait.').outcome();
  expect(first.kind).toBe('interrupted');
  expect((await session.send('And now?').outcome()).text).toBe('Again.');
});
