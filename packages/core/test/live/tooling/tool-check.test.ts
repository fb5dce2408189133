import { describe, expect, it } from 'vitest';
import { ToolsNotReadyError } from '../../../src/errors.js';
import type { DefinedTool } from '../../../src/answer/mcp/tool/defined-tool.js';
import { toolName } from '../../../src/answer/mcp/tool/tool-name.js';
import { awaitTools, type ReadySource } from '../../../src/live/tooling/await-tools.js';
import { diagnoseTool } from '../../../src/answer/diagnosis/diagnose-tool.js';
import { checkInitTools, checkStatusTools } from '../../../src/live/tooling/tool-check.js';
import { collectFacts } from '../../../src/live/tooling/tool-report.js';

const define = (tool: string, alwaysLoad = false): DefinedTool => ({
  server: 'demo',
  tool,
  toolName: toolName('demo', tool),
  alwaysLoad,
  loading: 'cli',
});
const greet = define('greet');
const always = define('always', true);

describe('what system/init lists', () => {
  it('names the tools that are missing', () => {
    const report = checkInitTools([greet, always], {
      tools: ['Bash', 'mcp__demo__always'],
      mcp_servers: [{ name: 'demo', status: 'connected' }],
    });
    expect(report).toEqual({
      servers: [{ name: 'demo', status: 'connected' }],
      listed: ['mcp__demo__always'],
      missing: [greet],
      deferred: [],
    });
  });

  it('calls a tool deferred when the search is on, unless it is always loaded', () => {
    const tools = ['ToolSearch', 'mcp__demo__always', 'mcp__demo__greet'];
    expect(checkInitTools([greet, always], { tools, capabilities: [] }).deferred).toEqual([greet]);
    expect(checkInitTools([greet, always], { tools }).deferred, '2.1.33 sends them all the same').toEqual([]);
  });

  it.each([{}, { tools: 'x', mcp_servers: null }, { tools: [1], mcp_servers: [null, 5] }])(
    'takes a half-formed message for one that lists nothing: %j',
    (init) => {
      expect(checkInitTools([greet], init)).toMatchObject({ missing: [greet], servers: [] });
    },
  );
});

describe('what mcp_status lists', () => {
  it('takes no tools said for nothing said', () => {
    const report = checkStatusTools([greet], [{ name: 'demo', status: 'connected' }], toolName);
    expect(report.missing).toEqual([]);
    const empty = checkStatusTools([greet], [{ name: 'demo', status: 'connected', tools: [] }], toolName);
    expect(empty.missing).toEqual([greet]);
  });
});

describe('a tool that the configuration of its server lists', () => {
  it.each([
    ['always_allow', 0],
    ['always_ask', 0],
    ['always_deny', 0],
    [undefined, 1],
  ] as const)('needs no rule where it has a policy: %s', (policy, causes) => {
    const tools = [{ name: 'greet', permission_policy: policy }];
    const options = {
      permissionMode: 'dontAsk' as const,
      mcpServers: { demo: { type: 'http' as const, url: 'https://example.com', tools } },
    };
    const lists = { servers: [], listed: ['mcp__demo__greet'], missing: [], deferred: [] };
    const diagnosis = diagnoseTool('mcp__demo__greet', collectFacts(lists, [], options));
    expect(diagnosis.causes).toHaveLength(causes);
    const denied = collectFacts(lists, [], { ...options, disallowedTools: ['mcp__demo__greet'] });
    expect(diagnoseTool('mcp__demo__greet', denied).causes).toMatchObject([{ kind: 'denied' }]);
  });
});

describe('ready()', () => {
  function source(replies: unknown[]): ReadySource & { asked: number } {
    const made = {
      asked: 0,
      serverNames: ['demo'],
      inProcessNames: () => ['demo'],
      connectsLater: () => false,
      defined: () => [greet],
      deferred: () => [],
      options: {},
      status: async () => replies[Math.min(made.asked++, replies.length - 1)],
    };
    return made;
  }
  const row = (status: string, tools?: string[], error?: string) => ({
    mcpServers: [{ name: 'demo', status, tools: tools?.map((name) => ({ name })), error }],
  });

  it('waits for a server that is still connecting', async () => {
    const asked = source([{ mcpServers: [] }, row('pending'), row('connected', ['greet'])]);
    await expect(awaitTools(asked)).resolves.toMatchObject({ listed: ['mcp__demo__greet'], missing: [] });
    expect(asked.asked).toBe(3);
  });

  it('gives up at once on a server that has failed, and says why', async () => {
    const asked = source([row('failed', undefined, 'no such file')]);
    const error = await awaitTools(asked).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ToolsNotReadyError);
    expect((error as Error).message).toContain('server "demo" is failed (no such file)');
    expect(asked.asked).toBe(1);
  });

  it('names the tools that have not come when the time is over', async () => {
    const asked = source([row('connected', ['other'])]);
    await expect(awaitTools(asked, { timeoutMs: 0 })).rejects.toThrow(
      'tool "mcp__demo__greet" is not listed',
    );
    await expect(awaitTools(asked, { tools: ['mcp__demo__other'] })).resolves.toBeDefined();
    await expect(awaitTools(asked, { tools: ['mcp__x__y'], timeoutMs: 0 })).rejects.toThrow('mcp__x__y');
  });

  it('does not wait for an in-process server that connects with the first message', async () => {
    const asked = { ...source([{ mcpServers: [] }]), connectsLater: () => true };
    await expect(awaitTools(asked)).resolves.toMatchObject({ servers: [] });
    const outside = { ...asked, serverNames: ['demo', 'outside'] };
    await expect(awaitTools(outside, { timeoutMs: 0 })).rejects.toThrow('server "outside" is absent');
  });

  it('passes on that the session is over', async () => {
    const over = new Error('over');
    const asked = { ...source([]), status: () => Promise.reject(over) };
    await expect(awaitTools(asked)).rejects.toBe(over);
  });
});
