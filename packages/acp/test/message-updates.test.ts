// Messages of the CLI as updates, one by one: what only some CLIs and some sessions have.
import { describe, expect, it } from 'vitest';
import { MessageUpdates, type UpdateSetup } from '../src/updates/message-updates.js';

const createUpdates = (more: Partial<UpdateSetup> = {}) =>
  new MessageUpdates({ cwd: '/w', listCosts: () => [], ...more });
const assistant = (content: object[], more: object = {}) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id: 'm1', model: 'm', content },
  ...more,
});
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ...more,
});

describe('the plan', () => {
  it('follows tasks that are added, changed and removed one by one', () => {
    const updates = createUpdates();
    const make = (id: string, subject: string, structure?: object) => [
      ...updates.take(assistant([call(id, 'TaskCreate', { subject, description: '' })])),
      ...updates.take(result(id, `Task #${id.slice(1)} created successfully`, structure)),
    ];
    expect(make('t1', 'Look', { tool_use_result: { task: { id: '1', subject: 'Look' } } })).toEqual([
      { sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'medium', status: 'pending' }] },
    ]);
    // As in a transcript that is read again.
    make('t2', 'Mend');
    const change = (input: object) => {
      updates.take(assistant([call('c', 'TaskUpdate', input)]));
      return updates.take(result('c', 'Updated'));
    };
    expect(change({ taskId: '2', status: 'in_progress' })).toMatchObject([
      { entries: [{ content: 'Look' }, { content: 'Mend', status: 'in_progress' }] },
    ]);
    expect(change({ taskId: '1', status: 'deleted' })).toMatchObject([{ entries: [{ content: 'Mend' }] }]);
    expect(change({ taskId: '9', status: 'completed' })).toEqual([]);
    updates.take(assistant([call('l', 'TaskList', {})]));
    expect(updates.take(result('l', 'Mend'))).toEqual([]);
  });

  it('is left as it is by a call that failed', () => {
    const updates = createUpdates();
    updates.take(assistant([call('t', 'TodoWrite', { todos: [{ content: 'x', status: 'odd' }] })]));
    const failed = { type: 'tool_result', tool_use_id: 't', content: 'no', is_error: true };
    expect(updates.take({ type: 'user', message: { role: 'user', content: [failed] } })).toEqual([]);
  });
});

describe('subagents', () => {
  it('are shown by their calls, not by what they write', () => {
    const updates = createUpdates();
    const inside = { parent_tool_use_id: 'task' };
    expect(updates.take(assistant([{ type: 'text', text: 'Inner voice' }], inside))).toEqual([]);
    const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Inner' } };
    expect(updates.take({ type: 'stream_event', event: delta, ...inside })).toEqual([]);
    expect(updates.take(assistant([call('r', 'Read', { file_path: '/w/a' })], inside))).toMatchObject([
      { sessionUpdate: 'tool_call', toolCallId: 'r', _meta: { 'inboard/parentToolCallId': 'task' } },
      { sessionUpdate: 'tool_call_update', status: 'in_progress' },
    ]);
  });
});

describe('calls', () => {
  it.each([
    ['Bash', { command: 'ls\nrm x' }, 'ls…', 'execute'],
    ['Bash', { command: 'x'.repeat(300) }, `${'x'.repeat(159)}…`, 'execute'],
    ['Grep', { pattern: 'a.b' }, 'Grep a.b', 'search'],
    ['WebFetch', { url: 'https://x' }, 'WebFetch https://x', 'fetch'],
    ['Agent', { description: 'Look around', prompt: 'p' }, 'Agent Look around', 'think'],
    ['Read', { file_path: '/elsewhere/a' }, 'Read /elsewhere/a', 'read'],
    ['mcp__a__b__c', {}, 'b__c (a)', 'other'],
    ['mcp__odd', {}, 'mcp__odd', 'other'],
    ['Unheard', {}, 'Unheard', 'other'],
  ])('%s %j is "%s"', (name, input, title, kind) => {
    const [shown] = createUpdates().take(assistant([call('c', name, input)]));
    expect(shown).toMatchObject({ title, kind });
  });

  it('have images and other content as they are', () => {
    const updates = createUpdates();
    updates.take(assistant([call('c', 'mcp__a__b', {})]));
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'aGk=' } };
    expect(updates.take(result('c', [image, { type: 'odd', x: 1 }, '']))).toMatchObject([
      {
        content: [
          { type: 'content', content: { type: 'image', data: 'aGk=', mimeType: 'image/gif' } },
          { type: 'content', content: { type: 'text', text: '{"type":"odd","x":1}' } },
        ],
      },
    ]);
  });

  it('correct what was in a file before, from the result', () => {
    const updates = createUpdates();
    updates.take(assistant([call('c', 'Write', { file_path: '/w/none', content: 'new' })]));
    const structure = { tool_use_result: { filePath: '/w/none', originalFile: 'older' } };
    expect(updates.take(result('c', 'ok', structure))).toMatchObject([
      { content: [{ type: 'diff', oldText: 'older', newText: 'new' }] },
    ]);
  });

  it('that no announcement was seen of are not ended either', () => {
    expect(createUpdates().take(result('c', 'ok'))).toEqual([]);
  });

  it('of several edits have a difference each', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ];
    const [shown] = createUpdates().take(assistant([call('c', 'MultiEdit', { file_path: 'x', edits })]));
    expect(shown).toMatchObject({ content: [{ path: '/w/x', newText: 'b' }, { newText: 'd' }] });
  });
});

