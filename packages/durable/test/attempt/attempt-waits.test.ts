// What the calls of an attempt do, and whether its CLI is at work meanwhile.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer, tool } from '../../../inboard/src/index.js';
import { foldFacts } from '../../../core/src/record/calls/fold-facts.js';
import type { CallFact } from '../../../core/src/wire/protocol/config/call-records.js';
import type { SDKMessage } from '../../../core/src/wire/protocol/messages/messages.js';
import { AttemptWaits } from '../../src/attempt/attempt-waits.js';
import { CliActivity } from '../../src/attempt/cli-activity.js';
import { OpenCalls } from '../../src/attempt/open-calls.js';
import { findOwnTool } from '../../src/attempt/own-tool.js';

const call = { callKey: 'c', toolUseId: 't', toolName: 'pay', input: {} };
const begun: CallFact = { type: 'begun', ...call, attempt: 1, owner: 'a', at: 1 };

describe('the calls of an attempt', () => {
  it('work, wait for people, are pending, and end', () => {
    let changes = 0;
    const waits = new AttemptWaits(() => (changes += 1));
    const look = (): unknown => [waits.calls.working, waits.calls.waitingToolUses, waits.calls.pending];
    const note = (fact: object): unknown => (
      waits.note({ callKey: 'c', at: 2, ...fact } as CallFact),
      look()
    );
    expect(look()).toEqual([0, [], []]);
    expect(note(begun)).toEqual([1, [], []]);
    expect(note({ type: 'waiting' })).toEqual([0, ['t'], []]);
    expect(note({ type: 'working' })).toEqual([1, [], []]);
    expect(note({ type: 'pending', note: 'tomorrow' })).toEqual([
      0,
      ['t'],
      [{ callKey: 'c', toolName: 'pay', note: 'tomorrow' }],
    ]);
    expect(note({ type: 'ended', result: {} })).toEqual([0, [], []]);
    expect(changes).toBe(5);
  });

  it('wait until the last of their questions has an answer', () => {
    const waits = new AttemptWaits(() => {});
    const note = (type: 'waiting' | 'working'): number => (
      waits.note({ type, callKey: 'c', at: 2 }),
      waits.calls.working
    );
    waits.note(begun);
    expect([note('waiting'), note('waiting'), note('working'), note('working')]).toEqual([0, 0, 0, 1]);
  });

  it('are pending from an earlier attempt only while a result is still taken', () => {
    const pending: CallFact = { type: 'pending', callKey: 'c', note: 'tomorrow', at: 2 };
    const recalled = (...facts: CallFact[]): unknown => {
      const waits = new AttemptWaits(() => {});
      waits.recall(foldFacts([begun, pending, ...facts]));
      return waits.calls.pending;
    };
    expect(recalled()).toEqual([{ callKey: 'c', toolName: 'pay', note: 'tomorrow' }]);
    expect(recalled({ type: 'withdrawn', callKey: 'c', at: 3 })).toEqual([]);
    expect(recalled({ type: 'ended', callKey: 'c', result: {}, at: 3 })).toEqual([]);
  });
});

describe('a call that is answered twice at once', () => {
  it('is open until both answers are given', () => {
    const calls = new OpenCalls();
    calls.begin('c', { toolUseId: 't' });
    calls.begin('c', { toolUseId: 't' });
    calls.wait('c');
    expect([calls.working, calls.waitingToolUses]).toEqual([0, ['t']]);
    calls.end('c');
    expect([calls.has('c'), calls.isWaiting('c')]).toEqual([true, true]);
    calls.goOn('c');
    expect(calls.working).toBe(1);
    calls.end('c');
    expect([calls.has('c'), calls.working]).toEqual([false, 0]);
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
  const [PAY, FIND, SHIP] = ['mcp__shop__pay', 'mcp__shop__find', 'mcp__shop__ship'];
  const tools = [
    tool({ name: 'pay', description: 'Pays', run: () => 'x' }),
    tool({ name: 'find', description: 'Finds', annotations: { readOnlyHint: true }, run: () => 'x' }),
    tool({ name: 'ship', description: 'Ships', parallel: true, run: () => 'x' }),
  ];
  const mcpServers = { shop: createSdkMcpServer({ name: 'shop', tools }) };

  it.each([
    ['nothing is open', [], [], false],
    ['a tool of ours waits', [PAY], [PAY], false],
    ['a tool of the CLI runs', ['Bash'], [], true],
    ['a tool of the CLI waits for permission', ['Bash'], ['Bash'], false],
    ['a tool of the CLI runs beside one of ours that only reads', [FIND, 'Grep'], [FIND], true],
    ['a tool of the CLI runs beside one of ours that is parallel', [SHIP, 'Grep'], [SHIP], true],
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
