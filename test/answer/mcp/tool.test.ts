import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, SchemaError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { ToolContext } from '../../../src/answer/mcp/tool/tool-context.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { openSession, textOf } from './session-harness.js';

const UNCONVERTIBLE = { when: z.date() };

function catchWarnings() {
  const warnings: { message: string; code: string | undefined }[] = [];
  vi.spyOn(process, 'emitWarning').mockImplementation(((message: string, options?: { code?: string }) => {
    warnings.push({ message, code: options?.code });
  }) as typeof process.emitWarning);
  return warnings;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('tool(name, description, schema, handler, extras)', () => {
  it('gives the official definition', () => {
    const handler = () => 'x';
    const definition = tool('greet', 'Greet', { name: z.string() }, handler, {
      annotations: { readOnlyHint: true },
      searchHint: 'hello',
      alwaysLoad: true,
    });
    expect(definition).toMatchObject({
      name: 'greet',
      description: 'Greet',
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/searchHint': 'hello', 'anthropic/alwaysLoad': true },
    });
    expect(typeof definition.handler).toBe('function');
  });

  it('infers the arguments from every kind of schema', () => {
    tool('a', '', { name: z.string(), n: z.number().default(1) }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ name: string; n: number }>();
    });
    tool('b', '', z.object({ name: z.string() }), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ name: string }>();
    });
    tool('c', '', { name: 'string', limit: 'number?' }, (args, extra) => {
      expectTypeOf(args.name).toEqualTypeOf<string>();
      expectTypeOf(args.limit).toEqualTypeOf<number | undefined>();
      expectTypeOf(extra).toEqualTypeOf<ToolContext>();
    });
    tool('d', '', { type: 'object', properties: {} }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
    const named = tool('e', '', {}, () => {});
    expectTypeOf(named.name).toEqualTypeOf<'e'>();
  });

  it('leaves a tool with an unconvertible schema out of the server, alone, with a process warning', async () => {
    const warnings = catchWarnings();
    const bad = tool('bad', '', UNCONVERTIBLE, () => '');
    const good = tool('good', '', {}, () => 'still here');
    const { ask, call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [bad, good] }) });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.code).toBe('CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE');
    expect(warnings[0]?.message).toMatch(/"bad".*when/);
    expect((await ask('tools/list')).result?.['tools']).toHaveLength(1);
    expect(textOf(await call('good'))).toBe('still here');
  });
});

describe('tool({ … })', () => {
  it('takes run or handler, infers arguments, and checks what run returns against the output schema', async () => {
    const add = tool({
      name: 'add',
      description: 'Add two numbers',
      inputSchema: { x: z.number(), y: z.number() },
      outputSchema: { sum: z.number() },
      run: ({ x, y }) => {
        expectTypeOf(x).toEqualTypeOf<number>();
        return { sum: x + y };
      },
    });
    const time = tool({ name: 'time', handler: () => 'noon' });
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [add, time] }) });
    expect((await call('add', { x: 1, y: 2 })).result).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    });
    expect(textOf(await call('time'))).toBe('noon');
    // @ts-expect-error -- the value does not fit the output schema
    tool({ name: 'wrong', outputSchema: { sum: z.number() }, run: () => ({ total: 1 }) });
  });

  it('types the context a handler asks for', () => {
    tool({
      name: 'who',
      run: (_args, { context }: ToolContext<{ user: string }>) => context.user,
    });
  });

  it('throws at once for an unconvertible schema, naming tool and path', () => {
    const define = () => tool({ name: 'bad', inputSchema: UNCONVERTIBLE, run: () => '' });
    expect(define).toThrow(SchemaError);
    expect(define).toThrow(/bad.*when/);
    expect(() => tool({ name: 'bad', outputSchema: { when: z.date() }, run: () => new Error('x') })).toThrow(
      SchemaError,
    );
  });

  it.each<[object, string]>([
    [{ run: () => '' }, 'name'],
    [{ name: '', run: () => '' }, 'name'],
    [{ name: 'x' }, 'run'],
    [{ name: 'x', run: () => '', timeoutMs: 0 }, 'timeoutMs'],
    [{ name: 'x', run: () => '', timeoutMs: 2 ** 31 }, 'timeoutMs'],
    [{ name: 'x', run: () => '', concurrency: 0 }, 'concurrency'],
    [{ name: 'x', run: () => '', maxResultChars: 1.5 }, 'maxResultChars'],
    [{ name: 'x', run: () => '', retries: -1, readOnly: true }, 'retries'],
    [{ name: 'x', run: () => '', retries: 2 }, 'idempotentHint'],
  ])('refuses %o by naming %s', (options, named) => {
    const define = () => tool(options as never);
    expect(define).toThrow(InvalidOptionsError);
    expect(define).toThrow(named);
  });
});

