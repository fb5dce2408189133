import { type } from 'arktype';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, SchemaError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { HandlerExtra } from '../../../src/answer/mcp/tool/handler-extra.js';
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

  it('has the keys of the official definition even where there is nothing to say', () => {
    const keys = ['name', 'description', 'inputSchema', 'handler', 'annotations', '_meta'];
    expect(Object.keys(tool('a', '', {}, () => ''))).toEqual(keys);
    expect(Object.keys(tool({ name: 'a', run: () => '' }))).toEqual(keys);
    expect(Object.keys(tool('a', '', {}, () => '', { timeoutMs: 5 }))).toEqual([...keys, 'timeoutMs']);
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
      expectTypeOf(extra).toEqualTypeOf<HandlerExtra>();
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

  it.each<[string, unknown]>([
    ['next to a field that is none', { a: z.string(), b: 3 }],
    ['in a nested shape', { a: { b: z.string() } }],
    ['that JSON does not have', z.object({ a: z.symbol() })],
    ['in an output schema', undefined],
  ])('does the same with any other wrong schema that has zod: %s', (_what, schema) => {
    const warnings = catchWarnings();
    const define = tool as unknown as (...given: unknown[]) => never;
    const extras = schema === undefined ? { outputSchema: UNCONVERTIBLE } : {};
    createSdkMcpServer({ name: 's', tools: [define('bad', '', schema ?? {}, () => '', extras)] });
    expect(warnings.map(({ code }) => code)).toEqual(['CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE']);
  });

  it.each<[string, unknown, RegExp]>([
    ['a nested shape', { a: { b: 'string' } }, /has no JSON Schema keyword\. If "a" is meant as a property/],
    ['a list', { a: ['string'] }, /has no JSON Schema keyword/],
    ['a constructor', String, /is the function String\. Pass a schema/],
    ['a text', 'string', /is string\. Pass a schema/],
    ['null', null, /is null\. Pass a schema/],
    ['a JSON Schema with a wrong type', { type: 'object', properties: { a: { type: 'strng' } } }, /"strng"/],
  ])('throws for a wrong schema without zod, which no other SDK takes: %s', (_what, schema, message) => {
    const warnings = catchWarnings();
    const define = tool as (...given: unknown[]) => unknown;
    expect(() => define('bad', '', schema, () => '')).toThrow(SchemaError);
    expect(() => define('bad', '', schema, () => '')).toThrow(message);
    expect(() => define('bad', '', {}, () => '', { outputSchema: schema })).toThrow(message);
    expect(() =>
      createSdkMcpServer({
        name: 's',
        tools: [{ name: 'bad', inputSchema: schema as never, handler: () => '' }],
      }),
    ).toThrow(message);
    expect(warnings).toEqual([]);
  });
});

describe('words that are no types', () => {
  const run = () => '';

  it('are refused by the compiler and when the tool is made, in every form', () => {
    const forms = [
      // @ts-expect-error -- "strng" is no type
      () => tool('a', '', { city: 'strng' }, run),
      // @ts-expect-error -- the second choice is no type
      () => tool('a', '', { city: 'string | strng' }, run),
      // @ts-expect-error -- the items are of no type
      () => tool('a', '', { city: 'strng[]?: where' }, run),
      // @ts-expect-error -- nothing may follow the question mark but a description
      () => tool('a', '', { city: 'string? | null' }, run),
      // @ts-expect-error -- beside a schema of a library
      () => tool('a', '', { days: z.number(), city: 'strng' }, run),
      // @ts-expect-error -- the same in one object
      () => tool({ name: 'a', inputSchema: { city: 'strng' }, run }),
      // @ts-expect-error -- and of the result
      () => tool({ name: 'a', outputSchema: { city: 'strng' }, run: () => ({ city: '' }) }),
      // @ts-expect-error -- and of tools that change nothing
      () => tool.readOnly('a', '', { city: 'strng' }, run),
      () =>
        createSdkMcpServer({
          name: 's',
          tools: [{ name: 'a', inputSchema: { city: 'strng' }, handler: run }],
        }),
    ];
    for (const form of forms)
      expect(form).toThrow(/tool "a" at "city" is ".*where "(strng|string\?)" is not a type/);
  });

  it('are left to the running program where the compiler does not know them', () => {
    const kind: string = 'strng';
    expect(() => tool('a', '', { city: kind }, run)).toThrow(SchemaError);
  });

  it('do not keep a wrapper from passing on a shape of its own', () => {
    function wrap<Shape extends z.ZodRawShape>(shape: Shape) {
      return [tool('a', '', shape, run), tool({ name: 'a', inputSchema: shape, run })];
    }
    expect(wrap({ city: z.string() })).toHaveLength(2);
  });
});

describe('tool(name, description, run)', () => {
  it('has no parameters', async () => {
    const now = tool('now', 'What time it is', (args, extra) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, never>>();
      expectTypeOf(extra).toEqualTypeOf<HandlerExtra>();
      return `${JSON.stringify(args)} ${extra.tool}`;
    });
    expectTypeOf(now.name).toEqualTypeOf<'now'>();
    const later = tool.readOnly('later', '', () => 'soon', { timeoutMs: 5 });
    expect(later).toMatchObject({ timeoutMs: 5, annotations: { readOnlyHint: true } });
    const { ask, call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [now, later] }) });
    const listed = (await ask('tools/list')).result?.['tools'] as { inputSchema: object }[] | undefined;
    expect(listed?.[0]?.inputSchema).toMatchObject({ type: 'object', properties: {} });
    expect(textOf(await call('now', {}))).toBe('{} now');
    expect(textOf(await call('later'))).toBe('soon');
  });

  it('is told from a schema that is a function', () => {
    const schema = type({ city: 'string' });
    tool('a', '', schema, ({ city }) => expectTypeOf(city).toEqualTypeOf<string>());
    expect(() => tool('a', '', schema as never)).toThrow(/"a" needs a function/);
  });
});

