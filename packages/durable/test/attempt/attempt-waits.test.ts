// What the calls of an attempt do, and whether its CLI is at work meanwhile.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer, tool } from '../../../inboard/src/index.js';
import type { CallFact } from '../../../core/src/wire/protocol/config/call-records.js';
import type { SDKMessage } from '../../../core/src/wire/protocol/messages/messages.js';
import { AttemptWaits } from '../../src/attempt/attempt-waits.js';
import { CliActivity } from '../../src/attempt/cli-activity.js';
import { findOwnTool } from '../../src/attempt/own-tool.js';

const call = { callKey: 'c', toolUseId: 't', toolName: 'pay', input: {} };
const begun: CallFact = { type: 'begun', ...call, attempt: 1, owner: 'a', at: 1 };

describe('the calls of an attempt', () => {
  it('work, wait for people, are pending, and end', () => {
    let changes = 0;
    const waits = new AttemptWaits(() => (changes += 1));
    const look = (): unknown => [waits.isWorking, waits.toolUseIds, waits.pending];
    const note = (fact: object): unknown => (
      waits.note({ callKey: 'c', at: 2, ...fact } as CallFact),
      look()
    );
    expect(look()).toEqual([false, [], []]);
    expect(note(begun)).toEqual([true, [], []]);
    expect(note({ type: 'waiting' })).toEqual([false, ['t'], []]);
    expect(note({ type: 'working' })).toEqual([true, [], []]);
    expect(note({ type: 'pending', note: 'tomorrow' })).toEqual([
      false,
      ['t'],
      [{ callKey: 'c', toolName: 'pay', note: 'tomorrow' }],
    ]);
    expect(note({ type: 'ended', result: {} })).toEqual([false, [], []]);
    expect(changes).toBe(5);
  });
});

describe('the CLI of an attempt', () => {
  const uses = (...names: string[]): SDKMessage =>
    ({
      type: 'assistant',
      parent_tool_use_id: null,
      message: { content: names.map((name) => ({ type: 'tool_use', id: name, name, input: {} })) },
    }) as unknown as SDKMessage;
  const result = (id: string): SDKMessage =>
    ({
      type: 'user',
      parent_tool_use_id: null,
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }] },
    }) as unknown as SDKMessage;
  const [PAY, FIND] = ['mcp__shop__pay', 'mcp__shop__find'];
  const tools = [
    tool({ name: 'pay', description: 'Pays', run: () => 'x' }),
    tool({ name: 'find', description: 'Finds', annotations: { readOnlyHint: true }, run: () => 'x' }),
  ];
  const mcpServers = { shop: createSdkMcpServer({ name: 'shop', tools }) };

  it.each([
    ['nothing is open', [], [], false],
    ['a tool of ours waits', [PAY], [PAY], false],
    ['a tool of the CLI runs', ['Bash'], [], true],
    ['a tool of the CLI waits for permission', ['Bash'], ['Bash'], false],
    ['a tool of the CLI runs beside one of ours that only reads', [FIND, 'Grep'], [FIND], true],
    ['a tool of the CLI has its turn after one of ours', [PAY, 'Bash'], [PAY], false],
    ['a tool of the CLI has its turn after one that writes', ['Write', 'Bash'], ['Write'], false],
  ] as const)('is at work or not: %s', (_title, names, waiting, expected) => {
    const activity = new CliActivity((name) => findOwnTool({ mcpServers }, name));
    activity.observe(uses(...names));
    expect(activity.isBusy(new Set(waiting))).toBe(expected);
    for (const name of names) activity.observe(result(name));
    expect(activity.isBusy(new Set())).toBe(false);
  });

  it('is at work while a task runs in the background', () => {
    const activity = new CliActivity(() => undefined);
    activity.observe({
      type: 'system',
      subtype: 'task_started',
      task_id: 'b',
      task_type: 'local_bash',
    } as never);
    expect(activity.isBusy(new Set())).toBe(true);
  });
});