describe('plain objects', () => {
  it('need no tool(), and keep their this', async () => {
    const counter = {
      name: 'count',
      description: 'Count',
      inputSchema: { by: 'number' },
      total: 0,
      handler({ by }: { by: number }) {
        this.total += by;
        return this.total;
      },
    };
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [counter] }) });
    await call('count', { by: 2 });
    expect(textOf(await call('count', { by: 3 }))).toBe('5');
    expect(counter.total).toBe(5);
  });

  it('have inferred arguments when written in place, beside tools made by tool()', () => {
    createSdkMcpServer({
      name: 's',
      tools: [
        {
          name: 'a',
          inputSchema: { q: z.string() },
          handler: (args, extra) => {
            expectTypeOf(args).toEqualTypeOf<{ q: string }>();
            expectTypeOf(extra).toEqualTypeOf<ToolContext>();
          },
        },
        {
          name: 'b',
          inputSchema: { n: 'number?' },
          run: ({ n }) => expectTypeOf(n).toEqualTypeOf<number | undefined>(),
        },
        tool('c', '', { z: 'string' }, ({ z: word }) => word),
      ],
    });
  });

  it('with handler are left out when unconvertible, with run they throw', () => {
    const warnings = catchWarnings();
    createSdkMcpServer({ name: 's', tools: [{ name: 'h', inputSchema: UNCONVERTIBLE, handler: () => '' }] });
    expect(warnings.map(({ code }) => code)).toEqual(['CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE']);
    expect(() =>
      createSdkMcpServer({ name: 's', tools: [{ name: 'r', inputSchema: UNCONVERTIBLE, run: () => '' }] }),
    ).toThrow(SchemaError);
  });

  it('may be tools whose handler somebody wrapped', async () => {
    const original = tool('greet', '', { name: 'string' }, ({ name }) => `Hello ${name}`);
    const wrapped = {
      ...original,
      handler: async (args: { name: string }, extra: ToolContext) => {
        const inner = await original.handler(args, extra);
        return `${String(inner)}!`;
      },
    };
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [wrapped] }) });
    expect(textOf(await call('greet', { name: 'A' }))).toBe('Hello A!');
  });
});

describe('tool.readOnly', () => {
  it('sets the hint in both forms', () => {
    expect(tool.readOnly('a', '', {}, () => '', { annotations: { title: 'A' } }).annotations).toEqual({
      title: 'A',
      readOnlyHint: true,
    });
    expect(tool.readOnly({ name: 'b', run: () => '' }).annotations).toEqual({ readOnlyHint: true });
  });
});

describe('what a server says of its tools', () => {
  it('sets the meta keys of the CLI, the tool before the server', async () => {
    const server = createSdkMcpServer({
      name: 's',
      alwaysLoad: true,
      maxResultChars: 1000,
      tools: [
        tool('a', '', {}, () => ''),
        tool('b', '', {}, () => '', { alwaysLoad: false, maxResultChars: 2000, searchHint: 'bee' }),
        tool({ name: 'c', title: 'Sea', _meta: { own: 1 }, run: () => '' }),
      ],
    });
    const { ask } = openSession({ s: server });
    const tools = (await ask('tools/list')).result?.['tools'] as Record<string, unknown>[];
    expect(tools.map(({ _meta }) => _meta)).toEqual([
      { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 1000 },
      { 'anthropic/searchHint': 'bee', 'anthropic/maxResultSizeChars': 2000 },
      { own: 1, 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': 1000 },
    ]);
    expect(tools[2]?.['title']).toBe('Sea');
  });

  it('throws for duplicates and reports rewritten and colliding names', () => {
    const warnings = catchWarnings();
    const named = (name: string) => tool(name, '', {}, () => '');
    expect(() => createSdkMcpServer({ name: 's', tools: [named('a'), named('a')] })).toThrow(
      /already has.*"a"/,
    );
    createSdkMcpServer({
      name: 's',
      tools: [named('do.it now'), named('x.y'), named('x_y'), named('fine-1_A')],
    });
    expect(warnings.map(({ code }) => code)).toEqual([
      'INBOARD_TOOL_NAME_COLLISION',
      'INBOARD_TOOL_NAME_REWRITTEN',
    ]);
    expect(warnings[0]?.message).toContain('"x.y" and "x_y"');
    expect(warnings[1]?.message).toContain('"do_it_now"');
  });

  it('refuses options that make no sense', () => {
    expect(() => createSdkMcpServer({ name: '' })).toThrow(InvalidOptionsError);
    expect(() => createSdkMcpServer({ name: 's', pageSize: 0 })).toThrow(/pageSize/);
    expect(() => createSdkMcpServer({ name: 's', timeoutMs: -1 })).toThrow(/timeoutMs of the server "s"/);
  });

  it('has the form the official SDK gives', () => {
    const policy = { name: 'a', permission_policy: 'always_ask' as const };
    const server = createSdkMcpServer({ name: 's', timeout: 5000, toolPolicies: [policy] });
    expect(Object.keys(server)).toEqual(['type', 'name', 'instance', 'timeout', 'tools']);
    expect(server).toMatchObject({ type: 'sdk', name: 's', timeout: 5000, tools: [policy] });
    expect(openSession({ key: server, other: createSdkMcpServer({ name: 'o' }) }).session.configs()).toEqual({
      key: { timeout: 5000, tools: [policy] },
    });
  });
});
