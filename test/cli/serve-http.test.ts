// Tools served over HTTP, to clients of both official libraries and to those who should not be let in.
import { Client } from '@modelcontextprotocol/client';
import * as library from '@modelcontextprotocol/server';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Bridge } from '../../src/cli/serve/bridge.js';
import type { McpLibrary } from '../../src/cli/serve/mcp-library.js';
import { serveHttp, type HttpOptions, type HttpService } from '../../src/cli/serve/serve-http.js';
import type { FoundServers } from '../../src/cli/tools-file/find-servers.js';
import { createSdkMcpServer, mcpPrompt, mcpResource, tool } from '../../src/doors/index.js';
import { createDeferred } from '../../src/util/deferred.js';

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
    await expect(bridge.replace({ a: make('a', 'two'), b: make('b', 'two') })).rejects.toThrow(/both have/);
    expect(await list()).toEqual([['one'], ['one']]);
    await bridge.replace({ b: make('b', 'two', 'three') });
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
