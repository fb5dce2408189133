// Tools served over HTTP, to clients of both official libraries and to those who should not be let in.
import { Client } from '@modelcontextprotocol/client';
import * as library from '@modelcontextprotocol/server';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as stdio from '@modelcontextprotocol/server/stdio';
import { request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Bridge } from '../src/serve/bridge.js';
import type { McpLibrary, McpStdio } from '../src/serve/mcp-library.js';
import { HttpSessions } from '../src/serve/http-sessions.js';
import { serveStdio } from '../src/serve/serve-stdio.js';
import { ToolHost } from '../src/tools-file/tool-host.js';
import { createFakeTerminal } from './fake-terminal.js';
import { serveHttp, type HttpOptions, type HttpService } from '../src/serve/serve-http.js';
import type { FoundServers } from '../src/tools-file/find-servers.js';
import { createSdkMcpServer, mcpPrompt, mcpResource, tool } from '@inboard/inboard/index.js';
import { createDeferred } from '@inboard/core/util/deferred.js';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function serve(servers: FoundServers, options: Partial<HttpOptions> = {}) {
  const errors: Error[] = [];
  const mcp = library as unknown as McpLibrary;
  const bridge = await Bridge.open({ servers, library: mcp, onWarning: () => {} });
  const service = await serveHttp(bridge, {
    library: mcp,
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    allowedHosts: [],
    onError: (error) => errors.push(error),
    ...options,
  });
  undo.push(async () => {
    await service.close();
    await bridge.close();
  });
  return { bridge, service, errors };
}

async function connect({ url }: HttpService, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  undo.push(() => client.close());
  return client;
}

async function connectOld({ url }: HttpService) {
  const client = new OldClient({ name: 'old', version: '1.0.0' });
  await client.connect(new OldTransport(new URL(url)));
  undo.push(() => client.close());
  return client;
}

