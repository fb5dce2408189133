// What a CLI does by itself while its turn waits: only without such work may it be ended.
import { describe, expect, it } from 'vitest';
import { CliActivity } from '../../src/attempt/cli-activity.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';

const OWN: Readonly<Record<string, { runsBeside: boolean }>> = {
  mcp__shop__pay: { runsBeside: false },
  mcp__shop__stock: { runsBeside: true },
};

function createWork(...messages: object[]): CliActivity {
  const work = new CliActivity((name) => OWN[name]);
  for (const message of messages) work.observe(message as SDKMessage);
  return work;
}

const calls = (...names: string[]) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: {
    role: 'assistant',
    content: names.map((name, at) => ({ type: 'tool_use', id: `t${at}`, name })),
  },
});
const result = (id: string) => ({
  type: 'user',
  parent_tool_use_id: null,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
});
const task = (subtype: string, more: object) => ({ type: 'system', subtype, ...more });

describe('a CLI whose turn waits', () => {
  it.each<[what: string, names: string[], waiting: string[], isBusy: boolean]>([
    ['one call of ours', ['mcp__shop__pay'], ['t0'], false],
    ['one tool of the CLI', ['Bash'], ['t0'], false],
    ['a call of ours, others behind it', ['mcp__shop__pay', 'Bash', 'mcp__shop__pay'], ['t0'], false],
    ['an edit, with a command behind it', ['Edit', 'Bash'], ['t0'], false],
    ['a read-only call, beside a tool that runs', ['mcp__shop__stock', 'Bash'], ['t0'], true],
    ['a read-only call, with one of ours behind it', ['mcp__shop__stock', 'mcp__shop__pay'], ['t0'], false],
    ['a fetch, beside another that runs', ['WebFetch', 'WebFetch'], ['t0'], true],
    ['both fetches', ['WebFetch', 'WebFetch'], ['t0', 't1'], false],
    ['a call of a subagent', ['Agent'], ['inside'], true],
    ['a call beside one of a foreign server', ['mcp__shop__stock', 'mcp__other__slow'], ['t0'], true],
  ])('for %s', (_what, names, waiting, isBusy) => {
    expect(createWork(calls(...names)).isBusy(new Set(waiting))).toBe(isBusy);
  });

  it('is free once its own tool has ended', () => {
    const work = createWork(calls('mcp__shop__stock', 'Bash'));
    expect(work.isBusy(new Set(['t0']))).toBe(true);
    work.observe(result('t1') as SDKMessage);
    expect(work.isBusy(new Set(['t0']))).toBe(false);
  });

  it('does not count the calls of a subagent, whose own call is open', () => {
    const inside = { ...calls('Bash'), parent_tool_use_id: 'agent' };
    expect(createWork(inside).isBusy(new Set())).toBe(false);
  });

  it('is needed while a background task runs, of this turn or of one before', () => {
    const started = task('task_started', { task_id: 'b', task_type: 'local_bash' });
    const work = createWork(started, { type: 'result' }, calls('mcp__shop__pay'));
    expect(work.isBusy(new Set(['t0']))).toBe(true);
    work.observe(task('task_notification', { task_id: 'b' }) as unknown as SDKMessage);
    expect(work.isBusy(new Set(['t0']))).toBe(false);
  });

  it('forgets the calls of a turn that ended', () => {
    expect(createWork(calls('Bash'), { type: 'result' }).isBusy(new Set())).toBe(false);
  });
});
