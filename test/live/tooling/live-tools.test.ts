// The in-process servers of a session: what they remember of the subagents that call them.
import { describe, expect, it } from 'vitest';
import { LiveTools } from '../../../src/live/tooling/live-tools.js';
import { WarningReporter } from '../../../src/options/check/warning-reporter.js';

const callOf = (id: string): Record<string, unknown> => ({
  type: 'assistant',
  parent_tool_use_id: `agent of ${id}`,
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'mcp__demo__look', input: {} }] },
});

describe('the tools of a session', () => {
  it('know which subagent calls, and forget calls of long ago', () => {
    const tools = new LiveTools({
      options: {},
      warnings: new WarningReporter({}),
      sessionId: () => undefined,
      request: () => Promise.resolve(),
      onMissing: () => {},
    });
    for (let count = 0; count < 20_000; count += 1) tools.observe(callOf(`toolu_${count}`));
    expect(tools.agentIdOf('toolu_19999')).toBe('agent of toolu_19999');
    expect(tools.agentIdOf('toolu_19500')).toBe('agent of toolu_19500');
    expect(tools.agentIdOf('toolu_0')).toBeUndefined();
    tools.close(new Error('over'));
    expect(tools.agentIdOf('toolu_19999')).toBeUndefined();
  });
});
