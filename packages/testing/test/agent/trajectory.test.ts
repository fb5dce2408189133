// What an agent did, from messages and from the wire, and what one can ask about it.
import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import type { WireListener } from '@inboard/core/record/trace/recorder/tap-transport.js';
import { trajectoryOf, TrajectoryRecorder, type Trajectory } from '../../src/agent/trajectory.js';
import {
  assertTrajectory,
  trajectoryMatchers,
  type TrajectoryMatchers,
} from '../../src/agent/trajectory-matchers.js';

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- this is how vitest learns of matchers
  interface Assertion<T> extends TrajectoryMatchers<T> {}
}
expect.extend(trajectoryMatchers);

const assistant = (content: object[], more: object = {}): object => ({
  type: 'assistant',
  message: { role: 'assistant', content },
  parent_tool_use_id: null,
  ...more,
});
const use = (id: string, name: string, input: object): object => ({ type: 'tool_use', id, name, input });
const answer = (id: string, content: unknown, isError?: boolean): object => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
});
const result = (more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  num_turns: 2,
  total_cost_usd: 0.25,
  ...more,
});

const RUN = [
  { type: 'system', subtype: 'init' },
  assistant([
    { type: 'text', text: 'Looking.' },
    use('t1', 'mcp__shop__find', { query: 'tea', deep: { a: [1] } }),
    use('t2', 'Bash', { command: 'ls' }),
  ]),
  answer('t2', 'denied', true),
  answer('t1', [
    { type: 'text', text: 'green' },
    { type: 'text', text: 'tea' },
  ]),
  assistant([use('t3', 'Read', {})], { parent_tool_use_id: 't1' }),
  result(),
];

describe('trajectoryOf', () => {
  it('lists what was called, answered, said and paid', () => {
    expect(trajectoryOf(RUN)).toEqual<Trajectory>({
      toolCalls: [
        {
          id: 't1',
          name: 'mcp__shop__find',
          input: { query: 'tea', deep: { a: [1] } },
          result: { text: 'green\ntea', isError: false },
        },
        { id: 't2', name: 'Bash', input: { command: 'ls' }, result: { text: 'denied', isError: true } },
        { id: 't3', name: 'Read', input: {}, parentToolUseId: 't1' },
      ],
      permissions: [],
      hooks: [],
      texts: ['Looking.'],
      turns: [{ subtype: 'success', isError: false, text: 'done', numTurns: 2 }],
      totalCostUsd: 0.25,
    });
  });

  it('takes odd messages as they come', () => {
    const odd = [
      null,
      7,
      {},
      { type: 'assistant' },
      { type: 'user', message: { content: 'hi' } },
      { type: 'result' },
    ];
    expect(trajectoryOf(odd as object[])).toMatchObject({
      toolCalls: [],
      turns: [{ text: '', numTurns: 0 }],
    });
  });
});

