import * as z from 'zod-3';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../src/answer/schema/compile-schema.js';

const about = { tool: 'demo', side: 'input' } as const;
const field = (schema: z.ZodTypeAny) => {
  const properties = compileSchema({ field: schema }, about).jsonSchema['properties'];
  return (properties as { field: unknown }).field;
};

const Point = z.object({ x: z.number(), y: z.number() });
const Level = { Low: 0, High: 1, 0: 'Low', 1: 'High' } as unknown as { Low: 0; High: 1 };
const closed = { additionalProperties: false };

const golden: [string, z.ZodTypeAny, unknown][] = [
  [
    'string',
    z.string().min(1).max(9).describe('d'),
    { type: 'string', minLength: 1, maxLength: 9, description: 'd' },
  ],
  ['length', z.string().length(4), { type: 'string', minLength: 4, maxLength: 4 }],
  ['email', z.string().email(), { type: 'string', format: 'email' }],
  ['url', z.string().url(), { type: 'string', format: 'uri' }],
  ['uuid', z.string().uuid(), { type: 'string', format: 'uuid' }],
  ['datetime', z.string().datetime(), { type: 'string', format: 'date-time' }],
  ['date text', z.string().date(), { type: 'string', format: 'date' }],
  ['ip', z.string().ip({ version: 'v4' }), { type: 'string', format: 'ipv4' }],
  ['base64', z.string().base64(), { type: 'string', format: 'base64', contentEncoding: 'base64' }],
  ['regex', z.string().regex(/^a+$/), { type: 'string', pattern: '^a+$' }],
  [
    'several patterns',
    z.string().startsWith('a.').endsWith(')').includes('-'),
    {
      type: 'string',
      allOf: [
        { type: 'string', pattern: '^a\\.' },
        { type: 'string', pattern: '\\)$' },
        { type: 'string', pattern: '-' },
      ],
    },
  ],
  ['trim', z.string().trim(), { type: 'string' }],
  ['number', z.number().min(1).lt(5), { type: 'number', minimum: 1, exclusiveMaximum: 5 }],
  ['narrowest bound', z.number().min(1).gt(1).min(0), { type: 'number', exclusiveMinimum: 1 }],
  ['integer', z.number().int().positive(), { type: 'integer', exclusiveMinimum: 0 }],
  [
    'multiples',
    z.number().multipleOf(2).multipleOf(3),
    { type: 'number', multipleOf: 2, allOf: [{ multipleOf: 3 }] },
  ],
  ['boolean', z.boolean(), { type: 'boolean' }],
  ['null', z.null(), { type: 'null' }],
  ['any', z.any(), {}],
  ['unknown', z.unknown(), {}],
  ['never', z.never(), { not: {} }],
  ['coerced date', z.coerce.date(), { type: 'string', format: 'date-time' }],
  ['literal', z.literal('a'), { type: 'string', const: 'a' }],
  ['literal null', z.literal(null), { type: 'null', const: null }],
  ['enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  ['native enum', z.nativeEnum(Level), { type: 'number', enum: [0, 1] }],
  [
    'array',
    z.array(z.string()).min(1).max(2),
    { minItems: 1, maxItems: 2, type: 'array', items: { type: 'string' } },
  ],
  [
    'array of a length',
    z.array(z.string()).length(2),
    { minItems: 2, maxItems: 2, type: 'array', items: { type: 'string' } },
  ],
  [
    'tuple',
    z.tuple([z.string(), z.number()]),
    {
      type: 'array',
      items: [{ type: 'string' }, { type: 'number' }],
      additionalItems: false,
      minItems: 2,
      maxItems: 2,
    },
  ],
  [
    'tuple with rest',
    z.tuple([z.string()]).rest(z.number()),
    { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' }, minItems: 1 },
  ],
  [
    'object',
    z.object({
      a: z.string().describe('deep'),
      b: z.number().optional(),
      c: z.number().default(1),
      d: z.any(),
    }),
    {
      type: 'object',
      properties: {
        a: { type: 'string', description: 'deep' },
        b: { type: 'number' },
        c: { default: 1, type: 'number' },
        d: {},
      },
      required: ['a'],
      ...closed,
    },
  ],
  ['strict', z.object({}).strict(), { type: 'object', properties: {}, ...closed }],
  ['passthrough', z.object({}).passthrough(), { type: 'object', properties: {}, additionalProperties: true }],
  [
    'catchall',
    z.object({}).catchall(z.number()),
    { type: 'object', properties: {}, additionalProperties: { type: 'number' } },
  ],
  ['record', z.record(z.number()), { type: 'object', additionalProperties: { type: 'number' } }],
  [
    'record by enum',
    z.record(z.enum(['a']), z.any()),
    { type: 'object', propertyNames: { type: 'string', enum: ['a'] }, additionalProperties: {} },
  ],
  ['union', z.union([z.string(), z.number()]), { type: ['string', 'number'] }],
  [
    'union with checks',
    z.union([z.string().min(1), z.number()]),
    { anyOf: [{ type: 'string', minLength: 1 }, { type: 'number' }] },
  ],
  [
    'discriminated union',
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
    {
      oneOf: ['a', 'b'].map((k) => ({
        type: 'object',
        properties: { k: { type: 'string', const: k } },
        required: ['k'],
        ...closed,
      })),
    },
  ],
  [
    'intersection',
    Point.and(z.object({ z: z.number() })),
    {
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number' } },
      required: ['x', 'y', 'z'],
      ...closed,
    },
  ],
  ['nullable', z.string().nullable(), { type: ['string', 'null'] }],
  [
    'nullable with checks',
    z.string().min(1).nullable(),
    { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
  ],
  ['optional', z.string().describe('inner').optional(), { description: 'inner', type: 'string' }],
  [
    'described twice',
    z.string().describe('inner').optional().describe('outer'),
    { description: 'outer', type: 'string' },
  ],
  ['default', z.string().default('x'), { default: 'x', type: 'string' }],
  [
    'default by function',
    z.array(z.string()).default(() => []),
    { default: [], type: 'array', items: { type: 'string' } },
  ],
  ['catch', z.number().catch(1), { default: 1, type: 'number' }],
  ['refine', z.string().refine(() => true), { type: 'string' }],
  ['transform', z.string().transform(Number), { type: 'string' }],
  ['preprocess', z.preprocess(String, z.string()), { type: 'string' }],
  ['pipe', z.string().transform(Number).pipe(z.number()), { type: 'string' }],
  ['brand', z.string().brand('Id'), { type: 'string' }],
  ['readonly', z.string().readonly(), { readOnly: true, type: 'string' }],
  ['lazy', z.lazy(() => z.string()), { type: 'string' }],
  ['coerce', z.coerce.number(), { type: 'number' }],
];

describe('zod 3', () => {
  it.each(golden)('lists %s', (_name, schema, expected) => {
    expect(JSON.stringify(field(schema))).toBe(JSON.stringify(expected));
  });

  it('lists a raw shape as a closed object', () => {
    const shape = { a: z.string(), b: z.number().default(2), c: z.any() };
    expect(JSON.stringify(compileSchema(shape, about).jsonSchema)).toBe(
      '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string"},' +
        '"b":{"default":2,"type":"number"},"c":{}},"required":["a"],"additionalProperties":false}',
    );
  });

  it('lists recursion as a definition in a shape, and as the document itself at the root', () => {
    type Tree = { name: string; children: Tree[] };
    const Tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), children: z.array(Tree) }));
    const node = (ref: string) => ({
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: ref } } },
      required: ['name', 'children'],
      ...closed,
    });
    expect(compileSchema({ tree: Tree }, about).jsonSchema).toMatchObject({
      properties: { tree: { $ref: '#/definitions/__schema0' } },
      definitions: { __schema0: node('#/definitions/__schema0') },
    });
    expect(compileSchema(Tree, about).jsonSchema).toMatchObject(node('#'));
  });

  it('says what comes out on the output side', () => {
    const shape = { n: z.string().transform(Number).pipe(z.number()), d: z.string().default('x') };
    expect(compileSchema(z.object(shape), { tool: 'demo', side: 'output' }).jsonSchema['properties']).toEqual(
      {
        n: { type: 'number' },
        d: { default: 'x', type: 'string' },
      },
    );
    expect(() =>
      compileSchema({ n: z.string().transform(Number) }, { tool: 'demo', side: 'output' }),
    ).toThrow(/output schema of tool "demo" at "n".*\.pipe\(\)/);
  });

  const refused: [string, z.ZodTypeAny, RegExp][] = [
    ['field.when', z.object({ when: z.date() }), /z\.coerce\.date\(\)/],
    ['field[]', z.array(z.bigint()), /ZodBigInt/],
    ['field[1]', z.tuple([z.string(), z.map(z.string(), z.string())]), /z\.record\(\)/],
    ['field', z.set(z.string()), /z\.array\(\)/],
    ['field', z.function(), /ZodFunction/],
    ['field(option 2)', z.union([z.string(), z.literal(5n)]), /literal bigint/],
  ];
  it.each(refused)('refuses what JSON cannot carry, at %s', (path, schema, hint) => {
    expect(() => field(schema)).toThrow(
      expect.objectContaining({ tool: 'demo', path, code: 'SCHEMA_UNCONVERTIBLE' }),
    );
    expect(() => field(schema)).toThrow(hint);
  });

  it('validates with copies older than Standard Schema', async () => {
    // What zod 3.23 looks like: the same object without "~standard".
    const old = (schema: z.ZodTypeAny) => {
      Object.defineProperty(schema, '~standard', { value: undefined });
      return schema;
    };
    const shape = {
      a: old(z.string()),
      b: old(z.string().refine(async (text) => text !== 'no', 'not that')),
    };
    expect(compileSchema({ a: shape.a }, about).validate({ a: 1 })).toEqual({
      ok: false,
      issues: [{ path: ['a'], message: 'Expected string, received number' }],
    });
    expect(await compileSchema(shape, about).validate({ a: 'x', b: 'no' })).toEqual({
      ok: false,
      issues: [{ path: ['b'], message: 'not that' }],
    });
  });
});
