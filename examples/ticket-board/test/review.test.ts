// A review from end to end on the real CLI: several tickets at once, edits and words that reach the agent, two reviewers, more
// waiting chats than places, a chat that is stopped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board, isIdle, makeFolder } from './support/board.ts';

const THREE = 'Login fails on mobile, the CSV export is wanted, rename the settings page';

test('a person edits, approves and rejects; the agent is told, and the board has what was agreed', async (t) => {
  const board = await Board.start(t, await makeFolder(t));
  const chat = await board.say(THREE);
  const { staged, messages } = await board.until((state) => state.staged.length === 3, chat);
  assert.deepEqual(
    staged.map(({ title, kind, priority }) => [title, kind, priority]),
    [
      ['Login fails on mobile', 'bug', 'normal'],
      ['The CSV export is wanted', 'feature', 'normal'],
      ['Rename the settings page', 'task', 'normal'],
    ],
  );
  assert.match(String(messages[1]?.text), /^I am a script/);
  const [login, csv, rename] = staged;

  const refused = await board.decide(login, 'approve', { title: 'x'.repeat(121) });
  assert.deepEqual(
    [refused.status, refused.error],
    [422, 'The title has 121 characters; at most 120 are allowed.'],
  );
  const edits = { title: 'Login fails on iOS', priority: 'high', note: 'Only iOS.' };
  assert.equal((await board.decide(login, 'approve', edits)).status, 200);
  const late = await board.decide(login, 'reject', { note: 'Known.' }, 'Ben');
  assert.deepEqual([late.status, late.error], [409, 'Ann was faster and has approved it.']);
  // Two at the very same time: one of them counts, whoever it is.
  const both = await Promise.all([
    board.decide(rename, 'approve'),
    board.decide(rename, 'approve', {}, 'Ben'),
  ]);
  const statuses = both.map(({ status }) => status).toSorted((one, other) => one - other);
  assert.deepEqual(statuses, [200, 409]);
  assert.equal((await board.decide(csv, 'reject', { note: 'We have that.' })).status, 200);

  const done = await board.until(isIdle, chat);
  const made = done.tickets.map(({ title, priority, status }) => `${title}, ${priority}, ${status}`);
  assert.deepEqual(made.toSorted(), [
    'Login fails on iOS, high, open',
    'Rename the settings page, normal, open',
  ]);
  const told = String(done.messages.at(-1)?.text);
  assert.match(told, /Ticket \d is on the board: Login fails on iOS\. You say: Only iOS\./);
  assert.match(told, /One was rejected\. You say: We have that\./);

  // The conversation goes on, and tickets can be moved.
  const path = `/api/chats/${chat}/messages`;
  assert.equal((await board.send('POST', path, { text: 'Thanks!' })).status, 202);
  const after = await board.until((state) => isIdle(state) && state.messages.length === 5, chat);
  assert.match(String(after.messages.at(-1)?.text), /Tell me what is broken or missing/);
  const moved = after.tickets[0];
  assert.equal((await board.send('PATCH', `/api/tickets/${moved?.id}`, { status: 'done' })).status, 200);
  assert.equal((await board.until(() => true)).tickets.find(({ id }) => id === moved?.id)?.status, 'done');

  const link = (await board.get('/inspector', 'Ada')).headers.get('location');
  const inspector = await fetch(String(link));
  assert.match(inspector.url, /^http:\/\/127\.0\.0\.1:\d+\//);
  assert.match(await inspector.text(), /<title>Inboard inspector/);

  await board.end('SIGINT');
  assert.equal(board.child.exitCode, 0);
});

test('chats that wait hold no place, and one that is stopped leaves the board', async (t) => {
  const board = await Board.start(t, await makeFolder(t), { MAX_RUNNING: '1' });
  const waiting = [await board.say('The import is slow'), await board.say('The menu is broken')];
  await board.until(({ staged }) => staged.length === 2);
  const quick = await board.say('Hello?');
  const { messages, chats } = await board.until(
    (state) => state.chats.find(({ id }) => id === quick)?.activity === 'idle' && state.messages.length > 1,
    quick,
  );
  assert.equal(messages.length, 2);
  assert.deepEqual(
    chats.map(({ activity }) => activity),
    ['idle', 'review', 'review'],
  );

  const busy = await board.send('POST', `/api/chats/${waiting[0]}/messages`, { text: 'And?' });
  assert.deepEqual(
    [busy.status, busy.error],
    [409, 'The agent is still at work in this chat. Wait, or stop it.'],
  );
  const ticket = (await board.until(() => true)).staged.find(({ chat }) => chat === waiting[0]);
  await board.send('POST', `/api/chats/${waiting[0]}/stop`, {});
  const { staged, messages: left } = await board.until(
    (state) => state.chats.find(({ id }) => id === waiting[0])?.activity === 'idle',
    waiting[0],
  );
  assert.deepEqual(
    staged.map(({ chat }) => chat),
    [waiting[1]],
  );
  assert.equal(left.at(-1)?.text, 'Stopped. What was staged has been withdrawn.');
  const late = await board.decide(ticket, 'approve');
  assert.deepEqual([late.status, late.error], [410, 'It was withdrawn: the agent no longer waits for it.']);
  await board.decide(staged[0], 'approve');
  assert.equal((await board.until(isIdle)).tickets.length, 1);
});
