import { expect, it } from 'vitest';
import { InboardError } from '../../../src/errors.js';
import type { SessionToolEvent } from '../../../src/answer/mcp/tool/tool-events.js';
import { ToolWatch } from '../../../src/live/tooling/tool-watch.js';

function setUp() {
  const events: SessionToolEvent[] = [];
  const watch = new ToolWatch({
    isInProcess: (name) => name.startsWith('mcp__own__'),
    tell: (event) => events.push(event),
  });
  const use = (id: string, name: string, more: object = {}): void =>
    watch.observe({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id, name, input: { a: 1 } }] },
      ...more,
    });
  const end = (id: string, more: object = {}): void =>
    watch.observe({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'out', ...more }] },
    });
  return { events, watch, use, end };
}

it('tells start and end of what the CLI runs, with its subagent', () => {
  const { events, use, end } = setUp();
  use('t1', 'Bash', { parent_tool_use_id: 'agent-1' });
  use('t1', 'Bash');
  end('t1');
  end('t1');
  expect(events).toMatchObject([
    {
      inProcess: false,
      type: 'start',
      toolName: 'Bash',
      toolUseId: 't1',
      agentId: 'agent-1',
      input: { a: 1 },
    },
    { inProcess: false, type: 'end', toolName: 'Bash', result: 'out' },
  ]);
});

it('leaves in-process tools to themselves', () => {
  const { events, use, end } = setUp();
  use('t1', 'mcp__own__greet');
  end('t1');
  expect(events).toEqual([]);
});

it('tells errors, cancelled calls, and heartbeats', () => {
  const { events, watch, use, end } = setUp();
  use('t1', 'Bash');
  watch.observe({
    type: 'tool_progress',
    tool_use_id: 't1-heartbeat-0',
    parent_tool_use_id: 't1',
    elapsed_time_seconds: 30,
  });
  end('t1', { is_error: true, content: [{ type: 'text', text: 'no such file' }] });
  use('t2', 'Bash');
  end('t2', { is_error: true, content: 'this call was stopped while running' });
  expect(events.map((event) => event.type)).toEqual(['start', 'progress', 'error', 'start', 'cancelled']);
  expect(events[1]).toMatchObject({ elapsedSeconds: 30 });
  expect((events[2] as { error: Error }).error.message).toBe('no such file');
});

it('gives the error of a tool of the CLI no code, because those are about tools of the program', () => {
  const { events, use, end } = setUp();
  use('t1', 'Bash');
  end('t1', { is_error: true, content: '' });
  const { error } = events[1] as { error: Error };
  expect(error).not.toBeInstanceOf(InboardError);
  expect(error).not.toHaveProperty('code');
  expect(error.message).toBe('The tool reported an error without a message');
});

it('cancels what still runs when the session ends, once', () => {
  const { events, watch, use } = setUp();
  use('t1', 'Bash');
  const reason = new Error('over');
  watch.close(reason);
  watch.close(reason);
  expect(events.at(-1)).toMatchObject({ type: 'cancelled', toolUseId: 't1', reason });
  expect(events).toHaveLength(2);
});

it('takes half-formed messages calmly', () => {
  const { events, watch } = setUp();
  for (const message of [
    { type: 'assistant' },
    { type: 'user', message: { content: 'text' } },
    { type: 'tool_progress' },
  ]) {
    watch.observe(message);
  }
  expect(events).toEqual([]);
});
