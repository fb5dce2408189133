import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { McpServer as McpServerV1, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, SessionClosedError } from '../../../src/errors.js';
import type { SdkServers } from '../../../src/answer/mcp/server-table.js';
import { FOREIGN, type Workshop } from './foreign-servers.js';
import { openSession, settle, textOf, type Harness } from './session-harness.js';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'cli', version: '1' },
};
const sdk = (instance: SdkServers[string]['instance']): SdkServers[string] => ({
  type: 'sdk',
  name: 'f',
  instance,
});
const content = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const over = new SessionClosedError('over');

async function turn() {
  await new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a server of the MCP SDK v1', () => {
  it('has its resources read, templates included', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' });
    server.registerResource('one', 'demo://r/1', {}, (uri) => ({
      contents: [{ uri: uri.href, text: 'RES TEXT' }],
    }));
    server.registerResource(
      'many',
      new ResourceTemplate('demo://u/{id}', { list: undefined }),
      {},
      (uri, { id }) => ({
        contents: [{ uri: uri.href, text: `user ${String(id)}` }],
      }),
    );
    const { ask } = openSession({ f: sdk(server) });
    expect((await ask('resources/list')).result?.['resources']).toHaveLength(1);
    expect((await ask('resources/templates/list')).result?.['resourceTemplates']).toHaveLength(1);
    expect((await ask('resources/read', { uri: 'demo://r/1' })).result).toEqual({
      contents: [{ uri: 'demo://r/1', text: 'RES TEXT' }],
    });
    expect((await ask('resources/read', { uri: 'demo://u/7' })).result).toMatchObject({
      contents: [{ text: 'user 7' }],
    });
    expect((await ask('resources/read', { uri: 'demo://none' })).error).toBeDefined();
  });

  it('tells every session that knows it of a changed list, and the new tool can be called at once', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' });
    server.registerTool('first', {}, () => content('first'));
    const sessions = [openSession({ f: sdk(server) }), openSession({ f: sdk(server) })];
    const stranger = openSession({ f: sdk(server) });
    for (const { ask } of sessions) await ask('initialize', INITIALIZE);
    // It has sent something and never asked what the server is: there is no list it could read again.
    await stranger.ask('ping');
    server.registerTool('second', {}, () => content('second'));
    await turn();
    for (const { sent, call } of sessions) {
      expect(sent.map(({ message }) => message)).toEqual([
        { method: 'notifications/tools/list_changed', jsonrpc: '2.0' },
      ]);
      expect(textOf(await call('second'))).toBe('second');
    }
    expect(stranger.sent).toEqual([]);
  });

  it('has what it logs inside a call brought to that session alone, even if it does not say for which', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' }, { capabilities: { logging: {} } });
    server.registerTool('log', { inputSchema: { nonce: z.string() } }, async ({ nonce }) => {
      await server.server.sendLoggingMessage({ level: 'info', data: nonce });
      return content('ok');
    });
    const sessions = [openSession({ f: sdk(server) }), openSession({ f: sdk(server) })];
    for (const { ask } of sessions) await ask('initialize', INITIALIZE);
    await Promise.all(sessions.map(({ call }, n) => call('log', { nonce: `nonce-${n}` })));
    sessions.forEach(({ sent }, n) => {
      expect(sent.map(({ message }) => message.params?.['data'])).toEqual([`nonce-${n}`]);
    });
    await server.server.sendLoggingMessage({ level: 'info', data: 'to all' });
    for (const { sent } of sessions) expect(sent.at(-1)?.message.params?.['data']).toBe('to all');
  });

  it('asks the right session without saying which, and nobody when it asks out of the blue', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' });
    const ping = () => server.server.request({ method: 'ping' }, z.object({}));
    server.registerTool('ask', {}, async () => {
      await ping();
      return content('answered');
    });
    const [one, two] = [openSession({ f: sdk(server) }), openSession({ f: sdk(server) })] as [
      Harness,
      Harness,
    ];
    await one.ask('ping');
    const reply = two.call('ask');
    while (two.sent.length === 0) await turn();
    expect(one.sent).toEqual([]);
    await two.put({ jsonrpc: '2.0', id: two.sent[0]?.message.id, result: {} });
    expect(textOf(await reply)).toBe('answered');

    await expect(ping()).rejects.toThrow('nothing says which');
    one.session.close(over);
    const alone = ping();
    while (two.sent.length === 1) await turn();
    await two.put({ jsonrpc: '2.0', id: two.sent[1]?.message.id, result: {} });
    expect(await alone).toEqual({});
    const unanswered = ping();
    two.session.close(over);
    await expect(unanswered).rejects.toThrow();
  });

  it('brings what a handler says after its answer to the session it served', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' }, { capabilities: { logging: {} } });
    const later: (() => Promise<void>)[] = [];
    server.registerTool('start', { inputSchema: { nonce: z.string() } }, ({ nonce }) => {
      const say = AsyncResource.bind(() => server.server.sendLoggingMessage({ level: 'info', data: nonce }));
      later.push(say);
      return content('started');
    });
    const sessions = [openSession({ f: sdk(server) }), openSession({ f: sdk(server) })];
    for (const { ask } of sessions) await ask('initialize', INITIALIZE);
    await Promise.all(sessions.map(({ call }, n) => call('start', { nonce: `nonce-${n}` })));
    for (const say of later) await say();
    sessions.forEach(({ sent }, n) => {
      expect(sent.map(({ message }) => message.params?.['data'])).toEqual([`nonce-${n}`]);
    });
    sessions[0]?.session.close(over);
    await expect(later[0]?.()).rejects.toThrow();
    expect(sessions[1]?.sent).toHaveLength(1);
  });

  it('learns that a session it has asked is over, while another goes on', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' });
    const asked: Promise<unknown>[] = [];
    server.registerTool('ask', {}, (extra) => {
      asked.push(extra.sendRequest({ method: 'ping' }, z.object({})).catch((error: Error) => error.message));
      return content('did not wait');
    });
    const [one, two] = [openSession({ f: sdk(server) }), openSession({ f: sdk(server) })];
    await one.ask('ping');
    await two.call('ask');
    two.session.close(over);
    expect(await asked[0]).toContain('The session ended before it answered');
    expect((await one.ask('ping')).result).toEqual({});
  });

  it('withdraws a question from the session that has it', async () => {
    const server = new McpServerV1({ name: 'f', version: '1' });
    const controller = new AbortController();
    server.registerTool('ask', {}, async (extra) => {
      await extra.sendRequest({ method: 'ping' }, z.object({}), { signal: controller.signal });
      return content('never');
    });
    const { call, sent } = openSession({ f: sdk(server) });
    const reply = call('ask');
    while (sent.length === 0) await turn();
    controller.abort('enough');
    expect((await reply).result?.isError).toBe(true);
    expect(sent[1]?.message).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: sent[0]?.message.id },
    });
  });
});

