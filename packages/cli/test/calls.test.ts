// `inboard calls`: what it prints, what it records, and what it refuses.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileCallRecords, type CallFact } from '@inboard/inboard/index.js';
import { runCommandLine } from '../src/terminal/command-line.js';
import { createFakeTerminal } from './fake-terminal.js';

const SESSION = '00000000-0000-4000-8000-0000000000f1';
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'calls-command-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function addPending(callKey: string, { input = { n: 1 }, note = 'parcel' } = {}): Promise<void> {
  const own = join(folder, 'projects', '-shop', SESSION);
  mkdirSync(own, { recursive: true });
  await using records = createFileCallRecords({ folder: own });
  const facts: CallFact[] = [
    {
      type: 'begun',
      callKey,
      toolName: 'mcp__shop__order',
      input,
      attempt: 1,
      owner: 'host',
      at: 1,
    },
    { type: 'pending', callKey, note, output: { server: 'shop', tool: 'order' }, at: 0 },
  ];
  for (const fact of facts) await records.add(fact);
}

async function run(args: string[], options: Parameters<typeof createFakeTerminal>[0] = {}) {
  const terminal = createFakeTerminal({ ...options, env: { CLAUDE_CONFIG_DIR: folder } });
  const code = await runCommandLine(args, terminal);
  return { code, ...terminal.written() };
}

it('lists what is pending, and nothing where nothing is', async () => {
  expect(await run(['calls', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'No call is pending.\n' });
  await addPending('key_1');
  const { code, stdout } = await run(['calls', 'list']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `key_1  mcp__shop__order {"n":1}  (parcel)\n  since 1970-01-01T00:00:00.000Z, session ${SESSION}\n`,
  });
  const asJson = await run(['calls', 'list', '--json', '--session', SESSION]);
  expect(JSON.parse(asJson.stdout)).toMatchObject([{ callKey: 'key_1', sessionId: SESSION, note: 'parcel' }]);
  expect((await run(['calls', 'list', '--dir', folder])).stderr).toBe('No call is pending.\n');
  const gone = join(folder, 'gone');
  expect((await run(['calls', 'list', '--dir', gone])).stderr).toBe(
    `No call is pending. There is no folder ${gone}.\n`,
  );
});

it('shows each call on lines of its own, whatever a model wrote into it', async () => {
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  const input = { n: 1, name: '\u202eeslaf', deep };
  await addPending('key_1', { input, note: 'for Bo)\nkey_2  mcp__shop__order {"n":2}\r\u2028key_3' });
  const { code, stdout } = await run(['calls', 'list']);
  expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 3 });
  expect(stdout).toContain('key_1  mcp__shop__order {"n":1,"name":"\\u202eeslaf","deep":[[[');
  expect(stdout).toContain(']]]}  (for Bo) key_2  mcp__shop__order');
});

it('completes a call once, and fails one', async () => {
  await addPending('key_1');
  expect(await run(['calls', 'complete', 'key_1', '{"parcel":7}', '--by', 'ann'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'key_1  completed\n',
  });
  const again = await run(['calls', 'complete', 'key_1', '8']);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toMatch(/was completed already, at .* by ann/);
  await addPending('key_2');
  expect(await run(['calls', 'fail', 'key_2', 'Sold out', '--json'])).toMatchObject({
    code: 0,
    stdout: '{"callKey":"key_2","how":"failed"}\n',
  });
  expect((await run(['calls', 'complete', 'key_3', '1'])).stderr).toContain(
    'No session in these records has a call "key_3"',
  );
});

it.each([
  [['calls', 'frob'], 'There is no "calls frob"'],
  [['calls', 'list', 'key'], 'takes no further arguments'],
  [['calls', 'complete', 'key'], 'takes a call key and a value as JSON'],
  [['calls', 'complete', 'key'], 'but got one argument.'],
  [['calls', 'list', '--by', 'ann'], 'takes no --by'],
  [['calls', 'complete', 'key', '{'], 'not JSON'],
  [['calls', 'fail', 'key', ''], 'is empty'],
])('refuses %j as wrong usage', async (args, reason) => {
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
});