/** A bare POST with headers of any kind, which `fetch` would refuse to send. */
function post(url: string, headers: Record<string, string>, body = '{}'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const sent = request(url, { method: 'POST', headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

describe('serving over HTTP', () => {
  it('serves other tools to clients that are there once they are replaced, and the old ones if that fails', async () => {
    const make = (name: string, ...tools: string[]) =>
      createSdkMcpServer({ name, tools: tools.map((each) => tool(each, 'One', {}, () => each)) });
    const { bridge, service } = await serve({ a: make('a', 'one') });
    const clients = [await connect(service), await connectOld(service)];
    const list = () =>
      Promise.all(clients.map(async (each) => (await each.listTools()).tools.map(({ name }) => name)));
    expect(await list()).toEqual([['one'], ['one']]);
    await expect(bridge.replace({ servers: { a: make('a', 'two'), b: make('b', 'two') } })).rejects.toThrow(
      /both have/,
    );
    expect(await list()).toEqual([['one'], ['one']]);
    await bridge.replace({ servers: { b: make('b', 'two', 'three') } });
    expect(await list()).toEqual([
      ['two', 'three'],
      ['two', 'three'],
    ]);
  });

  it('gives tools, resources, progress and errors to clients of both libraries', async () => {
    const shop = createSdkMcpServer({
      name: 'shop',
      instructions: 'Sell.',
      tools: [
        tool('count', 'Counts', { article: 'string' }, ({ article }, extra) => {
          extra.progress({ progress: 1, total: 2 });
          return `${article}: 7`;
        }),
        tool('fail', 'Fails', {}, () => {
          throw new Error('It broke.');
        }),
      ],
      resources: [{ name: 'list', uri: 'shop://list', mimeType: 'text/plain', read: () => 'apples' }],
    });
    const { service } = await serve({ shop });
    for (const client of [await connect(service), await connectOld(service)]) {
      expect(client.getInstructions()).toBe('Sell.');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['count', 'fail']);
      expect(tools[0]?.inputSchema).toMatchObject({ properties: { article: { type: 'string' } } });
      expect(await client.callTool({ name: 'fail' })).toMatchObject({
        isError: true,
        content: [{ text: 'It broke.' }],
      });
      expect(await client.callTool({ name: 'count', arguments: { article: 3 } })).toMatchObject({
        isError: true,
      });
      expect(await client.readResource({ uri: 'shop://list' })).toMatchObject({
        contents: [{ text: 'apples' }],
      });
      await expect(client.readResource({ uri: 'shop://none' })).rejects.toThrow(/no resource/);
    }
    const progress: unknown[] = [];
    const client = await connect(service);
    const result = await client.callTool(
      { name: 'count', arguments: { article: 'apples' } },
      { onprogress: (step) => progress.push(step) },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'apples: 7' }]);
    expect(progress).toMatchObject([{ progress: 1, total: 2 }]);
  });

  it('speaks the newest revision with clients that ask for it', async () => {
    const shop = createSdkMcpServer({
      name: 'shop',
      tools: [
        tool('count', 'Counts', { article: 'string' }, ({ article }, extra) => {
          extra.progress({ progress: 1, total: 2 });
          return `${article}: 7`;
        }),
      ],
    });
    const { service } = await serve({ shop });
    const client = new Client(
      { name: 'new', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(service.url)));
    undo.push(() => client.close());
    const progress: unknown[] = [];
    expect((await client.listTools()).tools).toMatchObject([{ name: 'count' }]);
    const result = await client.callTool(
      { name: 'count', arguments: { article: 'apples' } },
      { onprogress: (step) => progress.push(step) },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'apples: 7' }]);
    expect(progress).toMatchObject([{ progress: 1, total: 2 }]);
  });

  it('refuses an unknown tool with the nearest name', async () => {
    const one = createSdkMcpServer({ name: 'one', tools: [tool('count', 'Counts', {}, () => 1)] });
    const { service } = await serve({ one });
    await expect((await connect(service)).callTool({ name: 'cuont' })).rejects.toThrow(
      'did you mean "count"?',
    );
  });

  it('keeps clients of one server apart, and tells all of them of changes', async () => {
    const gates = new Map([
      ['a', createDeferred<void>()],
      ['b', createDeferred<void>()],
    ]);
    const started = createDeferred<void>();
    let running = 0;
    const shared = createSdkMcpServer({
      name: 'shared',
      tools: [
        tool('wait', 'Waits', { who: 'string' }, async ({ who }, extra) => {
          extra.log('info', `for ${who}`);
          running += 1;
          if (running === 2) started.resolve();
          await gates.get(who)?.promise;
          return who;
        }),
      ],
    });
    const { service } = await serve({ shared });
    const logs: Record<string, unknown[]> = { a: [], b: [] };
    const news: string[] = [];
    const results = [];
    const clients = new Map<string, OldClient>();
    for (const who of ['a', 'b']) {
      const client = await connectOld(service);
      clients.set(who, client);
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === 'notifications/message') logs[who]?.push(params?.['data']);
        if (method.endsWith('list_changed')) news.push(who);
        if (news.length === 2) changed.resolve();
      };
      results.push(client.callTool({ name: 'wait', arguments: { who } }));
    }
    const changed = createDeferred<void>();
    await started.promise;
    shared.instance.registerTool('more', { description: 'More' }, () => 2);
    await changed.promise;
    gates.get('b')?.resolve();
    gates.get('a')?.resolve();
    const contents = (await Promise.all(results)).map(({ content }) => content);
    expect(contents).toEqual([[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'b' }]]);
    expect(logs).toEqual({ a: ['for a'], b: ['for b'] });
    expect(news.sort()).toEqual(['a', 'b']);
    expect((await clients.get('a')?.listTools())?.tools).toHaveLength(2);
  });

  it('tells a tool that its caller has given up', async () => {
    const started = createDeferred<void>();
    const cancelled = createDeferred<void>();
    const slow = createSdkMcpServer({
      name: 'slow',
      tools: [
        tool('wait', 'Waits', {}, (_, { signal }) => {
          signal.addEventListener('abort', () => cancelled.resolve());
          started.resolve();
          return cancelled.promise;
        }),
      ],
    });
    const { service } = await serve({ slow });
    const client = await connect(service);
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: controller.signal });
    const failed = expect(call).rejects.toThrow();
    await started.promise;
    controller.abort();
    await failed;
    await cancelled.promise;
  });

  it('ends running calls when it closes', async () => {
    const started = createDeferred<void>();
    const cancelled = createDeferred<void>();
    const slow = createSdkMcpServer({
      name: 'slow',
      tools: [
        tool('wait', 'Waits', {}, (_, { signal }) => {
          signal.addEventListener('abort', () => cancelled.resolve());
          started.resolve();
          return cancelled.promise;
        }),
      ],
    });
    const { service, bridge } = await serve({ slow });
    const client = await connectOld(service);
    const call = client.callTool({ name: 'wait' }).catch(() => {});
    await started.promise;
    await bridge.close();
    await cancelled.promise;
    await service.close();
    await client.close();
    await call;
  });

  it('passes a server of the official library through, prompts and all', async () => {
    const foreign = new McpServer({ name: 'foreign', version: '2.0.0' });
    foreign.registerTool('one', { description: 'One' }, async () => ({
      content: [{ type: 'text', text: '1' }],
    }));
    foreign.registerPrompt('greet', { description: 'Greets' }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    }));
    const own = createSdkMcpServer({ name: 'own', tools: [tool('two', 'Two', {}, () => 2)] });
    const { service } = await serve({
      foreign: { type: 'sdk', name: 'foreign', instance: foreign },
      own,
    });
    const client = await connect(service);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(await client.callTool({ name: 'one' })).toMatchObject({ content: [{ text: '1' }] });
    expect(await client.callTool({ name: 'two' })).toMatchObject({ content: [{ text: '2' }] });
    expect(await client.getPrompt({ name: 'greet' })).toMatchObject({ messages: [{ role: 'user' }] });
    const again = await connect(service);
    expect(await again.callTool({ name: 'one' })).toMatchObject({ content: [{ text: '1' }] });
  });

  it('refuses two tools of one name', async () => {
    const servers = Object.fromEntries(
      ['a', 'b'].map((name) => [
        name,
        createSdkMcpServer({ name, tools: [tool('same', 'Same', {}, () => 1)] }),
      ]),
    );
    const opened = Bridge.open({ servers, library: library as unknown as McpLibrary, onWarning: () => {} });
    await expect(opened).rejects.toThrow('both have a tool "same"');
  });

  it('refuses two prompts of one name', async () => {
    const servers = Object.fromEntries(
      ['a', 'b'].map((name) => [
        name,
        createSdkMcpServer({ name, prompts: [mcpPrompt('same', 'Same', () => '')] }),
      ]),
    );
    const opened = Bridge.open({ servers, library: library as unknown as McpLibrary, onWarning: () => {} });
    await expect(opened).rejects.toThrow('both have a prompt "same"');
  });

  const createDesk = () =>
    createSdkMcpServer({
      name: 'desk',
      prompts: [
        mcpPrompt('greet', 'Greets', { who: 'string' }, ({ who }) => `Hello ${who}`, {
          complete: { who: ['Ann', 'Anton', 'Bea'] },
        }),
      ],
      resources: [
        mcpResource('note', 'note://{id}', (_uri, { id }) => `note ${id}`, { complete: { id: ['1', '2'] } }),
      ],
    });

  it('gives prompts, templates and completion to clients of both libraries', async () => {
    const { service } = await serve({ desk: createDesk() });
    for (const client of [await connect(service), await connectOld(service)]) {
      expect((await client.listPrompts()).prompts).toMatchObject([
        { name: 'greet', arguments: [{ name: 'who', required: true }] },
      ]);
      expect(await client.getPrompt({ name: 'greet', arguments: { who: 'Ann' } })).toMatchObject({
        messages: [{ role: 'user', content: { text: 'Hello Ann' } }],
      });
      await expect(client.getPrompt({ name: 'gret' })).rejects.toThrow('did you mean "greet"?');
      await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({ code: -32602 });
      const argument = { name: 'who', value: 'an' };
      const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument });
      expect(completion.values).toEqual(['Ann', 'Anton']);
      expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
        { uriTemplate: 'note://{id}' },
      ]);
      expect(await client.readResource({ uri: 'note://5' })).toMatchObject({
        contents: [{ text: 'note 5' }],
      });
    }
  });

  it('tells each client of the resources it has subscribed to, until it has enough', async () => {
    const desk = createDesk();
    const foreign = new McpServer({ name: 'foreign', version: '1' }, { capabilities: { resources: {} } });
    const { service } = await serve({ foreign: { type: 'sdk', name: 'foreign', instance: foreign }, desk });
    const news: string[] = [];
    let heard = createDeferred<void>();
    const [one, two] = [await connectOld(service), await connectOld(service)];
    for (const [name, client] of Object.entries({ one, two })) {
      client.fallbackNotificationHandler = async ({ method, params }) => {
        news.push(`${name} ${method} ${String(params?.['uri'])}`);
        heard.resolve();
      };
    }
    await one.subscribeResource({ uri: 'note://1' });
    await two.subscribeResource({ uri: 'note://1' });
    await two.subscribeResource({ uri: 'note://2' });
    await expect(one.subscribeResource({ uri: 'other://1' })).rejects.toThrow();
    await two.unsubscribeResource({ uri: 'note://1' });
    desk.instance.sendResourceUpdated({ uri: 'note://1' });
    await heard.promise;
    heard = createDeferred();
    desk.instance.sendResourceUpdated({ uri: 'note://3' });
    desk.instance.sendResourceUpdated({ uri: 'note://2' });
    await heard.promise;
    expect(news).toEqual([
      'one notifications/resources/updated note://1',
      'two notifications/resources/updated note://2',
    ]);
  });

  it('lets nobody in by a foreign name or from a foreign page', async () => {
    const { service } = await serve({ one: createSdkMcpServer({ name: 'one' }) });
    expect(await post(service.url, { host: 'evil.example.com' }, INITIALIZE)).toBe(403);
    expect(await post(service.url, { origin: 'http://evil.example.com' }, INITIALIZE)).toBe(403);
    expect(await post(service.url, { origin: 'null' }, INITIALIZE)).toBe(403);
    expect(await post(service.url, { origin: 'http://localhost:6274' }, INITIALIZE)).toBe(200);
    expect(await post(service.url.replace('/mcp', '/'), {}, INITIALIZE)).toBe(404);
    expect(await post(service.url, { 'mcp-session-id': 'made-up' }, INITIALIZE)).toBe(404);
    expect(await post(service.url, {}, 'garbage')).toBe(400);
  });

  it('lets other names in when told so', async () => {
    const { service } = await serve(
      { one: createSdkMcpServer({ name: 'one' }) },
      { allowedHosts: ['tools.example.com'] },
    );
    expect(await post(service.url, { host: 'tools.example.com' }, INITIALIZE)).toBe(200);
    expect(await post(service.url, { host: 'evil.example.com' }, INITIALIZE)).toBe(403);
  });

  it('wants the token where there is one, before anything else is looked at', async () => {
    const { service } = await serve(
      { one: createSdkMcpServer({ name: 'one', tools: [tool('a', 'A', {}, () => 1)] }) },
      { token: 'secret-1' },
    );
    expect(await post(service.url, {}, INITIALIZE)).toBe(401);
    expect(await post(service.url, { authorization: 'Bearer secret-2' }, INITIALIZE)).toBe(401);
    expect(await post(service.url, { authorization: 'secret-1' }, INITIALIZE)).toBe(401);
    const client = await connect(service, { authorization: 'Bearer secret-1' });
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  it('says so when the port is taken', async () => {
    const { service } = await serve({ one: createSdkMcpServer({ name: 'one' }) });
    const port = Number(new URL(service.url).port);
    await expect(serve({ two: createSdkMcpServer({ name: 'two' }) }, { port })).rejects.toThrow('--port');
  });
});

