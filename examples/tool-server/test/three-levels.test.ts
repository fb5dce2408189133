// The same tools at three levels: by themselves, under a fake CLI, and under the real one. What the model reads must be the
// same everywhere.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run, type QueryOptions } from 'inboard';
import {
  createFakeCli,
  createToolHarness,
  reply,
  startOffline,
  text,
  toolUse,
  type ScriptContext,
} from 'inboard/testing';
import { Database, type User } from '../app/database.ts';
import type { AppState } from '../src/state.ts';
import { toolkit } from '../src/tools.ts';

let folder: string;
let db: Database;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tool-server-'));
  db = await Database.open(folder);
});
after(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function stateOf(name: 'ada' | 'bob' | 'cleo'): Promise<AppState> {
  const user = (await db.findUser(`${name}@example.org`)) as User;
  return { db, user, via: 'test' };
}

/** Every kind of answer, and every kind of error, as the model reads it. */
const TABLE: readonly [
  tool: string,
  input: Record<string, unknown>,
  text: string | RegExp,
  isError: boolean,
][] = [
  ['add', { x: 5, y: 3 }, '8', false], // a number
  ['query_user', { email: 'cleo@example.org' }, 'Cleo Vaughan (cleo@example.org)', false], // a text
  ['list_results', {}, '[]', false], // a list, as JSON
  ['get_time', {}, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, false], // no arguments at all
  ['divide', { x: 1, y: 0 }, 'Cannot divide by zero.', true], // an error as a value
  [
    'rename_user',
    { email: 'ada@example.org', name: 'A' },
    /Cleo Vaughan may not do this: .*users:rename/,
    true,
  ], // thrown
  ['add', { x: 'five', y: 3 }, /x: Expected integer/, true], // invalid input never reaches the tool
  ['add', { x: 0.5, y: 3 }, /x: Expected integer/, true],
  ['list_results', { most: 0.5 }, /most: Expected integer/, true], // left out above, it had its default
  ['rename_user', { email: 'ada@example.org', name: '' }, /name: String is too short/, true], // nor what breaks a JSON Schema
];

function assertReads(
  answer: { text: string; isError: boolean },
  [tool, , expected, isError]: (typeof TABLE)[number],
) {
  assert.equal(answer.isError, isError, `${tool}: ${answer.text}`);
  if (typeof expected === 'string') assert.equal(answer.text, expected);
  else assert.match(answer.text, expected);
  assert.doesNotMatch(answer.text, /\n\s+at |tools\.ts/, 'no stack reaches the model');
}

describe('a tool by itself', () => {
  for (const row of TABLE) {
    it(`${row[0]} ${JSON.stringify(row[1])}`, async () => {
      await using tools = createToolHarness(toolkit, { context: await stateOf('cleo') });
      const { ok, text: words } = await tools.call(row[0], row[1]);
      assertReads({ text: words, isError: !ok }, row);
    });
  }

  it('has the methods of the router in the design: a list, and an answer to what it does not know', async () => {
    await using tools = createToolHarness(toolkit, { context: await stateOf('ada') });
    const names = (await tools.listTools()).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 3), ['add', 'divide', 'get_time']);
    const missed = await tools.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ad' } });
    assert.match(JSON.stringify(missed), /has no tool named \\"ad\\""}\],"isError":true/);
    const unknown = await tools.rpc({ jsonrpc: '2.0', id: 2, method: 'no/such' });
    assert.match(JSON.stringify(unknown), /"code":-32601/);
  });

  it('keeps the data of users apart, and stores them for good', async () => {
    const [ada, bob] = [await stateOf('ada'), await stateOf('bob')];
    await using adas = createToolHarness(toolkit, { context: ada });
    await using bobs = createToolHarness(toolkit, { context: bob });
    await Promise.all([
      adas.call('keep_result', { label: 'rent', value: 900 }),
      bobs.call('keep_result', { label: 'rent', value: 700 }),
    ]);
    const again = await Database.open(folder);
    assert.deepEqual(await again.listResults(ada.user.id, 9), [{ label: 'rent', value: 900 }]);
    assert.deepEqual(await again.listResults(bob.user.id, 9), [{ label: 'rent', value: 700 }]);
    again.close();
    assert.equal(
      (await bobs.call('query_user', { email: 'ada@example.org' })).text,
      'User not found: ada@example.org',
    );
  });
});

type Answers = { text: string; isError: boolean }[];

/** Makes every call of the table in one turn; `seen` gets what the model was told. */
function scriptInto(seen: Answers) {
  return [
    ...TABLE.map(([tool, input]) => toolUse(`mcp__calc__${tool}`, input)),
    ({ answers }: ScriptContext) => {
      seen.push(...answers);
      return text('Done.');
    },
  ];
}

async function assertPlays(place: QueryOptions, seen: Answers): Promise<void> {
  const outcome = await run({
    prompt: 'Go on.',
    options: {
      ...place,
      mcpServers: { calc: toolkit },
      allowedTools: [toolkit],
      toolContext: await stateOf('cleo'),
    },
  });
  assert.equal(outcome.text, 'Done.');
  assert.equal(seen.length, TABLE.length);
  TABLE.forEach((row, at) => assertReads(seen[at] ?? { text: 'nothing', isError: true }, row));
}

describe('an agent with the tools', () => {
  it('reads the same under a fake CLI', async () => {
    const seen: Answers = [];
    await using fake = createFakeCli(scriptInto(seen));
    await assertPlays({ transport: fake.transport }, seen);
  });

  it('reads the same under the real CLI', async () => {
    const seen: Answers = [];
    await using offline = await startOffline(scriptInto(seen));
    await assertPlays(offline.options, seen);
  });

  it('sees its own user alone when two work at once on one server object', async () => {
    const gives = ({ prompt, answers }: ScriptContext) =>
      answers.length === 0
        ? reply(toolUse('mcp__calc__whoami'), toolUse('mcp__calc__list_results'))
        : text(`${prompt}: ${answers.map((answer) => answer.text).join(' ')}`);
    await using offline = await startOffline({ onExhausted: gives });
    await db.keepResult((await stateOf('ada')).user.id, { label: 'mine', value: 1 });
    const ask = async (name: 'ada' | 'bob') =>
      run({
        prompt: name,
        options: {
          ...offline.options,
          mcpServers: { calc: toolkit },
          allowedTools: [toolkit],
          toolContext: await stateOf(name),
        },
      });
    const [ada, bob] = await Promise.all([ask('ada'), ask('bob')]);
    assert.match(ada.text, /^ada: .*"email":"ada@example.org".*"label":"mine"/);
    assert.match(bob.text, /^bob: .*"email":"bob@example.org"/);
    assert.doesNotMatch(bob.text, /mine|ada@/);
  });
});
