import * as z from 'zod';
import * as core from 'zod/v4/core';
import * as mini from 'zod/mini';
import * as olderZod from 'zod-3/v4';
import * as olderMini from 'zod-3/v4-mini';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../src/answer/schema/compile-schema.js';
import { zodCorpus } from './zod-corpus.js';

const about = { tool: 'demo', side: 'input' } as const;
const list = (schema: unknown) => compileSchema(schema, about).jsonSchema;

describe('zod 4 is listed as zod itself would', () => {
  it.each(Object.entries(zodCorpus))('raw shape, input: %s', (_name, field) => {
    const golden = z.toJSONSchema(z.object({ field }), { io: 'input', target: 'draft-7' });
    expect(JSON.stringify(list({ field }))).toBe(JSON.stringify(golden));
  });

  it.each(Object.entries(zodCorpus))('object, output: %s', (_name, field) => {
    const schema = z.object({ field });
    const compile = () => compileSchema(schema, { tool: 'demo', side: 'output' }).jsonSchema;
    let golden: unknown;
    try {
      golden = z.toJSONSchema(schema, { io: 'output', target: 'draft-7' });
    } catch {
      // A transform: the type of its result is unknown.
      expect(compile).toThrow('"demo" at "field"');
      return;
    }
    expect(JSON.stringify(compile())).toBe(JSON.stringify(golden));
  });

  it('keeps the order of several fields, and leaves those with a default out of required', () => {
    const shape = {
      b: z.string().describe('second letter'),
      a: z.number().default(3),
      c: z.object({ d: z.boolean() }),
    };
    expect(JSON.stringify(list(shape))).toBe(
      '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{' +
        '"b":{"type":"string","description":"second letter"},"a":{"default":3,"type":"number"},' +
        '"c":{"type":"object","properties":{"d":{"type":"boolean"}},"required":["d"]}},"required":["b","c"]}',
    );
  });

  it('shares one definition between fields that use the same recursive schema', () => {
    const Node = z.object({
      get next() {
        return Node.optional();
      },
    });
    const shape = { first: Node, list: z.array(Node), maybe: Node.optional() };
    expect(list(shape)).toEqual(z.toJSONSchema(z.object(shape), { io: 'input', target: 'draft-7' }));
  });

  it('lets a recursive root refer to itself', () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree).optional();
      },
    });
    expect(list(Tree)).toEqual(z.toJSONSchema(Tree, { io: 'input', target: 'draft-7' }));
    expect(list(Tree)['properties']).toMatchObject({ children: { items: { $ref: '#' } } });
  });

  it('says a coerced date as the text it is made from, which zod refuses to', () => {
    expect(list({ when: z.coerce.date().describe('start') })['properties']).toEqual({
      when: { type: 'string', format: 'date-time', description: 'start' },
    });
  });
});

describe('zod/mini', () => {
  const shapes: Record<string, Record<string, mini.ZodMiniType>> = {
    basic: { a: mini.string(), b: mini.optional(mini.number()), c: mini._default(mini.boolean(), true) },
    checks: {
      a: mini.string().check(mini.minLength(2), mini.regex(/^x/)),
      b: mini.number().check(mini.gte(1), mini.lt(5)),
      c: mini.email(),
      d: mini.array(mini.int()).check(mini.minLength(1)),
    },
    nested: {
      a: mini.object({ b: mini.record(mini.string(), mini.union([mini.string(), mini.null()])) }),
      b: mini.nullable(mini.enum(['x', 'y'])),
      c: mini.discriminatedUnion('k', [
        mini.object({ k: mini.literal('p'), v: mini.string() }),
        mini.object({ k: mini.literal('q') }),
      ]),
      d: mini.intersection(mini.object({ a: mini.string() }), mini.object({ b: mini.string() })),
      e: mini.tuple([mini.string(), mini.number()]),
    },
    described: {
      a: mini.string().check(mini.describe('a text')),
      b: mini.object({ c: mini.number().register(mini.globalRegistry, { description: 'deep' }) }),
    },
    effects: {
      a: mini.pipe(mini.string(), mini.transform(Number)),
      b: mini.string().check(mini.refine((text) => text !== 'no')),
      c: mini.lazy(() => mini.string()),
    },
  };
  it.each(Object.entries(shapes))('is listed like zod 4: %s', (_name, shape) => {
    const golden = core.toJSONSchema(mini.object(shape), { io: 'input', target: 'draft-7' });
    expect(JSON.stringify(list(shape))).toBe(JSON.stringify(golden));
    expect(JSON.stringify(list(mini.object(shape)))).toBe(JSON.stringify(golden));
  });
});

describe('two copies of zod', () => {
  it('give the same listing, descriptions included', () => {
    expect(list(buildShape(olderZod as unknown as typeof z))).toEqual(list(buildShape(z)));
  });

  it('can stand in one shape', () => {
    const shape = { new: z.string().describe('new'), old: olderZod.string().describe('old') };
    expect(list(shape)['properties']).toEqual({
      new: { type: 'string', description: 'new' },
      old: { type: 'string', description: 'old' },
    });
    expect(compileSchema(shape, about).validate({ new: 'a', old: 'b', other: 1 })).toEqual({
      ok: true,
      value: { new: 'a', old: 'b' },
    });
  });

  it('work with the older zod/mini too', () => {
    expect(list({ a: olderMini.string(), b: olderMini.optional(olderMini.number()) })).toEqual(
      list({ a: z.string(), b: z.number().optional() }),
    );
  });
});

describe('what JSON cannot carry is refused where it stands', () => {
  const cases: [string, z.ZodType, string][] = [
    ['field.when', z.object({ when: z.date() }), 'z.coerce.date()'],
    ['field[]', z.array(z.bigint()), 'z.number()'],
    ['field[1]', z.tuple([z.string(), z.map(z.string(), z.string())]), 'z.record()'],
    ['field[*]', z.record(z.string(), z.set(z.string())), 'z.array()'],
    ['field(option 2).x', z.union([z.string(), z.object({ x: z.undefined() })]), '.optional()'],
    ['field.a.b', z.object({ a: z.object({ b: z.custom(() => true) }) }), '.refine()'],
    ['field', z.symbol(), 'string'],
    ['field', z.nan(), 'z.number()'],
    ['field', z.literal(5n), 'bigint'],
    ['field', z.transform((value) => value), 'z.preprocess()'],
  ];
  it.each(cases)('%s', (path, field, hint) => {
    expect(() => list({ field })).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_UNCONVERTIBLE',
        tool: 'demo',
        path,
        message: expect.stringMatching(
          new RegExp(`input schema of tool "demo" at "${escape(path)}".*${escape(hint)}`),
        ),
      }),
    );
  });

  it('a lazy schema that never ends', () => {
    const endless = (): z.ZodType => z.lazy(() => z.object({ next: endless() }));
    expect(() => list({ field: endless() })).toThrow(/nested more than 200 levels/);
  });

  it('an id used for two schemas', () => {
    const shape = { a: z.string().meta({ id: 'same' }), b: z.number().meta({ id: 'same' }) };
    expect(() => list(shape)).toThrow(/id "same" for two different schemas/);
  });
});

function escape(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

function buildShape(zod: typeof z) {
  return {
    name: zod.string().min(1).describe('the name'),
    tags: zod.array(zod.enum(['a', 'b']).describe('a tag')).optional(),
    place: zod
      .object({ city: zod.string().describe('the city'), zip: zod.number().int().nullable() })
      .describe('where'),
    limit: zod.number().default(10).describe('how many'),
    extra: zod.record(zod.string(), zod.union([zod.string(), zod.number()])),
  };
}
