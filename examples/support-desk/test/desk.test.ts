// A customer asks, the worker that looks is killed, another goes on, a person agrees, and money is paid back once: in memory, and
// on PostgreSQL with a process for each worker.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { DeskProcess, makeFolder, type DeskEvent } from './support/desk-process.ts';

const calls = (event: DeskEvent, tool: string): boolean =>
  (event.message?.message?.content ?? []).some(
    (block) => block.type === 'tool_use' && block.name?.endsWith(tool),
  );
const isEnd = (event: DeskEvent): boolean => event.type === 'turn' && event.state === 'ended';
const PLACE = '/usr/lib/postgresql';
const hasPostgres =
  existsSync(PLACE) &&
  readdirSync(PLACE).some((version) => existsSync(join(PLACE, version, 'bin', 'initdb')));

async function killAndGoOn(desk: DeskProcess): Promise<number> {
  const { key = '' } = await desk.send('/api/conversations/new/messages', {
    text: 'Where is my order A-102?',
  });
  const begun = await desk.events(key, (event) => calls(event, 'search_warehouse'));
  const { conversations } = await desk.until(({ conversations: all }) =>
    all.some((each) => each.key === key && each.owner !== undefined),
  );
  const owner = conversations.find((each) => each.key === key)?.owner ?? '';
  assert.equal((await desk.send(`/api/workers/${encodeURIComponent(owner)}/kill`)).status, 200);

  const { approvals } = await desk.until((state) => state.approvals.length > 0);
  const [question] = approvals;
  assert.deepEqual([question?.toolName, question?.input], ['mcp__shop__refund', { order: 'A-102' }]);
  const id = encodeURIComponent(question?.id ?? '');
  const answers = await Promise.all([
    desk.send(`/api/approvals/${id}`, { ok: true, by: 'Ann' }),
    desk.send(`/api/approvals/${id}`, { ok: true, by: 'Ben' }),
  ]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));

  // The events go on where the reader was.
  const rest = await desk.events(key, isEnd, begun.at(-1)?.id);
  assert.equal(rest[0]?.id, (begun.at(-1)?.id ?? 0) + 1);
  assert.ok(
    rest.some((event) => event.type === 'turn' && event.state === 'running' && (event.attempt ?? 0) > 1),
  );
  assert.match(rest.at(-1)?.outcome?.text ?? '', /^I am sorry: A-102 was lost\. Paid back \$74 for A-102\./);
  const { refunds, takeovers } = await desk.until((state) => state.refunds.length > 0);
  assert.deepEqual(refunds, [{ order: 'A-102', usd: 74 }]);
  return takeovers;
}

test('in memory', async (t: TestContext) => {
  const desk = await DeskProcess.start(t, await makeFolder(t));
  await t.test('a killed worker costs no turn and no refund', async () => {
    await killAndGoOn(desk);
  });
  await t.test('a message that is sent twice is sent once, and a second turn knows the first', async () => {
    const message = { text: 'What about A-101?', id: 'once' };
    const { key = '' } = await desk.send('/api/conversations/new/messages', message);
    await desk.send(`/api/conversations/${key}/messages`, message);
    const events = await desk.events(key, isEnd);
    assert.equal(events.filter(({ state }) => state === 'queued').length, 1);
    assert.match(events.at(-1)?.outcome?.text ?? '', /on its way/);
    await desk.send(`/api/conversations/${key}/messages`, { text: 'And A-100?' });
    const more = await desk.events(key, isEnd, events.at(-1)?.id);
    assert.match(more.at(-1)?.outcome?.text ?? '', /delivered on Monday/);
  });
  await t.test('bad requests are refused by name, and other sites entirely', async () => {
    const refusals = [
      await desk.send('/api/conversations/new/messages', { text: ' ' }),
      await desk.send('/api/workers/nobody/kill'),
      await desk.send('/api/approvals/nothing', { ok: true }),
      await desk.send('/api/conversations/new/messages', { text: 'Hi' }, { origin: 'http://evil.example' }),
    ];
    assert.deepEqual(
      refusals.map(({ status, error }) => `${status} ${error}`),
      [
        '422 The message is missing.',
        '404 That worker is gone already.',
        '409 Somebody was faster, or the question was withdrawn.',
        '403 Only for pages of this machine.',
      ],
    );
  });
});

const { INBOARD_REQUIRE_POSTGRES: isNeeded, DESK_WITHOUT_POSTGRES: isUnwanted } = process.env;
test(
  'on PostgreSQL, with kill -9',
  { skip: (isUnwanted || !(hasPostgres || isNeeded)) && 'no PostgreSQL can be started here' },
  async (t) => {
    const folder = await makeFolder(t);
    // For the server, which does not run as root.
    await chmod(folder, 0o711);
    const command = [
      'scripts/with-postgres.mjs',
      process.execPath,
      '--import',
      'jiti/register',
      'src/main.ts',
    ];
    const desk = await DeskProcess.start(t, folder, command, { PGDATA_DIR: join(folder, 'postgres') });
    assert.ok((await killAndGoOn(desk)) >= 1);
  },
);