const say = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('the sessions of a server', () => {
  const LIMIT = 256;
  /** Sessions of a server with a tool that runs until it is let go; without the network, because they are many. */
  async function openSessions() {
    const held: (() => void)[] = [];
    const hold = tool('hold', 'Holds', {}, () => new Promise<string>((done) => held.push(() => done('x'))));
    const mcp = library as unknown as McpLibrary;
    const servers = { one: createSdkMcpServer({ name: 'one', tools: [hold] }) };
    const bridge = await Bridge.open({ servers, library: mcp, onWarning: () => {} });
    const sessions = new HttpSessions(bridge, mcp);
    undo.push(async () => {
      for (const release of held) release();
      await sessions.close();
      await bridge.close();
    });
    const send = (body: string, id?: string) => {
      const headers = new Headers({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      });
      if (id !== undefined) headers.set('mcp-session-id', id);
      return sessions.answer(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    };
    /** Sends, reads the response to its end, and says how it was. */
    const ask = async (body: string, id?: string): Promise<Response> => {
      const { response, done } = await send(body, id);
      await response.text();
      done?.();
      return response;
    };
    const enter = async (): Promise<string> => String((await ask(INITIALIZE)).headers.get('mcp-session-id'));
    const ping = async (id = ''): Promise<number> => (await ask(say('ping'), id)).status;
    const run = async (id = '') => await send(say('tools/call', { name: 'hold' }), id);
    return { sessions, held, ask, enter, ping, run };
  }

  it('are kept up to the limit; the next takes the place of the one not used for longest, never of a busy one', async () => {
    const { sessions, enter, ping, run } = await openSessions();
    const ids: string[] = [];
    for (let count = 0; count < LIMIT - 1; count += 1) ids.push(await enter());
    expect([sessions.size, await ping(ids[0])]).toEqual([255, 200]);
    ids.push(await enter());
    expect([sessions.size, await ping(ids[0])]).toEqual([256, 200]);
    // The one not used for longest is now the second. It is at work, so that the third has to go.
    await run(ids[1]);
    ids.push(await enter());
    expect(sessions.size).toBe(256);
    expect([await ping(ids[0]), await ping(ids[1]), await ping(ids[2]), await ping(ids[3])]).toEqual([
      200, 200, 404, 200,
    ]);
  });

  it('that are all busy let no further client in until one is done', async () => {
    const { sessions, held, ask, enter, ping, run } = await openSessions();
    const ids: string[] = [];
    for (let count = 0; count < LIMIT; count += 1) ids.push(await enter());
    const running = [];
    for (const id of ids) running.push(await run(id));
    await vi.waitFor(() => expect(held).toHaveLength(LIMIT), { timeout: 15_000 });
    const refused = await ask(INITIALIZE);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await ping(ids[0]), 'a session that is at work is still answered').toBe(200);
    held[7]?.();
    await running[7]?.response.text();
    running[7]?.done?.();
    expect((await ask(INITIALIZE)).status).toBe(200);
    expect([sessions.size, await ping(ids[7]), await ping(ids[8])]).toEqual([256, 404, 200]);
  });

  it('leave nothing behind: no client, no host of a request', async () => {
    const asked = vi.spyOn(ToolHost.prototype, 'ask');
    const closed = vi.spyOn(ToolHost.prototype, 'close');
    undo.push(() => Promise.resolve(vi.restoreAllMocks()));
    const add = tool('add', 'Adds', {}, () => '1');
    const fail = tool('fail', 'Fails', {}, () => Promise.reject(new Error('no')));
    const { bridge, service } = await serve({ one: createSdkMcpServer({ name: 'one', tools: [add, fail] }) });
    const own = new Set(asked.mock.contexts);
    expect(own.size).toBe(1);
    for (const client of [await connect(service), await connectOld(service)]) {
      await Promise.all(
        ['add', 'fail', 'none', 'add'].map((name) => client.callTool({ name }).catch(() => {})),
      );
      await (client.transport as { terminateSession?: () => Promise<void> }).terminateSession?.();
      await client.close();
    }
    expect(await post(service.url, {}, say('tools/list')), 'without a handshake').toBe(400);
    await vi.waitFor(() => expect(bridge.clientCount).toBe(0), { timeout: 15_000 });
    const hosts = new Set(asked.mock.contexts);
    expect(hosts.size).toBeGreaterThan(6);
    const left = [...hosts].filter((host) => !new Set(closed.mock.contexts).has(host));
    expect(new Set(left)).toEqual(own);
  });
});

