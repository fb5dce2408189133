import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ToolServerNotFoundError, WireError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { openSession, textOf } from './session-harness.js';

const ACK = { jsonrpc: '2.0', result: {}, id: 0 };

function demo() {
  return createSdkMcpServer({
    name: 'inner',
    version: '9.9.9',
    instructions: 'INS',
    tools: [
      tool('greet', 'Greet', { name: z.string() }, ({ name }) => `Hello ${name}`, {
        annotations: { readOnlyHint: true, title: 'Greet' },
      }),
      tool('defaults', 'D', { n: z.number().default(5), o: z.string().optional() }, (args) => args),
      tool('empty', 'E', {}, () => 'none needed'),
      tool('throws', 'T', {}, () => {
        throw new Error('handler boom');
      }),
      tool('structured', 'S', {}, () => ({
        content: [{ type: 'text', text: 'x' }],
        structuredContent: { a: 1 },
        _meta: { k: 'v' },
      })),
    ],
  });
}

const initialize = (id: unknown, protocolVersion?: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'cli', version: '1' } },
});

describe('the handshake', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'agrees on the known version %s',
    async (version) => {
      const { put } = openSession({ demo: demo() });
      expect(await put(initialize(0, version))).toEqual({
        result: {
          protocolVersion: version,
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'inner', version: '9.9.9' },
          instructions: 'INS',
        },
        jsonrpc: '2.0',
        id: 0,
      });
    },
  );

  it('may be repeated, and falls back to the newest version for an unknown or missing one', async () => {
    const { put } = openSession({ demo: demo() });
    for (const message of [
      initialize('two', '1999-01-01'),
      initialize('three'),
      { id: 4, method: 'initialize' },
    ]) {
      expect((await put(message)).result?.['protocolVersion']).toBe('2025-11-25');
    }
  });

  it('names no tools where there are none', async () => {
    const { put } = openSession({ demo: createSdkMcpServer({ name: 'bare' }) });
    expect((await put(initialize(1, '2025-11-25'))).result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'bare', version: '1.0.0' },
    });
  });
});

describe('messages without an answer of their own', () => {
  const messages: [string, unknown][] = [
    ['notifications/initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/whatever', params: {} }],
    ['a request method without id', { jsonrpc: '2.0', method: 'tools/list' }],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['an empty object', {}],
    ['a response nobody waits for', { jsonrpc: '2.0', id: 7, result: {} }],
    ['an error response nobody waits for', { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'm' } }],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['an empty batch', []],
  ];
  it.each(messages)('%s is acknowledged with the id-0 placeholder', async (_, message) => {
    const { put } = openSession({ demo: demo() });
    const reply = await put(message);
    expect(reply).toEqual(ACK);
    expect(Object.keys(reply)).toEqual(['jsonrpc', 'result', 'id']);
  });

  it('a tools/call without id, or inside a batch, is not run; a batch is reported', async () => {
    let runs = 0;
    const server = createSdkMcpServer({ name: 's', tools: [tool('count', '', {}, () => (runs += 1))] });
    const { put, warnings } = openSession({ s: server });
    const params = { name: 'count', arguments: {} };
    expect(await put({ jsonrpc: '2.0', method: 'tools/call', params })).toEqual(ACK);
    expect(await put([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }])).toEqual(ACK);
    expect(runs).toBe(0);
    expect(warnings.map(({ code }) => code)).toEqual(['BATCH_IGNORED']);
  });
});

describe('tools/list', () => {
  it('lists all tools with what was said of them, whatever the cursor', async () => {
    const { ask } = openSession({ demo: demo() });
    const list = (await ask('tools/list', { cursor: 'zzz' })).result?.['tools'] as Record<string, unknown>[];
    expect(list.map(({ name }) => name)).toEqual(['greet', 'defaults', 'empty', 'throws', 'structured']);
    expect(list[0]).toEqual({
      name: 'greet',
      description: 'Greet',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
      annotations: { readOnlyHint: true, title: 'Greet' },
      execution: { taskSupport: 'forbidden' },
    });
  });

  it('gives pages to whoever set a page size, and refuses cursors it never gave', async () => {
    const tools = Array.from({ length: 7 }, (_, index) => tool(`t${index}`, '', {}, () => index));
    const { ask } = openSession({ s: createSdkMcpServer({ name: 's', tools, pageSize: 3 }) });
    const names: unknown[] = [];
    let cursor: unknown;
    let pages = 0;
    do {
      const { result } = await ask('tools/list', cursor === undefined ? undefined : { cursor });
      names.push(...(result?.tools ?? []).map(({ name }) => name));
      cursor = result?.['nextCursor'];
      pages += 1;
    } while (cursor !== undefined);
    expect(names).toEqual(tools.map(({ name }) => name));
    expect(pages).toBe(3);
    expect((await ask('tools/list', { cursor: 'bogus' })).error?.code).toBe(-32602);
  });
});

