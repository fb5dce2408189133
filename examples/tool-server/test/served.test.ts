// The tools over HTTP and stdio, as others reach them: a plain MCP client with tokens, and the whole demonstration as a
// process, on the real CLI with all three servers in one session.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@libsql/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Database, type User } from '../app/database.ts';
import { startHttpServer } from '../src/servers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let db: Database;
let http: Awaited<ReturnType<typeof startHttpServer>>;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tool-server-'));
  db = await Database.open(folder);
  http = await startHttpServer('0', { ...process.env, DATA_DIR: folder });
});
after(async () => {
  await http?.[Symbol.asyncDispose]();
  db?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function tokenFor(name: string): Promise<string> {
  return db.issueToken((await db.findUser(`${name}@example.org`)) as User);
}

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'plain', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } }));
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [block] = content;
  return `${isError ? 'error: ' : ''}${block?.type === 'text' ? block.text : ''}`;
}

describe('the tools over HTTP', () => {
  it('serve two users at once, each with their own data', async () => {
    const clients = await Promise.all(['ada', 'bob'].map(async (name) => connect(await tokenFor(name))));
    const [ada, bob] = clients as [Client, Client];
    try {
      await Promise.all([
        call(ada, 'keep_result', { label: 'a', value: 1 }),
        call(bob, 'keep_result', { label: 'b', value: 2 }),
      ]);
      assert.deepEqual(await Promise.all([call(ada, 'list_results'), call(bob, 'list_results')]), [
        '[{"label":"a","value":1}]',
        '[{"label":"b","value":2}]',
      ]);
      assert.match(await call(ada, 'whoami'), /"email":"ada@example.org".*"via":"http"/);
      assert.equal(
        await call(bob, 'query_user', { email: 'ada@example.org' }),
        'error: User not found: ada@example.org',
      );
      assert.match(
        await call(bob, 'rename_user', { email: 'ada@example.org', name: 'X' }),
        /^error: Bob Kahn may not/,
      );
      assert.match(await call(bob, 'add', { x: 1 }), /^error: .*\n- y: /);
      await assert.rejects(
        call(bob, 'list_result'),
        /Unknown tool: "list_result"; did you mean "list_results"/,
      );
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
  });

  it('let nobody in without a token, with a wrong one, or with one that was taken back', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await fetch(http.url, { method: 'POST', headers, body: '{}' })).status;
    assert.equal(await ask({}), 401);
    assert.equal(await ask({ authorization: 'Bearer guess' }), 401);
    assert.equal(await ask({ authorization: 'Bearer guess', origin: 'http://evil.example' }), 403);
    const token = await tokenFor('cleo');
    const client = await connect(token);
    assert.match(await call(client, 'whoami'), /cleo@/);
    await db.revokeToken(token);
    // In the middle of its session.
    await assert.rejects(call(client, 'whoami'), /401|Unauthorized|token/i);
    await client.close().catch(() => {});
  });

  it('let nobody in whose token has ended, also in the middle of a session', async () => {
    const bob = (await db.findUser('bob@example.org')) as User;
    const ended = await db.issueToken(bob, -1);
    await assert.rejects(connect(ended), /401|Unauthorized|token/i);
    const client = await connect(await db.issueToken(bob, 1));
    assert.match(await call(client, 'whoami'), /bob@/);
    const others = createClient({ url: pathToFileURL(join(folder, 'tool-server.db')).href });
    await others.execute({
      sql: 'UPDATE tokens SET expires_ms = ? WHERE user_id = ?',
      args: [Date.now(), bob.id],
    });
    others.close();
    await assert.rejects(call(client, 'whoami'), /401|Unauthorized|token/i);
    await client.close().catch(() => {});
  });

  it('keep the tokens of a file that was written before tokens ended', async () => {
    const old = mkdtempSync(join(tmpdir(), 'tool-server-old-'));
    const client = createClient({ url: pathToFileURL(join(old, 'tool-server.db')).href });
    await client.executeMultiple(`CREATE TABLE tokens (hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL);
      INSERT INTO tokens VALUES ('${createHash('sha256').update('old').digest('hex')}', 1)`);
    client.close();
    // Two processes at once: one of them brings it up to date.
    const issue = promisify(execFile);
    const words = ['--import', 'jiti/register', 'app/issue-token.ts', 'ada@example.org', '2'];
    const place = { cwd: root, env: { ...process.env, DATA_DIR: old } };
    const issued = await Promise.all([
      issue(process.execPath, words, place),
      issue(process.execPath, words, place),
    ]);
    const now = await Database.open(old);
    for (const token of ['old', ...issued.map(({ stdout }) => stdout.trim())])
      assert.equal((await now.findUserByToken(token))?.name, 'Ada Lovelace');
    now.close();
    rmSync(old, { recursive: true, force: true });
  });

  it('say what is wrong when they cannot be served', async () => {
    const taken = new URL(http.url).port;
    await assert.rejects(
      startHttpServer(taken, { ...process.env, DATA_DIR: folder }),
      /did not start.*port/s,
    );
  });
});

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return String(port);
}