describe('a request that cannot be right', () => {
  /** Sends bytes as they are; the status of the answer. */
  function sendRaw(url: string, bytes: string): Promise<number> {
    const { port } = new URL(url);
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
        if (status !== undefined) {
          resolve(Number(status));
          socket.destroy();
        }
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error(`no answer: ${text}`)));
    });
  }
  const LOCAL = 'Host: localhost';
  const TOKEN = 'Authorization: Bearer t';
  const head = (line: string, ...headers: string[]): string => [line, ...headers, '', ''].join('\r\n');

  it.each([
    ['a path of two slashes', head('GET //evil/mcp HTTP/1.1', LOCAL, TOKEN), 404],
    ['an address that is none', head('GET http://[ HTTP/1.1', LOCAL, TOKEN), 400],
    ['only slashes', head('POST // HTTP/1.1', LOCAL, TOKEN, 'Content-Length: 0'), 404],
    ['a method the web forbids', head('TRACE /mcp HTTP/1.1', LOCAL, TOKEN), 400],
    ['an odd method', head('PROPFIND /mcp HTTP/1.1', LOCAL, TOKEN), 405],
    ['an empty body', head('POST /mcp HTTP/1.1', LOCAL, TOKEN, 'Content-Length: 0'), 406],
    ['no host', head('GET /mcp HTTP/1.1', TOKEN), 400],
    ['a host that is none', head('GET /mcp HTTP/1.1', 'Host: a b\x01[', TOKEN), 400],
    ['no token', head('TRACE // HTTP/1.1', LOCAL), 401],
    ['no token and an address that is none', head('GET http://[ HTTP/1.1', LOCAL), 401],
    ['a foreign host and an address that is none', head('TRACE http://[ HTTP/1.1', 'Host: evil.com'), 403],
    ['a foreign origin and a bad method', head('TRACE // HTTP/1.1', LOCAL, 'Origin: http://evil.com'), 403],
    ['an origin that is none', head('GET // HTTP/1.1', LOCAL, 'Origin: \xff\xfe'), 403],
    ['a token of other characters', head('GET /mcp HTTP/1.1', LOCAL, 'Authorization: Bearer \xe9'), 401],
  ])('is refused by its fault: %s', async (_what, bytes, status) => {
    const { service, errors } = await serve({ one: createSdkMcpServer({ name: 'one' }) }, { token: 't' });
    expect(await sendRaw(service.url, bytes)).toBe(status);
    expect(errors).toEqual([]);
  });

  it.each([
    '',
    'null',
    '5',
    '"x"',
    '[]',
    '{}',
    '{"jsonrpc":"2.0"}',
    '[null]',
    '{',
    '\0',
    '[['.repeat(50_000),
  ])('is refused for its body %#', async (body) => {
    const { service, errors } = await serve({ one: createSdkMcpServer({ name: 'one' }) });
    const status = (await post(service.url, {}, body)) ?? 0;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await post(service.url, {}, INITIALIZE), 'and the next is answered').toBe(200);
    expect(errors.filter(({ message }) => message.includes('Internal'))).toEqual([]);
  });

  it('is worked on alone: a client that sends ahead and reads nothing is cut off', async () => {
    const answered = vi.spyOn(HttpSessions.prototype, 'answer');
    undo.push(() => Promise.resolve(vi.restoreAllMocks()));
    const { service } = await serve({ one: createSdkMcpServer({ name: 'one' }) });
    const socket = connectSocket(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    });
    const headers = [
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
    ];
    socket.write((head('POST /mcp HTTP/1.1', LOCAL, ...headers) + body).repeat(400));
    await closed;
    expect(answered.mock.calls.length).toBeLessThanOrEqual(1);
  });

  it('is reported in one line', async () => {
    const lines: string[] = [];
    const { service } = await serve(
      { one: createSdkMcpServer({ name: 'one' }) },
      { token: 't', onRefused: (line) => lines.push(line) },
    );
    await post(service.url, {}, INITIALIZE);
    await post(service.url, { host: 'evil.com' }, INITIALIZE);
    await post(service.url.replace('/mcp', '/else%1b[2J'), { authorization: 'Bearer t' });
    await post(service.url, { authorization: 'Bearer t' }, INITIALIZE);
    expect(lines).toEqual([
      'POST /mcp from 127.0.0.1 -> refused 401 Unauthorized',
      'POST /mcp from 127.0.0.1 -> refused 403 Forbidden',
      'POST /else%1b[2J from 127.0.0.1 -> refused 404 Not Found',
    ]);
  });
});

