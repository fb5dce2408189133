// Who may do what: signing in and out, roles, requests that a page of another origin makes, guessing passwords; and the trail
// of who did what.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClient } from '@libsql/client';
import { addUser, Board, isIdle, makeFolder, type Entry } from './support/board.ts';

/** Signs in as a browser does by way of a proxy: it passes on the name that the browser asked for. */
async function signInAs(board: Board, name: string, password: string) {
  const headers = {
    host: 'board.example',
    origin: 'https://board.example',
    'content-type': 'application/json',
  };
  const asked = request(`${board.url}/api/sign-in`, { method: 'POST', headers });
  asked.end(JSON.stringify({ name, password }));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, set: String(response.headers['set-cookie']) };
}

function openFile(t: TestContext, folder: string) {
  const client = createClient({ url: `file:${join(folder, 'board.db')}`, timeout: 5000 });
  t.after(() => client.close());
  return client;
}

test('nobody reads or writes without signing in, and a session ends when it should', async (t) => {
  const folder = await makeFolder(t);
  const board = await Board.start(t, folder);
  assert.match(board.output, /Ticket board/);
  for (const path of ['/api/state', '/api/history', '/inspector'])
    assert.equal((await board.get(path, '')).status, 401, path);
  const refused = await board.send('POST', '/api/chats/new/messages', { text: 'Hi' }, {}, '');
  assert.deepEqual([refused.status, refused.error], [401, 'Sign in first.']);

  const ann = await board.trySignIn('ann', 'demo');
  assert.match(ann.set, /^board=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  // A token that somebody else has put into the browser is not taken over (session fixation).
  const fixed = await board.trySignIn('Ann', 'demo', { cookie: 'board=known-to-the-attacker' });
  assert.notEqual(fixed.cookie, 'board=known-to-the-attacker');
  const statusOf = async (cookie: string) =>
    (await fetch(`${board.url}/api/history`, { headers: { cookie } })).status;
  assert.deepEqual(
    await Promise.all(['board=known-to-the-attacker', fixed.cookie].map(statusOf)),
    [401, 200],
  );
  // Nor does the session that a browser had go on beside the new one.
  const again = await board.trySignIn('Ann', 'demo', { cookie: fixed.cookie });
  assert.deepEqual(await Promise.all([fixed.cookie, again.cookie].map(statusOf)), [401, 200]);

  await board.send('POST', '/api/sign-out', {}, { cookie: again.cookie });
  assert.equal(await statusOf(again.cookie), 401);
  // The database has hashes alone, and an open stream ends with its session.
  const file = openFile(t, folder);
  const kept = JSON.stringify([
    (await file.execute('SELECT * FROM users')).rows,
    (await file.execute('SELECT * FROM sign_ins')).rows,
  ]);
  assert.ok(!kept.includes(':"demo"') && !kept.includes(ann.cookie.slice('board='.length)));
  const stream = await fetch(`${board.url}/api/state`, { headers: { cookie: ann.cookie } });
  await file.execute("UPDATE users SET role = 'none' WHERE name = 'Ann'");
  await stream.text();
  assert.equal(await statusOf(ann.cookie), 401);
  assert.equal((await board.trySignIn('Ann', 'demo')).status, 401);
});

test('only a reviewer decides, only an admin inspects, and `by` is who signed in', async (t) => {
  const folder = await makeFolder(t);
  const board = await Board.start(t, folder);
  const chat = await board.say('The import is slow, the menu is broken');
  const { staged } = await board.until((state) => state.staged.length === 2, chat);
  const [slow, menu] = staged;
  const member = await board.decide(slow, 'approve', { by: 'Ann', role: 'admin' }, 'Mia');
  assert.deepEqual([member.status, member.error], [403, 'Only reviewers decide on tickets.']);
  assert.equal((await board.get('/inspector', 'Ann')).status, 403);
  assert.equal(
    (await board.decide(slow, 'approve', { by: 'Ada', title: 'The import takes hours' }, 'Ben')).status,
    200,
  );
  assert.equal((await board.decide(menu, 'reject', { note: 'We know.' }, 'Ada')).status, 200);
  const { tickets, messages } = await board.until(isIdle, chat);
  const turn = messages.find(({ role }) => role === 'person');
  assert.equal(turn?.author, 'Ann');

  // What is done with a ticket, and a search for it.
  const path = `/api/tickets/${tickets[0]?.id}`;
  assert.equal((await board.send('PATCH', path, { assignee: 'mia' })).status, 200);
  assert.equal((await board.send('PATCH', path, { status: 'done' }, {}, 'Mia')).status, 200);
  assert.equal(
    (await board.send('POST', `${path}/comments`, { text: 'Since “Monday”.' }, {}, 'Mia')).status,
    200,
  );
  const nobody = await board.send('PATCH', path, { assignee: "x' OR 1=1 --" });
  assert.deepEqual([nobody.status, nobody.error], [422, "Nobody is called x' OR 1=1 --."]);
  const found = async (words: string) =>
    (await board.until(() => true, chat, 60_000, `&find=${encodeURIComponent(words)}`)).tickets.length;
  for (const words of ['hour imp', 'monday', '#1', 'MIA']) assert.equal(await found(words), 1, words);
  for (const words of ['menu', '"', "' OR 1=1 --", 'NEAR(', '*', '%'])
    assert.equal(await found(words), 0, words);

  const told = ({ who, what, title, reason }: Entry) => [who, what, title, reason].filter(Boolean).join(' ');
  const all = (await (await board.get('/api/history')).json()) as Entry[];
  const trail = all.toReversed();
  assert.deepEqual(trail.filter(({ call_key }) => call_key === menu?.id).map(told), [
    'proposed The menu is broken',
    'Ada rejected The menu is broken We know.',
  ]);
  const ofTicket = trail.filter(({ call_key }) => call_key === slow?.id);
  assert.deepEqual(ofTicket.map(told), [
    'proposed The import takes hours',
    'Ben approved The import takes hours',
    'created The import takes hours',
    'Ann assigned The import takes hours Mia',
    'Mia done The import takes hours',
  ]);
  const inputs = ofTicket.slice(0, 2).map(({ input }) => JSON.parse(String(input)).title);
  assert.deepEqual(inputs, ['The import is slow', 'The import takes hours']);
  assert.ok(trail.every((entry) => entry.turn === turn?.number));
  const { opened } = await board.until(() => true, chat, 60_000, `&ticket=${tickets[0]?.id}`);
  assert.deepEqual(opened?.history.map(told), ofTicket.map(told));
  assert.deepEqual(
    opened?.comments.map(({ author, text }) => `${author}: ${text}`),
    ['Mia: Since “Monday”.'],
  );
  const file = openFile(t, folder);
  for (const sql of ["UPDATE audit SET who = 'Ben'", 'DELETE FROM audit'])
    await assert.rejects(file.execute(sql), /only be added to/);
});

test('a page of another origin writes nothing, and passwords cannot be guessed', async (t) => {
  const board = await Board.start(t, await makeFolder(t));
  // Another port of the same machine is the same site for a cookie: only the origin tells.
  for (const origin of ['http://127.0.0.1:1', 'http://evil.example', 'null'])
    assert.equal(
      (await board.send('POST', '/api/chats/new/messages', { text: 'Hi' }, { origin })).status,
      403,
      origin,
    );
  const cookie = await board.signIn('Ann');
  const headers = { cookie, 'content-type': 'application/json' };
  const bare = await fetch(`${board.url}/api/sign-out`, { method: 'POST', headers, body: '{}' });
  assert.equal(bare.status, 403);
  const asked = await fetch(`${board.url}/api/staged/x`, {
    method: 'OPTIONS',
    headers: { origin: 'http://127.0.0.1:1' },
  });
  assert.equal(asked.headers.get('access-control-allow-origin'), null);

  // At once, so that none of them knows of the others.
  const guesses = await Promise.all(
    Array.from({ length: 8 }, (_, guess) => board.trySignIn('Ben', `guess ${guess}`)),
  );
  assert.deepEqual(
    guesses.map(({ status }) => status).toSorted((one, other) => one - other),
    [401, 401, 401, 401, 401, 429, 429, 429],
  );
  const right = await board.trySignIn('bEN', 'demo');
  assert.deepEqual([right.status, right.error], [429, 'Too many wrong passwords. Try again in 15 minutes.']);
  assert.equal((await board.trySignIn('Mia', 'demo')).status, 200);
});

test('with a key the demo users are nobody, and add-user makes those who may sign in', async (t) => {
  const folder = await makeFolder(t);
  await (await Board.start(t, folder)).end('SIGTERM');
  // Two programs may open, and make, a database at the same time.
  const fresh = await makeFolder(t);
  await Promise.all([addUser(fresh, 'Zoë', 'member'), addUser(fresh, 'Max', 'admin')]);
  const key = { ANTHROPIC_API_KEY: 'sk-ant-not-real', ORIGIN: 'https://board.example' };
  const password = await addUser(folder, 'Zoë', 'reviewer');
  const board = await Board.start(t, folder, key);
  const { status } = await signInAs(board, 'Ann', 'demo');
  assert.equal(status, 401);
  const zoe = await signInAs(board, 'zoë', password);
  assert.match(zoe.set, /^__Host-board=\S+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  assert.equal((await board.trySignIn('Zoë', password)).status, 403);
  await addUser(folder, 'Zoë', 'none');
  assert.equal((await signInAs(board, 'Zoë', password)).status, 401);
});
