// The command that a page shows for recording the next run.
import { expect, it } from 'vitest';
import { describeRecordCommand, type StartedCommand } from '../src/record-command.js';

const parts = (more: Partial<StartedCommand>): StartedCommand => ({
  argv: ['/usr/bin/node', '/home/you/shop/agent.mjs'],
  execArgv: [],
  cwd: '/home/you/shop',
  platform: 'linux',
  ...more,
});
const same = (text: string): string => text;

it.each([
  [parts({}), 'INBOARD_TRACE=run.jsonl node agent.mjs'],
  [parts({ cwd: '/home/you' }), 'INBOARD_TRACE=run.jsonl node shop/agent.mjs'],
  [
    parts({ argv: ['/usr/bin/node', "/home/you/shop/it's mine.mjs"] }),
    "INBOARD_TRACE=run.jsonl node 'it'\\''s mine.mjs'",
  ],
  [parts({ platform: 'win32' }), "$env:INBOARD_TRACE='run.jsonl'; node agent.mjs"],
  [parts({ argv: ['/usr/bin/node'] }), 'INBOARD_TRACE=run.jsonl node …'],
])('is what records the same program: %#', (given, command) => {
  expect(describeRecordCommand(same, given)).toBe(command);
});

it('has no options and no arguments, which may be secret', () => {
  const given = parts({
    argv: ['/usr/bin/node', '/home/you/shop/agent.mjs', '--token', 'secret'],
    execArgv: ['--import', 'tsx'],
  });
  expect(describeRecordCommand(same, given)).toBe('INBOARD_TRACE=run.jsonl node … agent.mjs …');
  expect(describeRecordCommand(() => 'node [redacted]', given)).toBe(
    'INBOARD_TRACE=run.jsonl node [redacted]',
  );
});
