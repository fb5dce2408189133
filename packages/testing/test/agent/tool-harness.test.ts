// Tools on the bench: what a user's unit test of a tool sees.
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServer2 } from '@modelcontextprotocol/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, SessionClosedError } from '@inboard/core/errors.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import type { HandlerExtra } from '@inboard/core/answer/mcp/tool/handler-extra.js';
import {
  callTool,
  createToolHarness,
  type HarnessTarget,
  type ToolHarness,
} from '../../src/agent/tool-harness.js';

const add = tool('add', 'Adds', { a: z.number(), b: z.number().default(1) }, ({ a, b }) => ({ sum: a + b }));

describe('callTool', () => {
  it('validates, runs and returns what the model gets', async () => {
    expect(await callTool(add, { a: 1 })).toMatchObject({
      ok: true,
      text: '{"sum":2}',
      result: { content: [{ type: 'text' }] },
      events: [{ type: 'start', input: { a: 1 } }, { type: 'end' }],
    });
    const bad = await callTool(add, { a: 'one' } as never);
    expect(bad).toMatchObject({ ok: false, events: [{ type: 'start' }, { type: 'error' }] });
    expect(bad.text).toContain('a');
  });

  it('knows the arguments', () => {
    // @ts-expect-error -- `a` is missing
    expectTypeOf(() => callTool(add, { b: 1 })).toBeFunction();
  });

  it('passes the context of a session to the handler', async () => {
    let seen: HandlerExtra | undefined;
    const spy = tool('spy', 'Looks', {}, (_args, extra) => {
      seen = extra;
      extra.progress({ progress: 1, total: 2, message: 'half' });
      return 'ok';
    });
    const options = {
      name: 'bench',
      context: { user: 'Ada' },
      sessionId: 's1',
      toolUseId: 't1',
      agentId: 'a1',
    };
    const { progress, text } = await callTool(spy, {}, options);
    expect(text).toBe('ok');
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    expect(seen).toMatchObject({
      server: 'bench',
      tool: 'spy',
      context: { user: 'Ada' },
      sessionId: 's1',
      toolUseId: 't1',
      agentId: 'a1',
    });
  });

  it('keeps the limits of the tool', async () => {
    const slow = tool({
      name: 'slow',
      timeoutMs: 5,
      run: (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late'))),
    });
    const outcome = await callTool(slow, {});
    expect(outcome).toMatchObject({ ok: false });
    expect(outcome.text).toContain('5 ms');
  });

  it('cancels a call whose signal fires', async () => {
    const abort = new AbortController();
    const patient = tool('patient', 'Waits', {}, (_args, { signal }) => {
      setImmediate(() => abort.abort(new Error('enough')));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    const outcome = await callTool(patient, {}, { signal: abort.signal });
    expect(outcome).toMatchObject({ ok: false, events: [{ type: 'start' }, { type: 'cancelled' }] });
    expect(outcome.text).toContain('enough');
    await expect(callTool(patient, {}, { signal: abort.signal })).rejects.toThrow('enough');
  });
});

describe('a harness', () => {
  const twice = { name: 'twice', inputSchema: { n: z.number() }, run: ({ n }: { n: number }) => n * 2 };
  const first = new McpServer1({ name: 'one', version: '1.0.0' });
  first.registerTool('twice', { inputSchema: { n: z.number() } }, ({ n }) => ({
    content: [{ type: 'text', text: String(n * 2) }],
  }));
  const second = new McpServer2({ name: 'two', version: '1.0.0' });
  second.registerTool('twice', { inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
    content: [{ type: 'text', text: String(n * 2) }],
  }));
  const targets: [string, HarnessTarget][] = [
    ['one tool', twice],
    ['a list of tools', [add, twice]],
    ['a server of ours', createSdkMcpServer({ name: 'ours', tools: [add, twice] })],
    ['its instance', createSdkMcpServer({ name: 'ours', tools: [twice] }).instance],
    ['a server of the MCP SDK, version 1', first],
    ['a server of the MCP SDK, version 2', { type: 'sdk', name: 'v2', instance: second }],
  ];

  it.each(targets)('takes %s', async (_what, target) => {
    await using harness = createToolHarness(target);
    const listed = await harness.listTools();
    expect(listed.find(({ name }) => name === 'twice')?.inputSchema).toMatchObject({
      properties: { n: { type: 'number' } },
    });
    expect(await harness.call('twice', { n: 4 })).toMatchObject({ ok: true, text: '8' });
    expect((await harness.call('twice', { n: 'four' })).ok).toBe(false);
  });

  it('takes nothing else', () => {
    for (const target of [{}, { command: 'x' }, { type: 'http', url: 'x' }, 7, undefined, null])
      expect(() => createToolHarness(target as never)).toThrow(InvalidOptionsError);
  });

  it('lists all pages, and says what is near an unknown name', async () => {
    const server = createSdkMcpServer({ name: 'paged', pageSize: 1, tools: [add, twice] });
    await using harness = createToolHarness(server);
    expect((await harness.listTools()).map(({ name }) => name)).toEqual(['add', 'twice']);
    const missing = await harness.call('twise', {});
    expect(missing.ok).toBe(false);
    expect(missing.text).toContain('did you mean "twice"');
  });

  it('takes raw messages', async () => {
    const harness = createToolHarness(add);
    expect(await harness.rpc({ jsonrpc: '2.0', id: 'x', method: 'ping' })).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: {},
    });
    expect(await harness.rpc({ jsonrpc: '2.0', id: 1, method: 'nope' })).toMatchObject({
      error: { code: -32601 },
    });
    expect(await harness.rpc({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    await harness.close();
    await expect(harness.call('add', { a: 1 })).rejects.toBeInstanceOf(SessionClosedError);
  });

  it('collects what the server sends unasked', async () => {
    const server = createSdkMcpServer({ name: 'chatty', tools: [add], toolsMayChange: true });
    await using harness = createToolHarness(server);
    await harness.listTools();
    server.instance.registerTool('more', {}, () => 'x');
    await Promise.resolve();
    expect(harness.notifications).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }]);
    expect(await harness.call('more')).toMatchObject({ text: 'x' });
  });
});

