import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { SessionClosedError } from '../../../src/errors.js';
import type { SdkServers } from '../../../src/answer/mcp/server-table.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { FOREIGN } from './foreign-servers.js';
import { openSession } from './session-harness.js';

const sdk = (instance: SdkServers[string]['instance']): SdkServers[string] => ({
  type: 'sdk',
  name: 'f',
  instance,
});
const noop = () => ({ content: [] });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('the manifest of a server of ours', () => {
  it('is there at once, in the form the CLI takes', () => {
    const server = createSdkMcpServer({
      name: 'inner',
      version: '1.2.3',
      instructions: 'INS',
      tools: [tool('greet', 'Greet', { name: z.string() }, () => '')],
    });
    expect(openSession({ demo: server }).session.manifests('2.1.325')).toEqual({
      demo: {
        initializeResult: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'inner', version: '1.2.3' },
          instructions: 'INS',
        },
        toolsListResult: {
          tools: [
            {
              name: 'greet',
              description: 'Greet',
              inputSchema: {
                $schema: 'http://json-schema.org/draft-07/schema#',
                type: 'object',
                properties: { name: { type: 'string' } },
                required: ['name'],
              },
              execution: { taskSupport: 'forbidden' },
            },
          ],
        },
      },
    });
  });

  it('says nothing of tools where there are none, and lists none where there are pages', () => {
    const named = (name: string) => tool(name, '', {}, () => '');
    const { session } = openSession({
      bare: createSdkMcpServer({ name: 'bare' }),
      empty: createSdkMcpServer({ name: 'empty', tools: [] }),
      pages: createSdkMcpServer({ name: 'pages', pageSize: 1, tools: [named('a'), named('b')] }),
      later: createSdkMcpServer({ name: 'later', toolsMayChange: true }),
    });
    const manifests = session.manifests('2.1.325') as Record<
      string,
      { initializeResult: { capabilities: unknown }; toolsListResult?: unknown }
    >;
    expect(
      Object.entries(manifests).map(([name, m]) => [
        name,
        m.initializeResult.capabilities,
        m.toolsListResult,
      ]),
    ).toEqual([
      ['bare', {}, undefined],
      ['empty', {}, undefined],
      ['pages', { tools: { listChanged: true } }, undefined],
      ['later', { tools: { listChanged: true } }, { tools: [] }],
    ]);
    expect('toolsListResult' in (manifests['bare'] ?? {})).toBe(false);
  });

  it('has no cap: 200 tools are in it', () => {
    const tools = Array.from({ length: 200 }, (_, n) => tool(`t${n}`, 'd'.repeat(500), {}, () => ''));
    const { session } = openSession({ s: createSdkMcpServer({ name: 's', tools }) });
    const { s } = session.manifests('2.1.325') as Record<string, { toolsListResult?: { tools: unknown[] } }>;
    expect(s?.toolsListResult?.tools).toHaveLength(200);
  });
});

describe.each(FOREIGN)('the manifest of a foreign server ($kind)', ({ create }) => {
  it('is what it answers itself', async () => {
    const ours = createSdkMcpServer({ name: 'ours' });
    const { session } = openSession({ f: create({ held: new Map() }), ours });
    const manifests = await session.manifests('2.1.325');
    expect(Object.keys(manifests)).toEqual(['f', 'ours']);
    expect(manifests['f']).toMatchObject({
      initializeResult: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } } },
      toolsListResult: { tools: [{ name: 'echo' }, { name: 'hold' }, { name: 'report' }, { name: 'ask' }] },
    });
    expect(session.definedTools().map(({ toolName }) => toolName)).toContain('mcp__f__echo');
    session.close(new SessionClosedError());
  });
});

describe('the manifest of a foreign server that is not up to it', () => {
  const withList = (list: () => unknown) => {
    const server = new McpServerV1({ name: 'f', version: '1' });
    server.registerTool('a', {}, noop);
    server.server.setRequestHandler(ListToolsRequestSchema, list as never);
    return server;
  };

  it('is left out after 200 ms, and the server still answers later', async () => {
    let release: (value: unknown) => void = () => {};
    const server = withList(() => new Promise((resolve) => (release = resolve)));
    const { session, ask } = openSession({ f: sdk(server), ours: createSdkMcpServer({ name: 'ours' }) });
    const manifests = session.manifests('2.1.325');
    await vi.advanceTimersByTimeAsync(199);
    let isDone = false;
    void Promise.resolve(manifests).then(() => (isDone = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(Object.keys(await manifests)).toEqual(['ours']);
    const listing = ask('tools/list');
    await vi.advanceTimersByTimeAsync(0);
    release({ tools: [] });
    expect((await listing).result).toEqual({ tools: [] });
  });

  it('is left out when it speaks another version than the CLI takes', async () => {
    const server = {
      async connect(transport: never) {
        const { send } = transport as { send: (message: object) => Promise<void> };
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'f', version: '1' },
        };
        Object.assign(transport, {
          onmessage: ({ id }: { id?: unknown }) => void send({ jsonrpc: '2.0', id, result }),
        });
      },
    };
    expect(await openSession({ f: sdk(server) }).session.manifests('2.1.325')).toEqual({});
  });

  it('is left out when listing fails', async () => {
    const { session } = openSession({
      f: sdk(
        withList(() => {
          throw new Error('no list today');
        }),
      ),
    });
    expect(await session.manifests('2.1.325')).toEqual({});
  });

  it('has no list when there are pages, nor when there are no tools', async () => {
    const { session } = openSession({
      pages: sdk(withList(() => ({ tools: [], nextCursor: '1' }))),
      bare: sdk(new McpServerV1({ name: 'bare', version: '1' })),
    });
    const manifests = await session.manifests('2.1.325');
    expect(Object.keys(manifests['pages'] ?? {})).toEqual(['initializeResult']);
    expect(manifests['bare']).toMatchObject({ initializeResult: { capabilities: {} } });
    expect(manifests['bare']?.toolsListResult).toBeUndefined();
  });

  it('is settled by the end of the session', async () => {
    const { session } = openSession({ f: sdk(withList(() => new Promise(() => {}))) });
    const manifests = session.manifests('2.1.325');
    await vi.advanceTimersByTimeAsync(0);
    session.close(new SessionClosedError());
    expect(await manifests).toEqual({});
  });
});
