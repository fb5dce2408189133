// `inboard cluster` before it reads anything: what it refuses, and what its tables make of foreign text. With a real database it
// is tried in test/services/cli/cluster.test.ts.
import { describe, expect, it } from 'vitest';
import { CLUSTER_COMMAND } from '../src/cluster/command.js';
import { listInputs } from '../src/cluster/audit-inputs.js';
import { printTable, showText } from '../src/cluster/print-table.js';
import { printOpenQuestion } from '../src/cluster/show-conversation.js';
import type { ClusterApproval, Json } from '@inboard/cluster/journal/records.js';
import { INSPECT_COMMAND } from '../src/inspect/command.js';
import type { Command } from '../src/command.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { createFakeTerminal } from './fake-terminal.js';

const run = async (
  args: string[],
  values: Record<string, string | boolean> = {},
  env: Record<string, string> = {},
  command: Command = CLUSTER_COMMAND,
) => {
  const terminal = createFakeTerminal({ env });
  const code = await (await command.load())({ args, values, terminal, inOwnWords: String });
  return { code, ...terminal.written() };
};
const NOWHERE = 'postgres://ann:geheim@127.0.0.1:9/desk?password=geheim';

it('a table fits into 80 columns, however wide its columns want to be', () => {
  const terminal = createFakeTerminal({});
  const columns = [
    { name: 'AT', most: 20, least: 20 },
    { name: 'WHO', most: 24 },
    { name: 'KEY', most: 24 },
    { name: 'NUMBER', most: 9, isNumber: true },
    { name: 'ABOUT' },
  ];
  printTable(terminal, columns, [
    ['2026-11-16 10:00:05Z', 'w'.repeat(40), 'k'.repeat(40), '123456789', 'a'.repeat(90)],
  ]);
  const lines = terminal.written().stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBe(79);
  expect(lines[1]).toContain('2026-11-16 10:00:05Z');
  expect(lines[1]).toContain('123456789');
});

describe('the inputs of an entry of the audit', () => {
  const entry = { seq: 1, at: 0, what: 'edited' } as const;

  it('are shown both where one was edited, in few columns and without secrets', () => {
    expect(listInputs(entry)).toEqual([]);
    const input = { order: 7, password: 'geheim-12345', note: '\u001b[2J\u202eevil\nnext' };
    expect(listInputs({ ...entry, input, editedInput: { ...input, order: 8 } })).toEqual([
      String.raw`    asked    {"order":7,"password":"[redacted]","note":"\u001b[2J\u202eevil\nn`,
      '             ext"}',
      String.raw`    given    {"order":8,"password":"[redacted]","note":"\u001b[2J\u202eevil\nn`,
      '             ext"}',
      '    changed  order: 7 → 8',
    ]);
    const long = { text: 'word '.repeat(100_000), amount: 84 };
    const lines = listInputs({ ...entry, input: long, editedInput: { ...long, amount: 50 } });
    expect(lines.filter((line) => line.includes('--json has all'))).toHaveLength(2);
    expect(lines.at(-1)).toBe('    changed  amount: 84 → 50');
    expect(lines.length).toBeLessThan(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  });

  it('may be nested as deep as anybody likes', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as Json;
    expect(listInputs({ ...entry, input: deep, editedInput: 'flat' }).join('\n')).toContain(
      '100000 characters',
    );
  });
});

