import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, SchemaError, SessionClosedError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { HandlerExtra } from '../../../src/answer/mcp/tool/handler-extra.js';
import { openSession, settle, textOf, type Harness } from './session-harness.js';

const CHANGED = { method: 'notifications/tools/list_changed', jsonrpc: '2.0' };

async function listNames({ ask }: Harness): Promise<unknown> {
  const { result } = await ask('tools/list');
  return result?.tools?.map(({ name }) => name);
}

/** A server with one tool, and a session the CLI of which knows it. */
function running() {
  const server = createSdkMcpServer({ name: 's', tools: [tool('first', '', {}, () => 'first')] });
  const harness = openSession({ s: server });
  void harness.session.manifests('2.1.325');
  return { instance: server.instance, server, harness };
}

describe('tools at run time', () => {
  it('can be added: callable at once, told once per turn to every session that knows the server', async () => {
    const { instance, server, harness } = running();
    const other = openSession({ s: server });
    void other.session.manifests('2.1.325');
    const unaware = openSession({ s: server });
    instance.registerTool('second', { inputSchema: { n: 'number' } }, ({ n }) => n * 2);
    instance.registerTool('third', { description: 'no schema' }, (extra) => extra.tool);
    expect(textOf(await harness.call('second', { n: 4 }))).toBe('8');
    expect(textOf(await harness.call('third'))).toBe('third');
    await settle();
    expect(harness.sent).toEqual([{ server: 's', message: CHANGED }]);
    expect(other.sent).toEqual([{ server: 's', message: CHANGED }]);
    expect(unaware.sent).toEqual([]);
    expect(await listNames(harness)).toEqual(['first', 'second', 'third']);
  });

  it('can be changed, disabled and removed', async () => {
    const { instance, harness } = running();
    const handle = instance.registerTool('t', { inputSchema: { n: 'number' } }, ({ n }) => n);
    handle.update({
      description: 'new',
      paramsSchema: { word: 'string' },
      callback: ({ word }: { word: string }) => word,
    });
    expect(textOf(await harness.call('t', { word: 'w' }))).toBe('w');
    handle.update({ name: 'renamed' });
    expect(await listNames(harness)).toEqual(['first', 'renamed']);
    handle.disable();
    expect(handle.enabled).toBe(false);
    expect(await listNames(harness)).toEqual(['first']);
    expect(textOf(await harness.call('renamed', { word: 'w' }))).toContain('disabled');
    handle.enable();
    expect(await listNames(harness)).toEqual(['first', 'renamed']);
    handle.remove();
    handle.remove();
    handle.enable();
    handle.update({ description: 'of something gone' });
    expect(await listNames(harness)).toEqual(['first']);
    expect(instance.removeTool('first')).toBe(true);
    expect(instance.removeTool('first')).toBe(false);
    await settle();
    expect(harness.sent.length).toBeGreaterThan(0);
    expect(harness.sent.every(({ message }) => message.method === CHANGED.method)).toBe(true);
  });

  it('concern no session that is over', async () => {
    const { instance, harness } = running();
    harness.session.close(new SessionClosedError());
    expect(instance.isConnected()).toBe(false);
    instance.registerTool('late', {}, () => '');
    await settle();
    expect(harness.sent).toEqual([]);
  });

  it('are checked when they are added', () => {
    const { instance } = running();
    expect(() => instance.registerTool('first', {}, () => '')).toThrow(InvalidOptionsError);
    expect(() => instance.registerTool('bad', { inputSchema: { d: z.date() } }, () => '')).toThrow(
      SchemaError,
    );
    const handle = instance.registerTool('ok', {}, () => '');
    expect(() => handle.update({ name: 'first' })).toThrow(InvalidOptionsError);
  });

  it('have inferred arguments', () => {
    const { instance } = running();
    instance.registerTool('typed', { inputSchema: { a: z.string() } }, (args, extra) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string }>();
      expectTypeOf(extra).toEqualTypeOf<HandlerExtra>();
    });
  });

  it('can be added in the older form', async () => {
    const { instance, harness } = running();
    instance.tool('a', () => 'a');
    instance.tool('b', 'described', () => 'b');
    instance.tool('c', { n: z.number() }, ({ n }: { n: number }) => n);
    instance.tool('d', 'described', { n: z.number() }, { readOnlyHint: true }, ({ n }: { n: number }) => n);
    instance.tool('e', 'described', { readOnlyHint: true }, (extra: HandlerExtra) => extra.tool);
    expect(() => instance.tool('f', 'no handler')).toThrow(InvalidOptionsError);
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => harness.call(name, 'cd'.includes(name) ? { n: 1 } : {})),
    );
    expect(replies.map(textOf)).toEqual(['a', 'b', '1', '1', 'e']);
    const { result } = await harness.ask('tools/list');
    const tools = result?.['tools'] as { description: string; annotations?: unknown }[];
    expect(tools.slice(1).map(({ description, annotations }) => [description, annotations])).toEqual([
      ['', undefined],
      ['described', undefined],
      ['', undefined],
      ['described', { readOnlyHint: true }],
      ['described', { readOnlyHint: true }],
    ]);
  });

  it('warn when the CLI was told there are none, unless that was foreseen', async () => {
    const [bare, foreseen] = [false, true].map((toolsMayChange) =>
      createSdkMcpServer({ name: 's', toolsMayChange }),
    );
    for (const [server, expected] of [
      [bare, ['TOOLS_NOT_ANNOUNCED']],
      [foreseen, []],
    ] as const) {
      const { session, warnings, sent } = openSession({ s: server as never });
      void session.manifests('2.1.325');
      server?.instance.registerTool('late', {}, () => '');
      await settle();
      expect(warnings.map(({ code }) => code)).toEqual(expected);
      expect(sent.map(({ message }) => message)).toEqual([CHANGED]);
    }
  });

  it('can be announced by hand, and notifications go to all', async () => {
    const { instance, harness } = running();
    instance.sendToolListChanged();
    await instance.server.sendToolListChanged();
    await instance.server.notification({ method: 'notifications/custom', params: { a: 1 } });
    await settle();
    expect(harness.sent.map(({ message }) => String(message.method)).toSorted()).toEqual([
      'notifications/custom',
      'notifications/tools/list_changed',
    ]);
    await harness.ask('initialize', { capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' } });
    expect(instance.server.getClientVersion()).toEqual({ name: 'c', version: '1' });
    expect(instance.server.getClientCapabilities()).toEqual({ roots: {} });
  });
});