describe('serving on standard input', () => {
  it('answers a message that is too long with an error, and goes on', async () => {
    const echo = tool('echo', 'Echoes', { text: 'string' }, ({ text }) => String(text.length));
    const mcp = library as unknown as McpLibrary;
    const servers = { one: createSdkMcpServer({ name: 'one', tools: [echo] }) };
    const bridge = await Bridge.open({ servers, library: mcp, onWarning: () => {} });
    undo.push(() => bridge.close());
    const terminal = createFakeTerminal();
    const output = new PassThrough();
    let written = '';
    output.setEncoding('utf8').on('data', (text: string) => (written += text));
    const replies = () =>
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number; message: string } });
    const served = serveStdio(bridge, { terminal, output, stdio: stdio as unknown as McpStdio });
    const call = (id: number, length: number): string =>
      `${JSON.stringify({ method: 'tools/call', params: { name: 'echo', arguments: { text: 'x'.repeat(length) } }, jsonrpc: '2.0', id })}\n`;
    const MiB = 1024 * 1024;
    terminal.stdin.write(`${INITIALIZE}\n`);
    terminal.stdin.write(call(1, 5 * MiB));
    terminal.stdin.write(call(2, 11 * MiB));
    terminal.stdin.write('garbage\n');
    terminal.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { x: 'x'.repeat(11 * MiB) } })}\n`,
    );
    terminal.stdin.write(`${'x'.repeat(11 * MiB)}\n`);
    terminal.stdin.write(call(3, 1));
    await vi.waitFor(() => expect(replies().map(({ id }) => id)).toContain(3), { timeout: 15_000 });
    const byId = (id: unknown) => replies().filter((reply) => reply.id === id);
    expect(byId(1)).toMatchObject([{ result: { content: [{ text: String(5 * MiB) }] } }]);
    expect(byId(2)).toMatchObject([
      {
        error: {
          code: -32600,
          message: expect.stringMatching(/has \d+ bytes, and this server takes at most 10485760/) as unknown,
        },
      },
    ]);
    expect(byId(3)).toMatchObject([{ result: { content: [{ text: '1' }] } }]);
    // What cannot be read has no id; the notification is not answered.
    expect(byId(null).length).toBe(1);
    expect(terminal.written().stderr.match(/left out/g)).toHaveLength(3);
    terminal.stdin.end();
    await served;
  });
});