describe('a recorder on the wire', () => {
  const ask = (id: string, request: object): string =>
    JSON.stringify({ type: 'control_request', request_id: id, request });
  const respond = (id: string, response: unknown, subtype = 'success'): string =>
    JSON.stringify({ type: 'control_response', response: { subtype, request_id: id, response } });
  const canUse = (tool: string): object => ({
    subtype: 'can_use_tool',
    tool_name: tool,
    input: { a: 1 },
    tool_use_id: tool,
  });

  it('knows of permissions and hooks, and how they ended', () => {
    const recorder = new TrajectoryRecorder();
    const heard: string[] = [];
    const { onWireLine } = recorder.watch<{ onWireLine?: WireListener }>({
      onWireLine: (direction) => void heard.push(direction),
    });
    const lines: ['in' | 'out', string][] = [
      ['in', ask('1', canUse('Bash'))],
      ['in', ask('2', { ...canUse('Edit'), agent_id: 'sub' })],
      ['out', respond('2', { behavior: 'allow', updatedInput: { a: 2 } })],
      ['out', respond('1', { behavior: 'deny', message: 'no' })],
      ['in', ask('3', canUse('Write'))],
      ['in', '{"type":"control_cancel_request","request_id":"3"}'],
      ['in', ask('4', canUse('Read'))],
      ['out', respond('4', undefined, 'error')],
      ['in', ask('5', canUse('Grep'))],
      [
        'in',
        ask('6', { subtype: 'hook_callback', input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' } }),
      ],
      ['out', respond('6', { continue: true })],
      ['out', respond('7', {})],
      ['in', 'garbage'],
      ['in', '[]'],
      ['in', JSON.stringify(result({ total_cost_usd: 1 }))],
    ];
    for (const [direction, line] of lines) onWireLine?.(direction, line);
    expect(heard).toHaveLength(lines.length);
    expect(recorder.trajectory).toMatchObject({
      permissions: [
        { toolName: 'Bash', decision: 'deny', message: 'no', toolUseId: 'Bash' },
        { toolName: 'Edit', decision: 'allow', updatedInput: { a: 2 }, agentId: 'sub' },
        { toolName: 'Write', decision: 'withdrawn' },
        { toolName: 'Read', decision: 'failed' },
        { toolName: 'Grep', decision: 'open' },
      ],
      hooks: [{ event: 'PreToolUse', toolName: 'Bash', output: { continue: true } }],
      totalCostUsd: 1,
    });
    expect(recorder.trajectory).toHaveAskedPermission('Bash', 'deny');
    expect(recorder.trajectory).not.toHaveAskedPermission('Bash', 'allow');
    expect(recorder.trajectory).not.toHaveAskedPermission('Glob');
  });
});

describe('matchers', () => {
  const trajectory = trajectoryOf(RUN);

  it('find what was called', () => {
    expect(trajectory).toHaveCalledTool('find', { query: 'tea', deep: { a: [1] } });
    expect(trajectory).toHaveCalledTool(/^mcp__/g);
    expect(trajectory).toHaveCalledTool('Bash', ({ command }) => command === 'ls');
    expect(trajectory).not.toHaveCalledTool('find', { query: 'coffee' });
    expect(trajectory).not.toHaveCalledTool('ind');
    expect(trajectory).toHaveCalledToolsInOrder(['find', { tool: 'Read' }]);
    expect(trajectory).not.toHaveCalledToolsInOrder(['Read', 'find']);
    expect(trajectory).toHaveCalledExactly([
      'mcp__shop__find',
      { tool: /bash/i, input: { command: 'ls' } },
      'Read',
    ]);
    expect(trajectory).not.toHaveCalledExactly(['find']);
  });

  it('know how it ended and what it cost', () => {
    expect(trajectory).toHaveSucceeded();
    expect(trajectory).toHaveSucceeded('done');
    expect(trajectory).not.toHaveSucceeded(/failed/);
    expect(trajectoryOf([])).not.toHaveSucceeded();
    expect(trajectoryOf([result({ is_error: true })])).not.toHaveSucceeded();
    expect(trajectory).toHaveCostAtMost(0.25);
    expect(trajectory).not.toHaveCostAtMost(0.24);
  });

  it('explain themselves', () => {
    expect(() => expect(trajectory).toHaveCalledTool('sell', { n: 1 })).toThrow(
      'Expected a call to the tool "sell" with {"n":1}; calls: mcp__shop__find({"query":"tea","deep":{"a":[1]}}), Bash({"command":"ls"}), Read({})',
    );
    expect(() => expect(trajectory).toHaveCalledToolsInOrder(['Read', /Bash/])).toThrow(
      '/Bash/ was not called in its turn',
    );
    expect(() => expect(trajectory).not.toHaveSucceeded()).toThrow(
      'Expected anything but a last turn that succeeded',
    );
  });

  it('are assertions elsewhere', () => {
    assertTrajectory(trajectory, 'toHaveCalledTool', 'find');
    expect(() => assertTrajectory(trajectory, 'toHaveCostAtMost', 0.1)).toThrow(AssertionError);
  });
});
