import { type } from 'arktype';
import * as z from 'zod';
import * as z3 from 'zod-3';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../src/answer/schema/compile-schema.js';

const about = { tool: 'demo', side: 'input' } as const;
const list = (schema: unknown) => compileSchema(schema, about).jsonSchema;
const accepts = async (schema: unknown, value: unknown) =>
  (await compileSchema(schema, about).validate(value)).ok;

const circle = { kind: 'circle', radius: 1 };
const square = { kind: 'square', side: 2, color: 'red' };

const shapes: Record<string, unknown> = {
  'zod 4 discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('square'), side: z.number(), color: z.string().optional() }),
  ]),
  'zod 4 union': z.union([
    z.object({ kind: z.literal('circle'), radius: z.number() }),
    z.object({ kind: z.literal('square'), side: z.number(), color: z.string().optional() }),
  ]),
  'zod 3 discriminated union': z3.discriminatedUnion('kind', [
    z3.object({ kind: z3.literal('circle'), radius: z3.number() }),
    z3.object({ kind: z3.literal('square'), side: z3.number(), color: z3.string().optional() }),
  ]),
  arktype: type({ kind: "'circle'", radius: 'number' }).or({
    kind: "'square'",
    side: 'number',
    'color?': 'string',
  }),
  'JSON Schema': {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      { $ref: '#/$defs/Square' },
    ],
    $defs: {
      Square: {
        type: 'object',
        properties: { kind: { const: 'square' }, side: { type: 'number' }, color: { type: 'string' } },
        required: ['kind', 'side'],
      },
    },
  },
};

describe.each(Object.entries(shapes))(
  'a union of objects at the top becomes one object: %s',
  (_name, schema) => {
    it('that lists all properties and says which go together', () => {
      const json = list(schema);
      expect(json['type']).toBe('object');
      expect(Object.keys(json)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(any|one|all)Of$|^\$ref$/)]),
      );
      expect(json['properties']).toEqual({
        kind: { type: 'string', enum: expect.arrayContaining(['circle', 'square']) as unknown },
        radius: { type: 'number' },
        side: { type: 'number' },
        color: { type: 'string' },
      });
      expect(json['required']).toEqual(['kind']);
      expect(json['description']).toMatch(
        /^Give one of these forms: (\{ kind: "circle", radius \}|\{ kind: "square", side, color\? \}) or \{ .* \}\.$/,
      );
    });

    it.each([circle, square, { kind: 'square', side: 1 }])(
      'and is validated as written: takes %j',
      async (value) => {
        expect(await accepts(schema, value)).toBe(true);
      },
    );

    it.each([{ kind: 'circle', side: 1 }, { kind: 'oval' }, {}, { radius: 1 }])(
      'and refuses %j',
      async (value) => {
        expect(await accepts(schema, value)).toBe(false);
      },
    );
  },
);

