// What each kind of mistake is answered with, on each transport: the table of errors in the README, cell by cell.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { run } from 'inboard';
import { ask, createFakeCli, text } from 'inboard/testing';
import { Database, type User } from '../app/database.ts';
import { SERVE, startHttpServer } from '../src/servers.ts';
import type { AppState } from '../src/state.ts';
import { toolkit } from '../src/tools.ts';

interface Answer {
  error?: { code: number };
  result?: { isError?: boolean };
}

const CALLS: Readonly<Record<string, { method: string; params?: object }>> = {
  'unknown method': { method: 'no/such' },
  'unknown tool': { method: 'tools/call', params: { name: 'ad', arguments: {} } },
  'invalid input': { method: 'tools/call', params: { name: 'add', arguments: { x: 'five' } } },
  'a tool throws': {
    method: 'tools/call',
    params: { name: 'rename_user', arguments: { email: 'ada@example.org', name: 'A' } },
  },
};
const clientInfo = { name: 'plain', version: '1' };
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };

let folder: string;
let db: Database;
let http: Awaited<ReturnType<typeof startHttpServer>>;
let bob: User;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tool-server-'));
  db = await Database.open(folder);
  bob = (await db.findUser('bob@example.org')) as User;
  http = await startHttpServer('0', { ...process.env, DATA_DIR: folder });
});
after(async () => {
  await http?.[Symbol.asyncDispose]();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An answer in the words of the table. */
const describeAnswer = ({ error, result }: Answer) =>
  error ? `\`${error.code}\`` : result?.isError ? 'tool error' : 'result';

/** What the host answers a CLI that sends these messages: the whole `control_response` of each. */
async function askInProcess(server: string, calls: readonly object[]) {
  const messages = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  const steps = messages.map((message) => ask({ subtype: 'mcp_message', server_name: server, message }));
  await using fake = createFakeCli([...steps, text('Done.')]);
  const toolContext: AppState = { db, user: bob, via: 'test' };
  await run({
    prompt: 'Go.',
    options: { transport: fake.transport, mcpServers: { local: toolkit }, toolContext },
  });
  type Response = { subtype: string; error?: string; response?: { mcp_response: Answer } };
  const answers = fake.log.filter(
    ({ from, frame }) => from === 'host' && frame?.['type'] === 'control_response',
  );
  return answers.map(({ frame }) => frame?.['response'] as Response).slice(-calls.length);
}

async function askOverStdio(calls: readonly object[]): Promise<Answer[]> {
  const env = { ...process.env, DATA_DIR: folder, TOOL_USER: bob.email };
  const child = spawn(process.execPath, [...SERVE, '--stdio'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 'hello', method: 'initialize', params: HELLO });
  send({ method: 'notifications/initialized' });
  for (const [id, call] of calls.entries()) send({ id, ...call });
  const answers: Answer[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, ...answer } = JSON.parse(line) as Answer & { id?: number | string };
    if (typeof id === 'number') answers[id] = answer;
    if (answers.filter(Boolean).length === calls.length) child.stdin.end();
  }
  return answers;
}

async function askOverHttp(calls: readonly object[]): Promise<Answer[]> {
  const token = await db.issueToken(bob);
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const post = async (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(http.url, { method: 'POST', headers, body });
    headers['Mcp-Session-Id'] ??= response.headers.get('Mcp-Session-Id') ?? '';
    // As an event stream, or as JSON.
    return /\{.*\}/s.exec(await response.text())?.[0] ?? '{}';
  };
  await post({ id: 'hello', method: 'initialize', params: HELLO });
  await post({ method: 'notifications/initialized' });
  const answers = [];
  for (const [id, call] of calls.entries()) answers.push(JSON.parse(await post({ id, ...call })) as Answer);
  return answers;
}

/** The rows of the table, by their first cell. */
function readTable(): Map<string, string[]> {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const [, table = ''] = /^\| mistake \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(rows.map(([, name = '', ...cells]) => [name, cells.slice(0, 3)]));
}

describe('the table of errors', () => {
  it('says what is answered in process, over stdio and over HTTP', async () => {
    const calls = Object.values(CALLS);
    const [local, stdio, overHttp] = await Promise.all([
      askInProcess('local', calls),
      askOverStdio(calls),
      askOverHttp(calls),
    ]);
    const found = Object.keys(CALLS).map((name, at) => [
      name,
      [local[at]?.response?.mcp_response, stdio[at], overHttp[at]].map((answer) =>
        describeAnswer(answer ?? {}),
      ),
    ]);
    const table = readTable();
    assert.deepEqual(
      found,
      Object.keys(CALLS).map((name) => [name, table.get(name)]),
    );
  });

  it('says what an unknown server is answered with', async () => {
    const [answer] = await askInProcess('calc', [{ method: 'tools/list' }]);
    assert.equal(answer?.subtype, 'error');
    assert.match(answer?.error ?? '', /calc/);
    // There, a server is a process or an address of its own.
    const token = await db.issueToken(bob);
    const headers = { Authorization: `Bearer ${token}` };
    const { status } = await fetch(new URL('/calc', http.url), { method: 'POST', headers, body: '{}' });
    assert.deepEqual(readTable().get('unknown server'), [
      '`control_response` with `subtype: "error"`',
      'there is one per process',
      `status ${status}`,
    ]);
  });
});
