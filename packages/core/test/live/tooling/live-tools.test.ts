// The in-process servers of a session: what they remember of the subagents that call them, and what they say of tools
// that the model does not see.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { PlainTool } from '../../../src/answer/mcp/tool/tool-definition.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { ToolsNotReadyError } from '../../../src/errors.js';
import type { Options } from '../../../src/options/options.js';
import type { InboardWarning } from '../../../src/options/check/warning.js';
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
      hasMessage: () => false,
      identify: () => ({ callKey: 'call_1', attempt: 1 }),
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

const official = tool('official', '', { a: z.string() }, () => '');
const own = tool({ name: 'own', run: () => '' });
const crowd = Array.from({ length: 43 }, (_, index) => tool({ name: `t${index}`, run: () => '' }));
const serverOf = (...tools: readonly PlainTool[]) => createSdkMcpServer({ name: 'shop', tools: tools as [] });

/** Starts the tools of a session and shows them the beginning of a turn on a CLI with tool search. */
function beginTurn(given: Options, init: Record<string, unknown> = {}) {
  const errors: Error[] = [];
  const tools = new LiveTools({
    options: given,
    warnings: new WarningReporter(given),
    sessionId: () => undefined,
    hasMessage: () => false,
    request: () => Promise.resolve(),
    identify: () => ({ callKey: 'call_1', attempt: 1 }),
    onMissing: (error) => errors.push(error),
  });
  const plan = tools.plan('2.1.325') as unknown as {
    manifests: Record<string, { toolsListResult: { tools: { name: string }[] } }>;
  };
  const names = Object.entries(plan.manifests).flatMap(([server, { toolsListResult }]) =>
    toolsListResult.tools.map(({ name }) => `mcp__${server}__${name}`),
  );
  const servers = Object.keys(plan.manifests).map((name) => ({ name, status: 'connected' }));
  const message = { tools: ['ToolSearch', ...names], mcp_servers: servers, capabilities: [], ...init };
  const begin = (): void => tools.observe({ type: 'system', subtype: 'init', ...message });
  begin();
  begin();
  return { errors };
}

describe('a tool that the model does not see', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const listen = (given: Options, init?: Record<string, unknown>): InboardWarning[] => {
    const warnings: InboardWarning[] = [];
    beginTurn({ ...given, onWarning: (warning) => warnings.push(warning) }, init);
    return warnings;
  };

  it('is named once per session when it is in the official form', () => {
    const [warning, ...more] = listen({ mcpServers: { shop: serverOf(official, own) } });
    expect(more).toEqual([]);
    expect(warning?.code).toBe('TOOLS_DEFERRED');
    expect(warning?.message).toMatch(/^The model does not see mcp__shop__official until .*alwaysLoad: true/);
  });

  it('is named, too, by a CLI that keeps it back and names no capabilities (2.1.197)', () => {
    const init = { capabilities: undefined, claude_code_version: '2.1.197' };
    const [warning] = listen({ mcpServers: { shop: serverOf(official) } }, init);
    expect(warning).toMatchObject({ code: 'TOOLS_DEFERRED' });
  });

  it('is counted when it is beyond the limit of what loads by default', () => {
    const [warning, ...more] = listen({ mcpServers: { shop: serverOf(...crowd) } });
    expect(more).toEqual([]);
    expect(warning?.message).toContain('3 tools (mcp__shop__t40, mcp__shop__t41, mcp__shop__t42)');
    expect(warning?.message).toContain('at most 40 tools and 32 KiB of definitions');
  });

  it.each<[string, Options, Record<string, unknown>?]>([
    ['our own forms', { mcpServers: { shop: serverOf(own) } }],
    [
      'alwaysLoad: true',
      { mcpServers: { shop: createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: [official] }) } },
    ],
    [
      'alwaysLoad: false',
      {
        mcpServers: { shop: createSdkMcpServer({ name: 'shop', alwaysLoad: false, tools: [official, own] }) },
      },
    ],
    [
      'a CLI that lists the search always (2.1.33)',
      { mcpServers: { shop: serverOf(official, ...crowd) } },
      { capabilities: undefined, claude_code_version: '2.1.33' },
    ],
    ['no tool search', { mcpServers: { shop: serverOf(official) } }, { tools: ['mcp__shop__official'] }],
    [
      'a search that depends on size',
      { mcpServers: { shop: serverOf(official) }, env: { ENABLE_TOOL_SEARCH: 'auto:5' } },
    ],
  ])('is no matter for a warning: %s', (_, options, init) => {
    expect(listen(options, init)).toEqual([]);
  });

  it('is a process warning where nobody listens, once per process for the official form', () => {
    const emitted: string[] = [];
    vi.spyOn(process, 'emitWarning').mockImplementation((message) => void emitted.push(String(message)));
    beginTurn({ mcpServers: { shop: serverOf(official) } });
    beginTurn({ mcpServers: { other: serverOf(official) } });
    beginTurn({ mcpServers: { crowd: serverOf(...crowd) } });
    expect(emitted).toEqual([
      expect.stringContaining('mcp__shop__official'),
      expect.stringContaining('3 tools (mcp__crowd__t40'),
    ]);
  });

  it('is not missing when a rule of the session denies it', () => {
    const denied = { mcpServers: { shop: serverOf(own) }, disallowedTools: ['mcp__shop__o*'] };
    const init = { tools: [] };
    expect(listen(denied, init)).toEqual([]);
    expect(beginTurn({ ...denied, missingTools: 'error' }, init).errors).toEqual([]);
    const { errors } = beginTurn({ mcpServers: denied.mcpServers, missingTools: 'error' }, init);
    expect(errors[0]).toBeInstanceOf(ToolsNotReadyError);
    expect((errors[0] as ToolsNotReadyError<{ diagnoses: unknown }>).report.diagnoses).toMatchObject([
      { name: 'mcp__shop__own', causes: [{ kind: 'missing' }, { kind: 'denied' }] },
    ]);
  });
});