async function start(env: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/main.ts', ...words], {
    cwd: root,
    env: {
      ...process.env,
      ANTHROPIC_API_KEY: '',
      DATA_DIR: folder,
      PORT: await freePort(),
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, printed }));
  return { child, ended };
}

describe('a persistent session', () => {
  it('answers line after line with one CLI, and an error of a tool does not end it', async () => {
    const child = spawn(process.execPath, ['--import', 'jiti/register', 'src/chat.ts'], {
      cwd: root,
      env: { ...process.env, ANTHROPIC_API_KEY: '', DATA_DIR: folder },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end('What is 2 + 3?\nWhat is 7 / 0?\n1.5 + 1\nWho am I?\n7 / 2\n');
    let printed = '';
    for await (const text of child.stdout.setEncoding('utf8')) printed += text;
    assert.match(
      printed,
      /says: 5 \(call 1.*\n.*Cannot divide by zero\. \(call 2.*\n[^]*x: Expected integer[^]*\(call 3.*\n.*can only add and divide.*\n.*says: 3\.5 \(call 4/,
    );
    assert.equal(child.exitCode ?? (await once(child, 'close'))[0], 0);
  });
});

describe('the demonstration', () => {
  it('uses the one file in three ways in one session, and each way knows its own user', async () => {
    const { child, ended } = await start({});
    const { code, printed } = await ended;
    assert.equal(code, 0, printed);
    const pids = [...printed.matchAll(/"via":"(.+?)","process":(\d+)/g)].map(([, via, pid]) => [via, pid]);
    assert.deepEqual(new Set(pids.map(([via]) => via)), new Set(['in process', 'stdio', 'http']));
    assert.equal(new Set(pids.map(([, pid]) => pid)).size, 3);
    assert.equal(pids.find(([via]) => via === 'in process')?.[1], String(child.pid));
    for (const line of [
      /local +Kept answer = 40 for Ada/,
      /pipe +Kept answer = 41 for Bob/,
      /web +Kept answer = 42 for Cleo/,
      /pipe +User not found: ada@/,
      /local +Cleo Vaughan is now called Cleo V\. Vaughan/,
      /pipe +Bob Kahn may not do this/,
      /web +Cleo.* may not do this/,
      /18 calls on three servers; 6 were answered with an error/,
    ])
      assert.match(printed, line);
  });

  it('leaves nothing behind when it is told to stop', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'tool-server-stop-'));
    const { child, ended } = await start({ TMPDIR: temporary });
    let words = '';
    child.stdout.on('data', (text: string) => {
      const before = words;
      words += text;
      if (words.includes('web    at') && !before.includes('web    at')) child.kill('SIGINT');
    });
    const { code, printed } = await ended;
    assert.equal(code, 130, printed);
    assert.match(printed, /Stopped\./);
    // They may need a moment to be gone.
    for (let tries = 0; findProcesses(temporary).length > 0 && tries < 400; tries += 1) await setTimeout(50);
    assert.deepEqual(findProcesses(temporary), []);
    assert.deepEqual(
      readdirSync(temporary).filter((name) => !name.startsWith('jiti')),
      [],
    );
    rmSync(temporary, { recursive: true, force: true });
  });
});

/** Processes with this text in their environment: whatever the demonstration has started, and what that has. */
function findProcesses(text: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text);
      } catch {
        return false; // Gone, or of somebody else.
      }
    });
}