describe('an answer', () => {
  it('that is in the result alone is shown, once', () => {
    const updates = createUpdates();
    const end = { type: 'result', subtype: 'success', is_error: false, result: 'Cost: 1' };
    expect(updates.take(end)).toMatchObject([{ sessionUpdate: 'agent_message_chunk' }]);
    updates.take(assistant([{ type: 'text', text: 'Cost: 1' }]));
    expect(updates.take(end)).toEqual([]);
    expect(updates.take({ ...end, is_error: true })).toEqual([]);
  });
});

describe('the cost', () => {
  /** Ends a turn that cost `spent`, after which its CLI reports a total. */
  function createMeter() {
    const costs: number[] = [];
    const updates = createUpdates({ listCosts: () => costs });
    return (spent: number, total: number) => {
      costs.push(spent);
      updates.take(
        assistant([], { message: { id: 'm', model: 'm', content: [], usage: { input_tokens: 3 } } }),
      );
      const modelUsage = { m: { contextWindow: 100 } };
      return updates.take({ type: 'result', subtype: 'success', total_cost_usd: total, modelUsage });
    };
  }

  it('is that of all CLIs of the session, also where a later one is dearer', () => {
    const end = createMeter();
    expect(end(1, 1)).toMatchObject([{ used: 3, size: 100, cost: { amount: 1 } }]);
    // Another CLI, which counts from 0.
    expect(end(3, 3)).toMatchObject([{ cost: { amount: 4 } }]);
    // And one that goes on with the total of the session.
    expect(end(1, 5)).toMatchObject([{ cost: { amount: 5 } }]);
  });

  it('includes what a loaded session had cost before, where its CLI counts that', () => {
    const end = createMeter();
    expect(end(1, 7)).toMatchObject([{ cost: { amount: 7 } }]);
    expect(end(2, 9)).toMatchObject([{ cost: { amount: 9 } }]);
  });
});

describe('an earlier conversation', () => {
  it('is shown without what nobody wrote', () => {
    const updates = createUpdates();
    const said = (content: unknown, more: object = {}) =>
      updates.replay({ type: 'user', uuid: 'u', message: { role: 'user', content }, ...more });
    expect(said('Hello')).toMatchObject([{ sessionUpdate: 'user_message_chunk', messageId: 'u' }]);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
    expect(said([image])).toMatchObject([{ content: { type: 'image', mimeType: 'image/png' } }]);
    expect(said('[Request interrupted by user for tool use]')).toEqual([]);
    expect(said('Summary', { isCompactSummary: true })).toEqual([]);
    expect(said('Note', { is_meta: true })).toEqual([]);
    expect(said('<command-name>/cost</command-name>', { isCompletedLocalCommand: true })).toEqual([]);
  });

  it('leaves no call running that was cut off', () => {
    const updates = createUpdates();
    updates.replay(assistant([call('c', 'Bash', { command: 'ls' })]));
    expect(updates.abandonCalls()).toEqual([
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' },
    ]);
  });

  it('keeps a call that still waits for a person as pending, whatever its CLI wrote when the host was killed', () => {
    const updates = createUpdates({ waiting: new Set(['c']) });
    const pay = assistant([
      call('c', 'mcp__shop__pay', { order: '7' }),
      call('d', 'Bash', { command: 'ls' }),
    ]);
    const shown = [
      ...updates.replay(pay),
      ...updates.replay(result('c', 'Tool permission stream closed before response received')),
      ...updates.abandonPastCalls(),
    ];
    const states = shown.map((update) => [
      'toolCallId' in update && update.toolCallId,
      'status' in update && update.status,
    ]);
    expect(states).toEqual([
      ['c', 'pending'],
      ['d', 'pending'],
      ['d', 'in_progress'],
      ['d', 'failed'],
    ]);
    expect(updates.ask('c', 'mcp__shop__pay', { order: '7' })).toMatchObject({
      call: { toolCallId: 'c', status: 'pending' },
      updates: [],
    });
    expect(updates.take(result('c', 'paid'))).toMatchObject([{ toolCallId: 'c', status: 'completed' }]);
  });
});