describe('inboard cluster', () => {
  it.each([
    [
      ['stats'],
      {},
      'There is no "cluster stats". Use one of: status, ls, show, approvals, calls, audit, forget, prune, migrate.',
    ],
    [['status'], {}, 'Give the address of the journal with --journal postgres://user@host/database'],
    [['status'], { yes: true }, '"inboard cluster status" does not take --yes.'],
    [['show'], {}, 'needs the key of a conversation'],
    [['ls', 'ann'], {}, 'does not take the argument "ann"'],
    [['ls'], { journal: '' }, '--journal needs a value that is not empty.'],
    [['ls'], { state: 'busy', journal: NOWHERE }, '--state must be one of: idle, failed, queued'],
    [['ls'], { waits: 'money', journal: NOWHERE }, '--waits must be one of: place, budget, answer'],
    [['ls'], { limit: '0', journal: NOWHERE }, '--limit must be a whole number of at least 1'],
    [['approvals', 'give'], {}, 'There is no "cluster approvals give"'],
    [['approvals', 'answer'], {}, 'Give the id of a question'],
    [['approvals'], { allow: true }, 'applies to one question'],
    [['approvals', 'answer', 'q'], {}, 'Give either --allow or --deny "why".'],
    [['approvals', 'answer', 'q'], { allow: true, deny: 'no' }, 'Give either --allow or --deny'],
    [['calls', 'give'], {}, 'There is no "cluster calls give"'],
    [['calls', 'complete', 'c'], {}, 'takes a call key and a value as JSON'],
    [['calls', 'fail', 'c'], {}, 'takes a call key and a text'],
    [['calls', 'complete', 'c', '{'], {}, 'The value is not JSON'],
    [['calls', 'fail', 'c', ' '], {}, 'The text of the error is empty'],
    [['calls'], { by: 'ann' }, '--by applies to one call'],
    [['audit'], { what: 'stolen' }, '--what must be one of: sent, allowed'],
    [['audit'], { since: '2026-11-16 10:00' }, '--since takes a day or a time in UTC'],
    [['audit'], { until: '7w' }, '--until takes a day or a time in UTC'],
    [['audit'], { after: 'ann/1' }, '--after takes the number of an entry'],
    [['prune'], { yes: true }, 'Say what to remove'],
    [['prune'], { events: '30' }, '--events takes an age with its unit'],
    [['forget'], { yes: true }, 'Give either the key of the conversation to forget'],
    [['forget', 'k'], { tenant: 'acme', yes: true }, 'Give either the key of the conversation to forget'],
    [['forget', 'k'], {}, 'There is nobody to ask here'],
    [['migrate'], { from: '1' }, '--from needs --print.'],
  ])('refuses %j with %j', async (args, values, message) => {
    await expect(run(args, values)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    });
  });

  it('names the database that does not answer, and where its address is from, without its password', async () => {
    const failure = await run(['status'], {}, { DATABASE_URL: NOWHERE }).catch((error: Error) => error);
    expect(failure).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: expect.stringContaining('postgres://ann@127.0.0.1:9/desk (schema inboard, from DATABASE_URL)'),
    });
    expect(messageOf(failure)).not.toContain('geheim');
    const wrong = await run(['status'], { journal: 'redis://:geheim@x' }).catch((error: Error) => error);
    expect(messageOf(wrong)).toContain('must look like postgres://');
    expect(messageOf(wrong)).not.toContain('geheim');
  });

  it('prints the SQL of its tables without a database', async () => {
    const { code, stdout } = await run(['migrate'], { print: true, schema: 'desk' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^begin;[^]*create schema if not exists "desk";[^]*commit;\n$/);
  });

  it('is opened as a page by "inspect --journal", which takes no recording', async () => {
    await expect(run(['run.jsonl'], { journal: NOWHERE }, {}, INSPECT_COMMAND)).rejects.toThrow(
      'takes neither a recording nor --tools',
    );
    for (const empty of ['journal', 'schema', 'tenant'])
      await expect(run([], { journal: NOWHERE, [empty]: '' }, {}, INSPECT_COMMAND)).rejects.toThrow(
        `--${empty} needs a value that is not empty.`,
      );
    await expect(run([], { tenant: 'acme' }, {}, INSPECT_COMMAND)).rejects.toThrow(
      '--tenant needs --journal',
    );
  });
});

describe('an open question', () => {
  it('is printed with its whole id, alone in its line, so that it can be copied', () => {
    const id = `call_${'2f1c9ab07d'.repeat(9)}_1`;
    const terminal = createFakeTerminal({ isTTY: true, env: { NO_COLOR: '1' } });
    printOpenQuestion(terminal, {
      id,
      conversation: 'ann/1',
      toolName: 'mcp__desk__refund',
      title: 'Refund an order that has more words in its title than fit',
      input: {},
      askedAt: Date.UTC(2026, 10, 18, 9, 30),
    } as ClusterApproval);
    const [first, second = ''] = terminal.written().stdout.split('\n');
    expect(first).toBe(id);
    expect(second).toMatch(/^ {2}Refund an order .*…, since 2026-11-18 09:30:00Z$/);
    expect(second.length).toBeLessThanOrEqual(80);
  });
});

describe('tables', () => {
  it('fit 80 columns, and make foreign text harmless', () => {
    const terminal = createFakeTerminal();
    const keys = ['\u001b[31mred\u0007', 'a'.repeat(300), 'line\nfeed', 'раypal/1', 'ann/1'];
    printTable(
      terminal,
      [{ name: 'KEY' }, { name: 'TURNS', most: 6, isNumber: true }, { name: 'OWNER', most: 16 }],
      keys.map((key) => [key, '12', 'host-with-a-long-name-4711']),
    );
    const lines = terminal.written().stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
    expect(lines[1]).toMatch(/^\\u001b\[31mred\\u0007 +12 {2}host-with-a-lon…$/);
    expect(lines[3]).toMatch(/^line feed /);
    expect(lines[4]).toContain('\\u0440');
    expect(showText('x'.repeat(12), 10)).toBe(`${'x'.repeat(9)}…`);
  });

  it('use a wide terminal, and give a key that is too long a line of its own, whole', () => {
    const keys = ['ann/1', 'k'.repeat(40), 'l'.repeat(60)];
    const linesAt = (columns: number): string[] => {
      const terminal = createFakeTerminal({ isTTY: true, env: { NO_COLOR: '1' } });
      Object.assign(terminal.stdout, { columns });
      printTable(
        terminal,
        [
          { name: 'KEY', isWhole: true },
          { name: 'STATE', most: 40 },
        ],
        keys.map((key) => [key, `${'s'.repeat(39)}.`]),
      );
      return terminal.written().stdout.trimEnd().split('\n');
    };
    const state = `${'s'.repeat(39)}.`;
    const rowOf = (key: string, width: number): string => `${key.padEnd(width)}  ${state}`;
    const [one = '', two = '', three = ''] = keys;
    expect(linesAt(80).slice(1)).toEqual([rowOf(one, 37), two, rowOf('', 37), three, rowOf('', 37)]);
    expect(linesAt(140).slice(1)).toEqual([rowOf(one, 48), rowOf(two, 48), three, rowOf('', 48)]);
  });
});