describe('other tops', () => {
  it('an intersection of objects is merged', () => {
    const schema = z.intersection(
      z.object({ a: z.string().describe('first') }),
      z.object({ b: z.number().optional() }),
    );
    expect(list(schema)).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { type: 'string', description: 'first' }, b: { type: 'number' } },
      required: ['a'],
    });
  });

  it('an intersection with a union lists both', async () => {
    const schema = z.intersection(
      z.object({ id: z.string() }),
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    );
    expect(list(schema)).toMatchObject({
      type: 'object',
      required: ['id'],
      properties: { id: {}, a: {}, b: {} },
    });
    expect(await accepts(schema, { id: 'x' })).toBe(false);
    expect(await accepts(schema, { id: 'x', b: 'y' })).toBe(true);
  });

  it('alternatives beside the properties are told, and still asked for', async () => {
    const schema = {
      type: 'object',
      description: 'Find a person.',
      properties: { email: { type: 'string' }, phone: { type: 'string' } },
      anyOf: [{ required: ['email'] }, { required: ['phone'] }],
      additionalProperties: false,
    };
    expect(list(schema)).toEqual({
      type: 'object',
      description: 'Find a person. Give one of these forms: { email } or { phone }.',
      properties: { email: { type: 'string' }, phone: { type: 'string' } },
      additionalProperties: false,
    });
    expect(await accepts(schema, {})).toBe(false);
    expect(await accepts(schema, { phone: '1' })).toBe(true);
  });

  it('allOf with references is merged, definitions kept', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      allOf: [{ $ref: '#/definitions/Base' }, { properties: { extra: { $ref: '#/definitions/Base' } } }],
      definitions: { Base: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    };
    expect(list(schema)).toEqual({
      $schema: schema.$schema,
      type: 'object',
      properties: { id: { type: 'string' }, extra: { $ref: '#/definitions/Base' } },
      required: ['id'],
      definitions: schema.definitions,
    });
  });

  it('a reference at the top is followed, unless the top says it is an object', () => {
    const Args = { type: 'object', properties: { child: { $ref: '#/$defs/Args' } } };
    const said = { type: 'object', $ref: '#/$defs/Args', $defs: { Args } };
    expect(JSON.stringify(list(said))).toBe(JSON.stringify(said));
    expect(list({ $ref: '#/$defs/Args', $defs: { Args } })).toEqual({ ...Args, $defs: { Args } });
  });

  it('a recursive union keeps its true form as a definition', async () => {
    type Expression = { number: number } | { left: Expression | string; right: Expression | string };
    const Expression: z.ZodType<Expression> = z.lazy(() =>
      z.union([
        z.object({ number: z.number() }),
        z.object({ left: z.union([z.string(), Expression]), right: z.union([z.string(), Expression]) }),
      ]),
    );
    const json = list(Expression);
    expect(json).toMatchObject({
      type: 'object',
      properties: { number: { type: 'number' }, left: { anyOf: [{}, { $ref: '#/definitions/__root' }] } },
      definitions: {
        __root: { anyOf: [{ properties: { number: {} } }, { properties: { left: {}, right: {} } }] },
      },
    });
    expect(await accepts(Expression, { left: 'x', right: { number: 1 } })).toBe(true);
    expect(await accepts(Expression, { left: 'x' })).toBe(false);
  });

  it('branches that no arguments can be are left out: a nullable or optional object is an object', () => {
    const object = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const schema = z.object({ a: z.string() });
    expect(list(schema.nullable())).toMatchObject(object);
    expect(list(schema.optional())).toMatchObject(object);
    expect(list(z.union([schema, z.string()]))).toMatchObject(object);
    expect(list({ ...object, type: ['object', 'null'] })).toEqual(object);
  });

  it('anything at all is an open object', () => {
    expect(list(z.any())).toMatchObject({ type: 'object', properties: {} });
    expect(list(z.record(z.string(), z.number()))).toMatchObject({
      type: 'object',
      additionalProperties: { type: 'number' },
    });
  });

  it('differing fields of a union are listed as a choice', () => {
    const schema = z.union([z.object({ id: z.string() }), z.object({ id: z.number().int() })]);
    expect(list(schema)['properties']).toEqual({
      id: { anyOf: [{ type: 'string' }, expect.objectContaining({ type: 'integer' })] },
    });
  });

  const refused: [string, unknown][] = [
    ['a string', z.string()],
    ['an array', z.array(z.object({}))],
    ['a union of texts', z.union([z.literal('a'), z.literal('b')])],
    ['an enum', z.enum(['a', 'b'])],
    ['a zod 3 tuple', z3.tuple([z3.string()])],
    ['an arktype number', type('number')],
    ['a JSON Schema of a number', { type: 'number', minimum: 3 }],
    ['an object and a string at once', { allOf: [{ type: 'object' }, { type: 'string' }] }],
    ['a circle of references', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }],
  ];
  it.each(refused)('%s is refused, with the way out', (_name, schema) => {
    expect(() => list(schema)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_UNCONVERTIBLE', tool: 'demo', path: '' }),
    );
    expect(() => list(schema)).toThrow(
      /the arguments of a tool are always an object.*\{ value: <this schema> \}/,
    );
    expect(() => compileSchema(schema, { tool: 'demo', side: 'output' })).toThrow(
      /structuredContent is always an object/,
    );
  });
});