describe.each(FOREIGN)('a foreign server ($kind)', ({ create }) => {
  it('runs its handlers in the asynchronous context of the query', async () => {
    const storage = new AsyncLocalStorage<string>();
    const v1 = new McpServerV1({ name: 'f', version: '1' });
    v1.registerTool('who', {}, () => content(String(storage.getStore())));
    const v2 = new McpServerV2({ name: 'f', version: '1' });
    v2.registerTool('who', {}, () => content(String(storage.getStore())));
    const server = sdk(create({ held: new Map() }).name === 'v1' ? v1 : v2);
    const sessions = ['one', 'two'].map((name) => storage.run(name, () => openSession({ f: server })));
    const replies = await storage.run('pipe', () => Promise.all(sessions.map(({ call }) => call('who'))));
    expect(replies.map(textOf)).toEqual(['one', 'two']);
  });

  it('is hung up on when its last session ends, and connected again for the next', async () => {
    const server = create({ held: new Map() });
    const instance = server.instance as unknown as { isConnected(): boolean };
    const [one, two] = [openSession({ f: server }), openSession({ f: server })];
    expect(instance.isConnected()).toBe(false);
    await one.ask('ping');
    await two.ask('ping');
    one.session.close(over);
    await turn();
    expect(instance.isConnected()).toBe(true);
    two.session.close(over);
    await turn();
    expect(instance.isConnected()).toBe(false);
    const three = openSession({ f: server });
    expect(textOf(await three.call('echo', { nonce: 'again' }))).toBe('echo again');
    three.session.close(over);
  });

  it('that the program closes fails what runs and says so, and serves the next session', async () => {
    const workshop: Workshop = { held: new Map() };
    const server = create(workshop);
    const { call, ask, warnings } = openSession({ f: server });
    const reply = call('hold', { nonce: 'x' });
    while (workshop.held.size === 0) await turn();
    await (server.instance as { close(): Promise<void> }).close();
    expect((await reply).error?.message).toContain('closed by the program');
    expect((await ask('ping')).error?.message).toContain('closed by the program');
    expect(warnings.map(({ code }) => code)).toEqual(['SERVER_NOT_CONNECTED']);
    expect(textOf(await openSession({ f: server }).call('echo', { nonce: 'y' }))).toBe('echo y');
  });

  it('that is connected to something else is refused with a reason, until it is free', async () => {
    const server = create({ held: new Map() });
    const other = { start: async () => {}, send: async () => {}, close: async () => other.onclose?.() } as {
      start(): Promise<void>;
      send(): Promise<void>;
      close(): Promise<void>;
      onclose?: () => void;
    };
    await (server.instance.connect as (transport: unknown) => Promise<void>)(other);
    const { ask, session, warnings } = openSession({ f: server });
    expect(await session.manifests('2.1.325')).toEqual({});
    expect((await ask('initialize', INITIALIZE)).error?.message).toContain('could not be connected');
    expect(warnings[0]?.code).toBe('SERVER_NOT_CONNECTED');
    await (server.instance as { close(): Promise<void> }).close();
    expect((await ask('ping')).result).toEqual({});
  });

  it.each([
    ['params that are a string', { params: 'x' }],
    ['params that are a list', { params: [] }],
    ['_meta that is no object', { params: { _meta: 5 } }],
    ['a progressToken that is no token', { params: { _meta: { progressToken: true } } }],
    ['a related task without id', { params: { _meta: { 'io.modelcontextprotocol/related-task': 5 } } }],
  ])('never sees %s, over which it would stay silent', async (_, message) => {
    const { put } = openSession({ f: create({ held: new Map() }) });
    const reply = await put({ jsonrpc: '2.0', id: 6, method: 'tools/call', ...message });
    expect(reply).toMatchObject({ id: 6, error: { code: -32602 } });
    expect(await put({ jsonrpc: '2.0', method: 'notifications/x', ...message })).toMatchObject({
      id: 0,
      result: {},
    });
  });

  it("is answered for by the CLI's withdrawal of the carrying request", async () => {
    const workshop: Workshop = { held: new Map() };
    const { put } = openSession({ f: create(workshop) });
    const controller = new AbortController();
    const reply = put(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hold', arguments: { nonce: 'x' } } },
      { signal: controller.signal },
    );
    while (workshop.held.size === 0) await turn();
    controller.abort(new Error('withdrawn'));
    expect(textOf(await reply)).toContain('withdrawn');
    while (!workshop.held.get('x')?.signal.aborted) await turn();
  });

  it('answers two calls with the same id, each with its own result', async () => {
    const { put } = openSession({ f: create({ held: new Map() }) });
    const replies = await Promise.all(
      ['a', 'b'].map((nonce) =>
        put({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'echo', arguments: { nonce } } }),
      ),
    );
    expect(replies.map((reply) => [reply.id, textOf(reply)])).toEqual([
      [5, 'echo a'],
      [5, 'echo b'],
    ]);
  });
});