describe('tools/call', () => {
  it('answers with result, jsonrpc, id in that order', async () => {
    const { put } = openSession({ demo: demo() });
    const reply = await put({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'greet', arguments: { name: 'A' }, _meta: { progressToken: 2 } },
    });
    expect(reply).toEqual({
      result: { content: [{ type: 'text', text: 'Hello A' }] },
      jsonrpc: '2.0',
      id: 2,
    });
    expect(Object.keys(reply)).toEqual(['result', 'jsonrpc', 'id']);
  });

  it('strips unknown arguments and applies defaults', async () => {
    const { call } = openSession({ demo: demo() });
    expect(JSON.parse(textOf(await call('defaults', { extra: 1 })))).toEqual({ n: 5 });
  });

  it('passes structuredContent and _meta through', async () => {
    const { call } = openSession({ demo: demo() });
    expect((await call('structured')).result).toEqual({
      content: [{ type: 'text', text: 'x' }],
      structuredContent: { a: 1 },
      _meta: { k: 'v' },
    });
  });

  it('turns a throw into an isError result with the message alone', async () => {
    const { call } = openSession({ demo: demo() });
    expect((await call('throws')).result).toEqual({
      content: [{ type: 'text', text: 'handler boom' }],
      isError: true,
    });
  });

  it('answers an unknown tool with an isError result that names it and its neighbour', async () => {
    const { call } = openSession({ demo: demo() });
    const reply = await call('gret');
    expect(reply.result?.isError).toBe(true);
    expect(textOf(reply)).toContain('"gret"');
    expect(textOf(reply)).toContain('did you mean "greet"');
  });

  it('answers bad and missing arguments with an isError result naming tool and field', async () => {
    const { call } = openSession({ demo: demo() });
    for (const args of [{ name: 5 }, {}]) {
      const reply = await call('greet', args);
      expect(reply.result?.isError).toBe(true);
      expect(textOf(reply)).toMatch(/"greet"[^]*name: /);
    }
  });

  it('takes absent arguments as none', async () => {
    const { ask } = openSession({ demo: demo() });
    expect(textOf(await ask('tools/call', { name: 'empty' }))).toBe('none needed');
    expect((await ask('tools/call', { name: 'greet' })).result?.isError).toBe(true);
  });

  it.each([undefined, {}, { name: 5 }, 'greet', [1]])('refuses params %j with -32602', async (params) => {
    const { ask } = openSession({ demo: demo() });
    const reply = await ask('tools/call', params);
    expect(reply.error?.code).toBe(-32602);
    expect(Object.keys(reply)).toEqual(['jsonrpc', 'id', 'error']);
  });
});

describe('other methods', () => {
  it.each([
    'nope',
    'resources/list',
    'resources/read',
    'prompts/list',
    'logging/setLevel',
    'completion/complete',
    'toString',
    '',
  ])('refuses %s with -32601', async (method) => {
    const { ask } = openSession({ demo: demo() });
    expect((await ask(method, {})).error?.code).toBe(-32601);
  });

  it('answers ping', async () => {
    const { put } = openSession({ demo: demo() });
    expect(await put({ jsonrpc: '2.0', id: 18, method: 'ping' })).toEqual({
      result: {},
      jsonrpc: '2.0',
      id: 18,
    });
  });
});

describe('ids and envelopes', () => {
  it.each(['str', '', 0, -5, 1.5, 2 ** 53])('echoes the id %j', async (id) => {
    const { put } = openSession({ demo: demo() });
    expect((await put({ jsonrpc: '2.0', id, method: 'ping' })).id).toBe(id);
    const params = { name: 'greet', arguments: { name: 'A' } };
    expect((await put({ jsonrpc: '2.0', id, method: 'tools/call', params })).id).toBe(id);
  });

  it('does not mind a missing jsonrpc', async () => {
    const { put } = openSession({ demo: demo() });
    expect(await put({ id: 3, method: 'ping' })).toEqual({ result: {}, jsonrpc: '2.0', id: 3 });
  });

  it.each([{ id: {}, method: 'ping' }, { id: true, method: 'ping' }, { id: 1 }, { id: 1, method: 5 }])(
    'refuses the malformed request %j with -32600',
    async (message) => {
      const { put } = openSession({ demo: demo() });
      expect((await put(message)).error?.code).toBe(-32600);
    },
  );

  it.each([null, 'hello', 5, true, undefined])('throws for %j, which is no message', async (message) => {
    const { put } = openSession({ demo: demo() });
    await expect(put(message)).rejects.toThrow(WireError);
  });

  it('throws for a server it does not have, its inner name included', async () => {
    const { put } = openSession({ demo: demo() });
    for (const server of ['nosuch', 'inner', 'toString', '__proto__']) {
      const failed = put({ jsonrpc: '2.0', id: 1, method: 'ping' }, { server });
      await expect(failed).rejects.toThrow(ToolServerNotFoundError);
      await expect(failed).rejects.toThrow(`no in-process MCP server named "${server}"`);
    }
  });
});