describe('resources', () => {
  const withResources = () => {
    const server = createSdkMcpServer({
      name: 's',
      context: { who: 'server' },
      resources: [{ name: 'config', uri: 'app://config', mimeType: 'text/plain', read: () => 'text' }],
    });
    const { instance } = server;
    instance.registerResource('data', 'app://data', {}, () => ({ a: 1 }));
    instance.registerResource('bytes', 'app://bytes', {}, () => Buffer.from('%PDF-1'));
    instance.resource('full', 'app://full', (uri: URL) => ({ contents: [{ uri: uri.href, text: 'own' }] }));
    instance.resource(
      'user',
      'app://users/{id}',
      { title: 'User' },
      (_uri: URL, { id }: { id: string }, extra: { context: { who: string } }) =>
        `user ${id} for ${extra.context.who}`,
    );
    instance.registerResource(
      'path',
      'app://files/{+path}',
      {},
      (_uri: URL, { path }: { path: string }) => path,
    );
    instance.registerResource(
      'sdk',
      new ResourceTemplate('app://v1/{name}', { list: undefined }),
      {},
      (_uri: URL, { name }: { name: string }) => name,
    );
    instance.registerResource('broken', 'app://broken', {}, () => {
      throw new Error('disk');
    });
    return { server, instance };
  };

  it('are declared, listed and read', async () => {
    const { server } = withResources();
    const { ask } = openSession({ s: server });
    expect((await ask('initialize')).result?.['capabilities']).toEqual({
      resources: { subscribe: true, listChanged: true },
      completions: {},
    });
    const listed = (await ask('resources/list')).result?.['resources'] as Record<string, unknown>[];
    expect(listed.map(({ uri }) => uri)).toEqual([
      'app://config',
      'app://data',
      'app://bytes',
      'app://full',
      'app://broken',
    ]);
    expect(listed[0]).toEqual({ uri: 'app://config', name: 'config', mimeType: 'text/plain' });
    expect((await ask('resources/templates/list')).result?.['resourceTemplates']).toEqual([
      { uriTemplate: 'app://users/{id}', name: 'user', title: 'User' },
      { uriTemplate: 'app://files/{+path}', name: 'path' },
      { uriTemplate: 'app://v1/{name}', name: 'sdk' },
    ]);
    const read = async (uri: string) => {
      const reply = await ask('resources/read', { uri });
      return (reply.result?.['contents'] as unknown[] | undefined)?.[0] ?? reply.error;
    };
    expect(await read('app://config')).toEqual({ uri: 'app://config', mimeType: 'text/plain', text: 'text' });
    expect(await read('app://data')).toEqual({
      uri: 'app://data',
      mimeType: 'application/json',
      text: '{"a":1}',
    });
    expect(await read('app://bytes')).toEqual({
      uri: 'app://bytes',
      mimeType: 'application/pdf',
      blob: Buffer.from('%PDF-1').toString('base64'),
    });
    expect(await read('app://full')).toEqual({ uri: 'app://full', text: 'own' });
    expect(await read('app://users/a%20b')).toMatchObject({ text: 'user a b for server' });
    expect(await read('app://files/x/y.txt')).toMatchObject({ text: 'x/y.txt' });
    expect(await read('app://v1/n')).toMatchObject({ text: 'n' });
    expect(await read('app://broken')).toMatchObject({
      code: -32603,
      message: expect.stringContaining('disk'),
    });
    expect(await read('app://users/1/2')).toMatchObject({ code: -32002 });
    expect((await ask('resources/read', {})).error?.code).toBe(-32602);
    expect((await ask('resources/subscribe', {})).error?.code).toBe(-32602);
    expect((await ask('resources/invent', {})).error?.code).toBe(-32601);
  });

  it('can be hidden and removed, which is told', async () => {
    const { server, instance } = withResources();
    const { ask, session, sent } = openSession({ s: server });
    void session.manifests('2.1.325');
    const handle = instance.registerResource('late', 'app://late', {}, () => 'late');
    handle.disable();
    expect((await ask('resources/read', { uri: 'app://late' })).error?.code).toBe(-32002);
    handle.enable();
    expect((await ask('resources/read', { uri: 'app://late' })).result).toBeDefined();
    handle.remove();
    instance.sendResourceListChanged();
    await settle();
    expect(sent.every(({ message }) => message.method === 'notifications/resources/list_changed')).toBe(true);
    expect(sent.length).toBeGreaterThan(0);
    expect(() => instance.registerResource('again', 'app://config', {}, () => '')).toThrow(
      InvalidOptionsError,
    );
  });
});

