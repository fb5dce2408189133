// The server is killed during a review, again and again, and the review goes on: every ticket is created once, and the agent, which
// makes no call a second time, reads what people decided, also while there was no server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { allow, createApprovals, deny, getTranscriptState, type PermissionResult } from 'inboard';
import { createDatabaseApprovalStore } from '../app/approval-store.ts';
import { openDatabase } from '../app/database.ts';
import { Board, isIdle, makeFolder, type Staged } from './support/board.ts';

/** Answers without the server, as another process of this machine may. */
async function answerElsewhere(
  folder: string,
  ticket: Staged | undefined,
  answer: PermissionResult = allow(),
) {
  const database = await openDatabase(folder);
  const approvals = createApprovals({ store: createDatabaseApprovalStore(database) });
  try {
    assert.equal(await approvals.answer(String(ticket?.id), answer, { by: 'Ben' }), true);
  } finally {
    approvals.close();
    database.close();
  }
}

/**
 * Looks until the transcript has these calls. The CLI writes a moment after it has called, and a call that it has not written is
 * one that the model makes anew.
 */
async function untilWritten(folder: string, chat: string, calls: number): Promise<void> {
  const env = { CLAUDE_CONFIG_DIR: join(folder, 'offline', 'config') };
  for (const until = Date.now() + 60_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const now = await getTranscriptState(chat, { env });
    if (now.state === 'interrupted' && now.openCalls.length === calls) return;
    assert.ok(Date.now() < until, `The transcript is ${JSON.stringify(now)}`);
  }
}

test('a review outlives the server: killed before, between and after the answers', async (t) => {
  const folder = await makeFolder(t);
  const first = await Board.start(t, folder);
  const chat = await first.say('Login fails on mobile, the CSV export is wanted, rename the settings page');
  const { staged } = await first.until((state) => state.staged.length === 3, chat);
  const [login, csv, rename] = staged;
  // An answer is kept, and the server killed before it could act on it.
  first.child.kill('SIGSTOP');
  await answerElsewhere(folder, login);
  await first.end('SIGKILL');
  // Another is given while there is no server at all.
  await answerElsewhere(folder, csv);

  const second = await Board.start(t, folder);
  const both = await second.until(
    ({ tickets, staged: left }) => tickets.length === 2 && left.length === 1,
    chat,
  );
  assert.deepEqual(both.staged, [rename]);
  await second.end('SIGKILL');

  const third = await Board.start(t, folder);
  await third.until(({ chats, staged: left }) => left.length === 1 && chats[0]?.activity === 'review');
  assert.equal((await third.decide(rename, 'approve', { title: 'Rename it' })).status, 200);
  const { tickets, messages } = await third.until(isIdle, chat);
  assert.deepEqual(tickets.map(({ title }) => title).toSorted(), [
    'Login fails on mobile',
    'Rename it',
    'The CSV export is wanted',
  ]);
  const said = messages.map(({ text }) => text).join('\n');
  for (const { title } of tickets) assert.ok(said.includes(`on the board: ${title}`), `${title}: ${said}`);
  await third.end('SIGTERM');
  assert.equal(third.child.exitCode, 0);
});

test('what a person decides while there is no server reaches the agent: a change, words, a refusal', async (t) => {
  const folder = await makeFolder(t);
  const first = await Board.start(t, folder);
  const chat = await first.say('Login fails on mobile, the CSV export is wanted');
  const { staged } = await first.until((state) => state.staged.length === 2, chat);
  const [login, csv] = staged;
  await untilWritten(folder, chat, 2);
  await first.end('SIGKILL');
  const edits = { title: 'Login fails on iOS', priority: 'high', note: 'Only iOS.' };
  const { description, kind } = login ?? {};
  await answerElsewhere(folder, login, allow({ input: { description, kind, ...edits } }));
  await answerElsewhere(folder, csv, deny('We have that.'));

  const second = await Board.start(t, folder);
  const { tickets, messages } = await second.until(isIdle, chat);
  assert.deepEqual(
    tickets.map(({ title, priority }) => `${title}, ${priority}`),
    ['Login fails on iOS, high'],
  );
  const told = String(messages.at(-1)?.text);
  assert.match(told, /Ticket \d is on the board: Login fails on iOS\. You say: Only iOS\./);
  assert.match(told, /One was rejected\. You say: We have that\./);
  // It proposed them once, and answered once.
  const answers = messages.filter(({ role }) => role === 'agent').map(({ text }) => text);
  assert.equal(answers.length, 2, answers.join('\n'));
});
