// What is stored: files of before there were versions and users, files of a newer board, a folder that cannot be written, and
// a ticket that is agreed but not there yet.
import assert from 'node:assert/strict';
import { chmod, chown, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '@libsql/client';
import { allow, createApprovals, createFileApprovalStore } from 'inboard';
import { createDatabaseApprovalStore, importApprovals } from '../app/approval-store.ts';
import { openDatabase } from '../app/database.ts';
import { describe } from '../app/state.ts';
import type { Chats } from '../src/chats.ts';
import { Board, makeFolder, type Entry } from './support/board.ts';

const QUESTION = { kind: 'tool', attempt: 1, askedAt: 7, sessionId: 'c' } as const;
const INPUT = { title: 'Import', description: '', kind: 'bug', priority: 'normal' };
/** Without agents: only what is stored. */
const IDLE = { works: new Map(), activityOf: () => 'idle' } as unknown as Chats;

test('files of the first version are brought up to date, with their tickets and open questions', async (t) => {
  const folder = await makeFolder(t);
  const old = createClient({ url: `file:${join(folder, 'board.db')}` });
  await old.executeMultiple(
    await readFile(join(import.meta.dirname, '../app/migrations/1-board.sql'), 'utf8'),
  );
  await old.executeMultiple(`INSERT INTO chats VALUES ('c', 'Import', '{}');
    INSERT INTO messages VALUES (1, 'c', 'person', 'The import is slow');
    INSERT INTO tickets VALUES (1, 'c', 'k', 'Old one', 'Slow export', 'bug', 'high', 'open');`);
  old.close();
  const files = createFileApprovalStore(join(folder, 'approvals'));
  await files.put({ ...QUESTION, id: 'call_1_ask_abc_1', input: INPUT });
  await files.put({ ...QUESTION, id: 'call_2_ask_def_1', input: INPUT });
  await files.answer('call_2_ask_def_1', { result: allow(), answeredAt: 8, by: 'Ben' });

  const database = await openDatabase(folder);
  t.after(() => database.close());
  const store = createDatabaseApprovalStore(database);
  await importApprovals(join(folder, 'approvals'), store);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('approvals')),
    ['approvals.imported'],
  );
  assert.deepEqual(await database.read('PRAGMA user_version').then(([row]) => ({ ...(row as object) })), {
    user_version: 2,
  });

  const { staged, creating, tickets } = await describe(database, IDLE, { find: 'export' });
  assert.deepEqual(
    staged.map(({ id, turn }) => [id, turn]),
    [['call_1', 1]],
  );
  assert.deepEqual(
    creating.map(({ id, by }) => [id, by]),
    [['call_2', 'Ben']],
  );
  assert.deepEqual(
    tickets?.map(({ title, turn, assignee }) => [title, turn, assignee]),
    [['Old one', null, null]],
  );
  const trail = await database.read<Entry & { at: number }>('SELECT * FROM history ORDER BY at, call_key');
  assert.deepEqual(
    trail.map(({ at, who, what, call_key }) => [at, who, what, call_key]),
    [
      [7, null, 'proposed', 'call_1'],
      [7, null, 'proposed', 'call_2'],
      [8, 'Ben', 'approved', 'call_2'],
    ],
  );
});

