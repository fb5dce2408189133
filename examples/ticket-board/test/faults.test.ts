// What goes wrong is told in words a person understands, and nothing is left half done.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '@libsql/client';
import { ExecutableNotFoundError, SessionClosedError } from 'inboard';
import { apiError, startScriptedModel } from 'inboard/testing';
import { explainError } from '../src/explain.ts';
import { addUser, Board, isIdle, makeFolder } from './support/board.ts';

test('bad requests are refused by name, and other sites entirely', async (t) => {
  const folder = await makeFolder(t);
  const board = await Board.start(t, folder);
  const refusals = [
    await board.send('POST', '/api/chats/new/messages', { text: ' ' }),
    await board.send('POST', '/api/chats/new/messages', { text: 'x'.repeat(8001) }),
    await board.send('POST', '/api/chats/new/messages', { text: 'x'.repeat(70_000) }),
    await board.send('POST', '/api/chats/nobody/messages', { text: 'Hello?' }),
    await board.send('POST', '/api/chats/nobody/stop', {}),
    await board.send('PATCH', '/api/tickets/7', { status: 'done' }),
    await board.send('PATCH', '/api/tickets/7', { status: 'lost' }),
    await board.decide(undefined, 'approve', { title: 'T', description: '', kind: 'wish' }),
    await board.send('POST', '/api/chats/new/messages', { text: 'Hi' }, { origin: 'http://evil.example' }),
    await board.send('POST', '/api/chats/new/messages', { text: 'Hi' }, { 'content-type': 'text/plain' }),
  ];
  assert.deepEqual(
    refusals.map(({ status, error }) => `${status} ${error}`),
    [
      '422 The message is missing.',
      '422 The message has 8001 characters; at most 8000 are allowed.',
      '413 That is too long.',
      '404 There is no such chat.',
      '404 There is no such chat.',
      '404 There is no such ticket.',
      '422 The status must be one of: open, done.',
      '422 The kind must be one of: bug, feature, task.',
      '403 Only for pages of this machine.',
      '415 Send JSON.',
    ],
  );
  // Under a name of another site (a DNS rebinding).
  const rebound = request(`${board.url}/`, { headers: { host: 'evil.example' } }).end();
  const [response] = (await once(rebound, 'response')) as [{ statusCode: number }];
  assert.equal(response.statusCode, 403);
  const page = await fetch(`${board.url}/`);
  assert.match(String(page.headers.get('content-security-policy')), /default-src 'self'/);

  // Another program holds the database.
  const other = createClient({ url: `file:${join(folder, 'board.db')}` });
  const lock = await other.transaction('write');
  const locked = await board.send('POST', '/api/chats/new/messages', { text: 'Hello?' });
  assert.equal(
    `${locked.status} ${locked.error}`,
    '503 The database is locked by another program. Try again in a moment.',
  );
  await lock.rollback();
  other.close();
  const unlocked = await board.send('POST', '/api/chats/new/messages', { text: 'Hello?' });
  assert.deepEqual([unlocked.status, unlocked.error], [202, undefined]);
});

test('a model that is busy, a CLI that is missing and a port that is taken are explained', async (t) => {
  const model = await startScriptedModel({ onExhausted: apiError(429) });
  t.after(() => model.close({ verify: false }));
  const folder = await makeFolder(t);
  // As with a real key, but on loopback.
  const key = {
    ANTHROPIC_API_KEY: 'sk-ant-not-real',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CONFIG_DIR: folder,
  };
  const board = await Board.start(t, folder, { ...key, CLAUDE_CODE_MAX_RETRIES: '0', IS_SANDBOX: '1' });
  await board.signIn('Ann', await addUser(folder, 'Ann', 'reviewer'));
  const chat = await board.say('The import is slow');
  const { messages } = await board.until((state) => isIdle(state) && state.messages.length > 1, chat);
  assert.deepEqual(
    messages.map(({ role, text }) => `${role}: ${text}`),
    [
      'person: The import is slow',
      'notice: The model gets too many requests at the moment. Wait a minute, then send your message again.',
    ],
  );

  const missing = new SessionClosedError(undefined, { cause: new ExecutableNotFoundError('none', []) });
  assert.match(explainError(missing), /npm install @anthropic-ai\/claude-code/);

  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  await assert.rejects(
    Board.start(t, folder, { PORT: String(port) }),
    /cannot be served on port \d+.*EADDRINUSE/s,
  );
});
