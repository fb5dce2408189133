import * as v from 'valibot';
import * as z from 'zod';
import { type } from 'arktype';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { SchemaError } from '../../../src/errors.js';
import { compileSchema } from '../../../src/answer/schema/compile-schema.js';

const about = { tool: 'demo', side: 'input' } as const;
const list = (schema: unknown) => compileSchema(schema, about).jsonSchema;

describe('what kind of schema it is', () => {
  it('{ type: "object" } is a JSON Schema, also with a description', () => {
    expect(list({ type: 'object' })).toEqual({ type: 'object' });
    expect(list({ type: 'object', description: 'd' })).toEqual({ type: 'object', description: 'd' });
  });

  it('a field called type is a field', () => {
    expect(list({ type: 'string', name: 'string?' })).toMatchObject({ required: ['type'], type: 'object' });
    expect(list({ type: 'object', name: 'string' })).toMatchObject({
      properties: { type: { type: 'object' }, name: { type: 'string' } },
    });
    expect(list({ type: z.string(), properties: z.number() })).toMatchObject({
      properties: { type: { type: 'string' }, properties: { type: 'number' } },
    });
  });

  it('properties without a type are an object', () => {
    expect(list({ properties: { a: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  it('a shape may mix libraries, each field in its own', async () => {
    const shape = {
      zod: z.string().default('z'),
      ark: type('number > 3'),
      vali: toStandardJsonSchema(v.optional(v.pipe(v.string(), v.maxLength(2)), 'v')),
    };
    const compiled = compileSchema(shape, about);
    expect(compiled.jsonSchema).toMatchObject({
      properties: {
        zod: { default: 'z' },
        ark: { type: 'number', exclusiveMinimum: 3 },
        vali: { type: 'string' },
      },
      required: ['ark'],
    });
    expect(await compiled.validate({ ark: 4 })).toEqual({
      ok: true,
      value: { zod: 'z', ark: 4, vali: 'v' },
    });
    expect(await compiled.validate({ ark: 3 })).toMatchObject({ ok: false, issues: [{ path: ['ark'] }] });
  });

  it('references inside a field of another library move with it', () => {
    const field = {
      '~standard': {
        version: 1,
        vendor: 'recursive',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => ({
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { next: { $ref: '#' }, leaf: { $ref: '#/$defs/Leaf' }, default: { $ref: '#' } },
            default: { $ref: '#' },
            $defs: { Leaf: { type: 'string' } },
          }),
          output: () => ({}),
        },
      },
    };
    expect(list({ tree: field })).toMatchObject({
      properties: { tree: { $ref: '#/definitions/__schema0' } },
      definitions: {
        __schema0: {
          properties: {
            next: { $ref: '#/definitions/__schema0' },
            leaf: { $ref: '#/definitions/__schema0/$defs/Leaf' },
            default: { $ref: '#/definitions/__schema0' },
          },
          default: { $ref: '#' },
        },
      },
    });
  });

  it('falls back to draft 2020-12 where a library refuses draft-07', () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'modern',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: ({ target }: { target: string }) => {
            if (target !== 'draft-2020-12') throw new Error('unsupported');
            return { type: 'object', $comment: target };
          },
          output: () => ({}),
        },
      },
    };
    expect(list(schema)).toEqual({ type: 'object', $comment: 'draft-2020-12' });
  });
});

describe('an unusable schema', () => {
  const cases: [string, unknown, string, RegExp][] = [
    ['valibot without its converter', v.object({ a: v.string() }), '', /toStandardJsonSchema\(schema\)/],
    ['such a field', { a: v.string() }, 'a', /valibot schema/],
    [
      'what a library refuses',
      { a: toStandardJsonSchema(v.date()) },
      'a',
      /"date" schema cannot be converted.*valibot/,
    ],
    [
      'a shape with a hole',
      { a: z.string(), b: undefined },
      'b',
      /undefined, next to fields that are schemas/,
    ],
    ['a shape with a nested shape', { a: z.string(), b: { c: z.string() } }, 'b', /object, next to/],
    ['a map of properties', { city: { type: 'string' } }, '', /"city".*"properties"/],
    ['null', null, '', /is null/],
    ['a number', 5, '', /is number/],
    ['a list', [z.string()], '', /is array/],
    ['a function', () => {}, '', /is a function\./],
    ['a constructor', String, '', /is the function String\./],
  ];
  it.each(cases)('is refused by name: %s', (_name, schema, path, message) => {
    expect(() => list(schema)).toThrow(SchemaError);
    expect(() => list(schema)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_UNCONVERTIBLE', tool: 'demo', path }),
    );
    expect(() => list(schema)).toThrow(message);
  });
});

describe('when a schema is compiled', () => {
  it('is when it is asked for, and once, where it surely can be', async () => {
    let conversions = 0;
    const counted = z.string().default(() => {
      conversions += 1;
      return 'a';
    });
    for (const schema of [{ counted, word: 'string?' }, z.object({ counted, list: z.array(counted) })]) {
      conversions = 0;
      const compiled = compileSchema(schema, about);
      expect(conversions).toBe(0);
      const { jsonSchema } = compiled;
      expect(jsonSchema).toMatchObject({ properties: { counted: { type: 'string', default: 'a' } } });
      const afterFirst = conversions;
      expect(afterFirst).toBeGreaterThan(0);
      expect(compiled.jsonSchema).toBe(jsonSchema);
      expect(conversions).toBe(afterFirst);
      expect(await compiled.validate({ counted: 1 })).toMatchObject({ ok: false });
    }
  });

  it('shows a shape as it was when it was given', async () => {
    const shape: Record<string, unknown> = { first: z.string(), word: 'integer' };
    const json = { type: 'object', properties: { first: { type: 'string' } } };
    const compiled = [compileSchema(shape, about), compileSchema(json, about)];
    shape['second'] = z.number();
    delete shape['first'];
    Object.assign(json.properties, { first: { type: 'number' } });
    for (const { jsonSchema, validate } of compiled) {
      expect(jsonSchema['properties']).toMatchObject({ first: { type: 'string' } });
      expect(await validate({ first: 'a', word: 1 })).toMatchObject({ ok: true });
    }
  });

  const circle: { self?: unknown } = {};
  circle.self = circle;
  it.each<[string, unknown]>([
    ['a kind JSON lacks', { a: z.bigint() }],
    [
      'one below plain kinds',
      z.object({ a: z.array(z.object({ b: z.string(), c: z.map(z.string(), z.any()) })) }),
    ],
    ['one in a union', { a: z.union([z.string(), z.date()]) }],
    ['one behind optional, nullable and default', { a: z.symbol().nullable().optional().default(null) }],
    ['one in what else an object takes', { a: z.object({}).catchall(z.bigint()) }],
    ['a literal JSON lacks', { a: z.literal(1n) }],
    ['metadata that is no JSON', { a: z.string().meta({ examples: [1n] }) }],
    ['metadata of the whole that contains itself', z.object({ a: z.string() }).meta({ circle })],
    [
      'an id for two schemas',
      { a: z.string().meta({ id: 'same' }), b: z.array(z.number().meta({ id: 'same' })) },
    ],
    ['what is no object', z.string()],
    ['a union of other things at the top', z.union([z.string(), z.number()])],
    ['a field that cannot validate', { a: { _zod: { def: { type: 'string' } } } }],
    ['a text that is no type', { a: z.string(), b: 'strnig' }],
    ['a type of JSON Schema that is none', { type: 'object', properties: { a: { type: ['string', null] } } }],
    ['a reference to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
  ])('is at once where it may fail: %s', (_name, schema) => {
    expect(() => compileSchema(schema, about)).toThrow(SchemaError);
  });
});