describe('what the compiler knows of a harness', () => {
  const plain = tool('plain', '', { n: 'number' }, ({ n }) => n);
  const user = tool('user', '', (_args, { context }: HandlerExtra<{ user: string }>) => context.user);
  const place = tool({
    name: 'place',
    run: (_args, { context }: HandlerExtra<{ city: string }>) => context.city,
  });
  const context = { user: 'Ann', city: 'Oslo' };

  it('refuses names of tools that are not there', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [plain, user] });
    const open = createSdkMcpServer({ name: 's', tools: [plain], toolsMayChange: true });
    const wrong: string = 'plane';
    const known = [createToolHarness(server), createToolHarness([plain, user])];
    // @ts-expect-error -- there is no such tool
    for (const harness of known) expect((await harness.call('plane', { n: 1 })).ok).toBe(false);
    for (const harness of known) expect((await harness.call('plain', { n: 1 })).text).toBe('1');
    for (const harness of known) expect((await harness.call(wrong)).ok).toBe(false);
    // @ts-expect-error -- nor here
    expect((await createToolHarness(plain).call('user')).ok).toBe(false);
    expect((await createToolHarness(open).call('user')).ok).toBe(false);
    expect((await createToolHarness(server.instance).call('other')).ok).toBe(false);
    const anyHarness: ToolHarness[] = known;
    expect(anyHarness).toHaveLength(2);
  });

  it('refuses a context that the handlers did not ask for', async () => {
    expect((await callTool(user, {}, { context })).text).toBe('Ann');
    expect((await createToolHarness([user, place], { context }).call('place')).text).toBe('Oslo');
    expect((await callTool(plain, { n: 1 }, { context: 3 })).text).toBe('1');
    // @ts-expect-error -- the user is a text
    await callTool(user, {}, { context: { user: 3 } });
    // @ts-expect-error -- one of the tools asks for a city too
    createToolHarness([user, place], { context: { user: 'Ann' } });
  });
});