describe('a server of thousands of tools', () => {
  it('is made and listed in a time that grows with their number, not with its square', () => {
    // Of the processor, not of the clock: a busy machine counts for nothing.
    const time = (count: number): number => {
      const shapes = Array.from({ length: count }, () => ({ city: z.string(), days: z.number().optional() }));
      const start = process.cpuUsage();
      const tools = shapes.map((shape, index) => tool(`tool_${index}`, '', shape, () => ''));
      const harness = openSession({ s: createSdkMcpServer({ name: 's', tools }) });
      void harness.session.manifests('2.1.325');
      return process.cpuUsage(start).user;
    };
    const least = (count: number): number => Math.min(...[1, 2, 3].map(() => time(count)));
    least(500);
    // Measured: 11 to 14. A square would be 64.
    expect(least(4000) / least(500)).toBeLessThan(32);
  });
});

describe('on a transport of the MCP SDK', () => {
  it('serves its client beside queries: list, call, progress, errors, changes, the end', async () => {
    const { instance, harness } = running();
    instance.registerTool('work', { inputSchema: { n: 'number' } }, ({ n }, { progress }) => {
      progress({ progress: 1, total: 2 });
      return n;
    });
    instance.registerTool('fails', {}, () => {
      throw new Error('no');
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'c', version: '1' });
    const changes: unknown[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, (message) => {
      changes.push(message);
    });
    await instance.connect(far);
    await client.connect(near);
    expect(instance.isConnected()).toBe(true);
    expect(client.getServerVersion()).toMatchObject({ name: 's', version: '1.0.0' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['first', 'work', 'fails']);
    const updates: unknown[] = [];
    const result = await client.callTool({ name: 'work', arguments: { n: 5 } }, undefined, {
      onprogress: (update) => updates.push(update),
    });
    expect(result['content']).toEqual([{ type: 'text', text: '5' }]);
    expect(updates).toEqual([{ progress: 1, total: 2 }]);
    expect((await client.callTool({ name: 'fails' }))['isError']).toBe(true);
    await client.ping();
    await expect(client.listPrompts()).rejects.toThrow();
    instance.registerTool('late', {}, () => '');
    while (changes.length === 0) await Promise.resolve();
    expect(textOf(await harness.call('first'))).toBe('first');
    await instance.close();
    expect(textOf(await harness.call('first'))).toBe('first');
    await expect(client.listTools()).rejects.toThrow();
  });

  it('aborts the handlers of a client that goes', async () => {
    const { instance } = running();
    const signals: AbortSignal[] = [];
    instance.registerTool('hold', {}, ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'c', version: '1' });
    await Promise.all([instance.connect(far), client.connect(near)]);
    const call = client.callTool({ name: 'hold' }).catch((error: Error) => error);
    while (signals.length === 0) await Promise.resolve();
    await client.close();
    expect(signals[0]?.aborted).toBe(true);
    expect(await call).toBeInstanceOf(Error);
  });
});