describe('many at once', () => {
  it('runs calls concurrently and answers each on its own, in the order they finish', async () => {
    const gates: (() => void)[] = [];
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool('wait', '', { n: 'number' }, async ({ n }) => {
          await new Promise<void>((resolve) => {
            gates[n] = resolve;
          });
          return n;
        }),
      ],
    });
    const { call } = openSession({ s: server });
    const done: number[] = [];
    const calls = Array.from({ length: 20 }, async (_, n) => {
      const reply = await call('wait', { n });
      done.push(n);
      return textOf(reply);
    });
    while (gates.filter(Boolean).length < 20) await Promise.resolve();
    for (const open of gates.toReversed()) {
      const before = done.length;
      open();
      while (done.length === before) await Promise.resolve();
    }
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n));
  });

  it('answers two calls with the same id, each with its own result', async () => {
    const { put } = openSession({ demo: demo() });
    const call = (name: string) =>
      put({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'greet', arguments: { name } } });
    const [a, b] = await Promise.all([call('A'), call('B')]);
    expect([textOf(a), textOf(b)]).toEqual(['Hello A', 'Hello B']);
    expect([a.id, b.id]).toEqual([5, 5]);
  });
});

describe('what the model is told of its own mistakes is bounded', () => {
  const LONG = 'x'.repeat(500_000);
  const MANY = 130_000;
  const wrong = Array.from({ length: MANY }, () => 'no');
  const few = wrong.slice(0, 2_000);
  const items = { type: 'array', items: { type: 'number' } };
  const forms = { anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'null' }] };
  const strict = createSdkMcpServer({
    name: 's',
    pageSize: 10,
    tools: [
      tool('zod', '', { list: z.array(z.number()) }, () => 'ran'),
      tool('whole', '', z.strictObject({ list: z.array(z.number()) }), () => 'ran'),
      tool('choice', '', { kind: z.enum(['a', 'b']) }, () => 'ran'),
      tool('json', '', { type: 'object', properties: { list: items, one: forms } }, () => 'ran'),
      tool('typed', '', { list: 'number[]' }, () => 'ran'),
      tool('out', '', {}, () => ({ list: few }), {
        outputSchema: { list: z.array(z.number()) },
      }),
    ],
  });

  it.each([
    ['zod', { list: wrong }, /list\.0: .*\n(.*\n)+- and (\d+) more/, MANY],
    ['whole', { list: few }, /list\.0: /, 2_000],
    ['whole', { list: [], [LONG]: 1 }, /more characters/, 1],
    ['whole', { list: [], ...Object.fromEntries(few.map((_, index) => [`key${index}`, 1])) }, /key0/, 1],
    ['choice', { kind: LONG }, /kind: /, 1],
    ['json', { list: few }, /list\.0: Expected number/, 2_000],
    ['json', { one: few }, /none of the allowed forms.*more characters/, 1],
    ['typed', { list: few }, /list\.0: Expected number/, 2_000],
    ['out', {}, /outputSchema:\n- list\.0/, 2_000],
  ])('%s %#', async (name, args, start, count) => {
    const reply = await openSession({ s: strict }).call(name, args);
    expect(reply.result?.isError).toBe(true);
    const said = textOf(reply);
    expect(said.length).toBeLessThan(12_000);
    expect(said).toMatch(start);
    const listed = said.split('\n').filter((line) => /^- (?!and )/.test(line)).length;
    const left = Number(/^- and (\d+) more/m.exec(said)?.[1] ?? 0);
    expect(listed + left).toBe(count);
  });

  it.each([
    ['tools/call', { name: LONG }],
    [LONG, {}],
    ['tools/list', { cursor: LONG }],
    ['tools/list', { cursor: { [LONG]: LONG } }],
  ])('a request %#', async (method, params) => {
    const reply = await openSession({ s: strict }).ask(method, params);
    const said = reply.error?.message ?? textOf(reply);
    expect(said).toContain('more characters)');
    expect(said.length).toBeLessThan(500);
  });

  it('leaves what a tool itself says as it is', async () => {
    const own = createSdkMcpServer({
      name: 's',
      tools: [
        tool('throws', '', {}, () => {
          throw new Error(LONG);
        }),
      ],
    });
    expect(textOf(await openSession({ s: own }).call('throws'))).toBe(LONG);
  });
});