describe('any object with connect', () => {
  /** A server written by hand: answers what it is told to, and keeps what it got. */
  function byHand(answers: Record<string, unknown>) {
    const got: Record<string, unknown>[] = [];
    const server = {
      transport: undefined as
        undefined | { onmessage?: (message: object) => void; send: (message: object) => Promise<void> },
      async connect(transport: never) {
        server.transport = transport as typeof server.transport;
        Object.assign(server.transport ?? {}, {
          onmessage: (message: { id?: unknown; method?: string }) => {
            got.push(message);
            const result = answers[String(message.method)];
            if (message.id !== undefined && result !== undefined) {
              void server.transport?.send({ jsonrpc: '2.0', id: message.id, result });
            }
          },
        });
      },
    };
    return { server, got };
  }

  it('is warned of once per tool, however often it lists it', async () => {
    const { server } = byHand({ 'tools/list': { tools: [{ name: 'none' }] } });
    const { ask, warnings } = openSession({ f: sdk(server) });
    for (let time = 0; time < 3; time += 1) expect((await ask('tools/list')).result).toEqual({ tools: [] });
    expect(warnings.map(({ code, tool }) => [code, tool])).toEqual([['TOOL_DROPPED', 'none']]);
  });

  it('serves, and a tool that would spoil the list is left out with a warning', async () => {
    const good = { name: 'good', inputSchema: { type: 'object' } };
    const { server } = byHand({
      'tools/list': {
        tools: [good, { name: 'none' }, { name: 'union', inputSchema: { anyOf: [] } }, 'junk'],
      },
    });
    const { ask, warnings, session } = openSession({ f: sdk(server) });
    expect((await ask('tools/list')).result).toEqual({ tools: [good] });
    expect(warnings.map(({ code, tool }) => [code, tool])).toEqual([
      ['TOOL_DROPPED', 'none'],
      ['TOOL_DROPPED', 'union'],
      ['TOOL_DROPPED', 'junk'],
    ]);
    expect(session.definedTools()).toEqual([
      { server: 'f', tool: 'good', toolName: 'mcp__f__good', alwaysLoad: false, loading: 'cli' },
    ]);
  });

  it('never gets the same id twice, and its stray replies reach nobody', async () => {
    const { server, got } = byHand({ ping: {} });
    const { put } = openSession({ f: sdk(server) });
    await Promise.all([1, 1, 1].map((id) => put({ jsonrpc: '2.0', id, method: 'ping' })));
    const ids = got.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    await server.transport?.send({ jsonrpc: '2.0', id: ids[0], result: { again: true } });
    await server.transport?.send({ jsonrpc: '2.0', id: 'nobody', result: {} });
    await settle();
  });

  it('a question with the id of a call in flight is a question, and the call waits for its answer', async () => {
    const { server, got } = byHand({});
    const { put, sent } = openSession({ f: sdk(server) });
    const call = put({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } });
    while (got.length === 0) await turn();
    const key = got[0]?.['id'];
    await server.transport?.send({ jsonrpc: '2.0', id: key, method: 'roots/list' });
    expect(sent[0]?.message).toMatchObject({
      method: 'roots/list',
      id: expect.stringMatching(/^server-\d+$/),
    });
    await put({ jsonrpc: '2.0', id: sent[0]?.message.id, result: { roots: [] } });
    expect(got[1]).toEqual({ jsonrpc: '2.0', id: key, result: { roots: [] } });
    await server.transport?.send({ jsonrpc: '2.0', id: key, result: { content: [] } });
    expect((await call).result).toEqual({ content: [] });
  });

  it('that names the request a message belongs to is believed, wherever it sends from', async () => {
    const { server, got } = byHand({});
    const [one, two] = [openSession({ f: sdk(server) }), openSession({ f: sdk(server) })];
    const calls = [one, two].map(({ put }) =>
      put({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } }),
    );
    while (got.length < 2) await turn();
    const key = got[1]?.['id'];
    const send = server.transport?.send as (message: object, options?: object) => Promise<void>;
    await send(
      { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'd' } },
      { relatedRequestId: key },
    );
    await send({ jsonrpc: '2.0', id: 9, method: 'roots/list' }, { relatedRequestId: key });
    expect(one.sent).toEqual([]);
    expect(two.sent.map(({ message }) => message.method)).toEqual(['notifications/message', 'roots/list']);
    await expect(
      send({ jsonrpc: '2.0', method: 'notifications/message' }, { relatedRequestId: 'done long ago' }),
    ).rejects.toThrow('is over');
    for (const { session } of [one, two]) session.close(over);
    await Promise.all(calls);
  });

  it('without connect is refused when the session is made', () => {
    expect(() => openSession({ f: sdk({} as never) })).toThrow(InvalidOptionsError);
    expect(() => openSession({ f: { type: 'sdk', name: 'f' } as never })).toThrow(/"f".*createSdkMcpServer/);
  });
});