describe('a key that tools do not have', () => {
  it('is warned of once, with the one that was probably meant', () => {
    const warnings = catchWarnings();
    const run = () => '';
    const options = { name: 'slow', run, timeout: 5, colour: 'red', __wrapped: true };
    tool(options);
    tool(options);
    tool('slow2', '', {}, run, { anotations: {} } as object);
    expect(warnings).toEqual([
      {
        code: 'INBOARD_TOOL_UNKNOWN_KEY',
        message: expect.stringMatching(/"slow" has the unknown key "timeout".*Did you mean "timeoutMs"\?$/),
      },
      {
        code: 'INBOARD_TOOL_UNKNOWN_KEY',
        message: expect.stringMatching(/"slow" has the unknown key "colour".*no effect\.$/),
      },
      {
        code: 'INBOARD_TOOL_UNKNOWN_KEY',
        message: expect.stringMatching(
          /"slow2" has the unknown key "anotations".*Did you mean "annotations"\?$/,
        ),
      },
    ]);
  });

  it('of a plain object counts only where it nearly is another', () => {
    const warnings = catchWarnings();
    const counter = { name: 'count3', total: 0, timeoutMS: 5, run: () => '' };
    createSdkMcpServer({ name: 's', tools: [counter] });
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"count3" has the unknown key "timeoutMS".*"timeoutMs"/),
    ]);
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
      run: (_args, { context }: HandlerExtra<{ user: string }>) => context.user,
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
    [{ name: 'x', run: () => '', retries: 1, parallel: true }, 'retries'],
    [{ name: 'x', run: () => '', parallel: 'yes' }, 'parallel'],
    [{ name: 'x', run: () => '', parallel: false, readOnly: true }, 'parallel'],
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
            expectTypeOf(extra).toEqualTypeOf<HandlerExtra>();
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
      handler: async (args: { name: string }, extra: HandlerExtra) => {
        const inner = await original.handler(args, extra);
        return `${String(inner)}!`;
      },
    };
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [wrapped] }) });
    expect(textOf(await call('greet', { name: 'A' }))).toBe('Hello A!');
  });
});

describe('onRepeat', () => {
  it('is one of three words', () => {
    const run = (): string => '';
    // @ts-expect-error -- no such word
    expect(() => tool({ name: 'pay', onRepeat: 'twice', run })).toThrow(
      /"onRepeat" of the tool "pay" must be 'recorded', 'run' or 'unknown'/,
    );
    expect(tool({ name: 'pay', onRepeat: 'recorded', run }).onRepeat).toBe('recorded');
    expect(tool('pay', '', run, { onRepeat: 'run' }).onRepeat).toBe('run');
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
    expect(() => createSdkMcpServer(undefined as never)).toThrow(/takes an object/);
    expect(() => createSdkMcpServer({ name: 's', tools: {} as never })).toThrow(/"tools" .* must be a list/);
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

describe('an argument that is none of the allowed values', () => {
  it.each([
    [
      'zod',
      { size: z.enum(['s', 'm']) },
      'xl',
      '- size: Invalid option: expected one of "s"|"m", received "xl"',
    ],
    ['a zod literal', { size: z.literal(3) }, 4, '- size: Invalid input: expected 3, received 4'],
    ['a zod object', z.object({ size: z.enum(['s']) }), 'xl', 'expected "s", received "xl"'],
    ['shorthand', { size: "'s' | 'm'" }, 'xl', '- size: Expected "s" | "m", received "xl"'],
    ['shorthand numbers', { size: '1 | 2' }, 3, '- size: Expected 1 | 2, received 3'],
    [
      'JSON Schema',
      { type: 'object', properties: { size: { enum: ['s', 'm'] } } },
      'xl',
      '- size: Expected one of "s","m", received "xl"',
    ],
    ['a long text', { size: "'s' | 'm'" }, 'x'.repeat(500), `received "${'x'.repeat(59)}…"`],
    ['nothing', { size: z.enum(['s', 'm']) }, undefined, 'received undefined'],
  ])('is named: %s', async (_kind, schema, size, words) => {
    const pick = tool({ name: 'pick', inputSchema: schema, run: () => 'picked' });
    const { call } = openSession({ shop: createSdkMcpServer({ name: 'shop', tools: [pick] }) });
    expect(textOf(await call('pick', { size }))).toContain(words);
  });

  it('is not added to what the author of the schema says', async () => {
    const pick = tool('pick', '', { size: z.enum(['s'], { error: 'Only s.' }) }, () => 'picked');
    const { call } = openSession({ shop: createSdkMcpServer({ name: 'shop', tools: [pick] }) });
    expect(textOf(await call('pick', { size: 'xl' }))).toContain('- size: Only s.');
    expect(textOf(await call('pick', { size: 'xl' }))).not.toContain('received');
  });
});