test('what was agreed is shown as being created until there is a ticket, and never twice', async (t) => {
  const database = await openDatabase(await makeFolder(t));
  t.after(() => database.close());
  await database.write("INSERT INTO chats (id, title) VALUES ('c', 'Import')");
  const approvals = createApprovals({ store: createDatabaseApprovalStore(database) });
  t.after(() => approvals.close());
  const columnsOf = async () => {
    const { staged, creating, tickets = [] } = await describe(database, IDLE, {});
    return [staged, creating, tickets].map((cards) => cards.map(({ title }) => title).join());
  };
  const asking = approvals.ask({ id: 'call', title: 'Create it?', input: INPUT }, { sessionId: 'c' });
  asking.catch(() => {});
  while ((await approvals.list()).length === 0) await new Promise(setImmediate);
  assert.deepEqual(await columnsOf(), ['Import', '', '']);
  assert.equal(
    await approvals.answer('call', allow({ input: { ...INPUT, title: 'The import' } }), { by: 'Ann' }),
    true,
  );
  assert.equal(await approvals.answer('call', allow(), { by: 'Ben' }), false);
  assert.deepEqual(await columnsOf(), ['', 'The import', '']);
  await database.write(`INSERT INTO tickets (chat, call_key, title, description, kind, priority)
    VALUES ('c', 'call', 'The import', '', 'bug', 'normal')`);
  assert.deepEqual(await columnsOf(), ['', '', 'The import']);
  await approvals.remove('call');
  assert.deepEqual(await columnsOf(), ['', '', 'The import']);
  const trail = await database.read<Entry>('SELECT * FROM audit ORDER BY number');
  assert.deepEqual(
    trail.map(({ what }) => what),
    ['proposed', 'approved', 'created'],
  );
});

test('an answer that another program stores is noticed', async (t) => {
  const folder = await makeFolder(t);
  const [database, other] = [await openDatabase(folder), await openDatabase(folder)];
  t.after(() => [database, other].forEach((each) => each.close()));
  await database.write("INSERT INTO chats (id, title) VALUES ('c', 'Import')");
  const approvals = createApprovals({ store: createDatabaseApprovalStore(database) });
  t.after(() => approvals.close());
  const elsewhere = createDatabaseApprovalStore(other);
  const asking = approvals.ask({ id: 'call', title: 'Create it?', input: INPUT }, { sessionId: 'c' });
  while (!(await elsewhere.answer('call', { result: allow(), answeredAt: 9 })))
    await new Promise(setImmediate);
  // The store's own look does not keep a process alive.
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  assert.deepEqual(await asking, allow());
  const [approved] = await database.read<Entry>("SELECT * FROM audit WHERE what = 'approved'");
  assert.equal(approved?.who, 'unknown');
});

test('a newer file, and a folder that cannot be written, end the start with what to do', async (t) => {
  const folder = await makeFolder(t);
  (await openDatabase(folder)).close();
  const file = createClient({ url: `file:${join(folder, 'board.db')}` });
  await file.execute('PRAGMA user_version = 3');
  file.close();
  await assert.rejects(Board.start(t, folder), /The database is of a newer board \(3\): update this one\./);

  const blocked = join(folder, 'file');
  await writeFile(blocked, '');
  const advice = /Make it writable for the user that runs the board, or set DATA_DIR to another folder/;
  await assert.rejects(Board.start(t, join(blocked, 'data')), (error: Error) => {
    assert.ok(
      error.message.includes(`The data folder ${join(blocked, 'data')} cannot be written (ENOTDIR)`),
      error.message,
    );
    assert.match(error.message, advice);
    assert.doesNotMatch(error.message, /\n +at /);
    return true;
  });
});

test(
  'a folder that becomes read-only is reported where people look, and nothing is begun',
  { skip: process.platform === 'win32' },
  async (t) => {
    const folder = await makeFolder(t);
    // Permissions do not bind root.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
    const board = await Board.start(t, folder, { HOME: folder }, user);
    await board.signIn('Ann');
    await chmod(folder, 0o555);
    const expected = `The data folder ${folder} cannot be written (EACCES).`;
    const refused = await board.send('POST', '/api/chats/new/messages', { text: 'The import is slow' });
    assert.equal(refused.status, 503);
    assert.ok(refused.error?.startsWith(expected), refused.error);
    const { problem, chats } = await board.until((state) => state.problem !== undefined);
    assert.ok(problem?.startsWith(expected), problem);
    assert.equal(chats.length, 0);
    await board.end('SIGTERM');
    await assert.rejects(Board.start(t, folder, { HOME: folder }, user), /cannot be written \(EACCES\)/);

    await chmod(folder, 0o755);
    const again = await Board.start(t, folder, { HOME: folder }, user);
    assert.equal((await again.send('POST', '/api/chats/new/messages', { text: 'Hello?' })).status, 202);
  },
);
