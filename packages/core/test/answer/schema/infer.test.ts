import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import * as z3 from 'zod-3';
import * as mini from 'zod/mini';
import { describe, expectTypeOf, it } from 'vitest';
import type { AnySchema, InferInput, InferOutput, SchemaProblem } from '../../../src/answer/schema/infer.js';
import type { JsonSchema } from '../../../src/answer/schema/compile-schema.js';

// Stands for any function that takes a schema and a handler. These checks are made by the compiler.
function define<const S extends AnySchema>(
  _schema: S,
  _handler: (args: InferOutput<S>) => void,
): InferInput<S> {
  return undefined as InferInput<S>;
}

describe('the arguments of a handler follow from the schema', () => {
  it('zod 4 raw shape', () => {
    const input = define(
      {
        a: z.string(),
        b: z.number().optional(),
        c: z.boolean().default(true),
        d: z.string().transform(Number),
        e: z.unknown(),
      },
      (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          a: string;
          b?: number | undefined;
          c: boolean;
          d: number;
          e: unknown;
        }>();
      },
    );
    expectTypeOf(input).toEqualTypeOf<{
      a: string;
      b?: number | undefined;
      c?: boolean | undefined;
      d: string;
      e: unknown;
    }>();
  });

  it('zod 4 raw shape, the same as z.infer says of the object', () => {
    const shape = {
      list: z.array(z.object({ n: z.number().nullable() })),
      kind: z.enum(['a', 'b']).optional(),
      either: z.union([z.string(), z.number()]).default('x'),
    };
    type Whole = z.ZodObject<typeof shape>;
    expectTypeOf<InferOutput<typeof shape>>().toEqualTypeOf<z.output<Whole>>();
    expectTypeOf<InferInput<typeof shape>>().toEqualTypeOf<z.input<Whole>>();
  });

  it('zod 4 object', () => {
    define(z.object({ a: z.string(), b: z.number().default(1) }), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b: number }>();
    });
    define(
      z.discriminatedUnion('k', [z.object({ k: z.literal('x') }), z.object({ k: z.literal('y') })]),
      (args) => {
        expectTypeOf(args).toEqualTypeOf<{ k: 'x' } | { k: 'y' }>();
      },
    );
  });

  it('text with a default: a caller may leave it out, a handler has it', () => {
    const input = define(
      { a: 'string', b: 'integer = 20: how many', c: "'x' | 'y' = 'x'", d: 'boolean | null=null' },
      (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: string; b: number; c: 'x' | 'y'; d: boolean | null }>();
      },
    );
    expectTypeOf(input).toEqualTypeOf<{
      a: string;
      b?: number;
      c?: 'x' | 'y';
      d?: boolean | null;
    }>();
    type Problem<Text extends string> = SchemaProblem<{ field: Text }>;
    expectTypeOf<Problem<'integer = 1'>>().toBeNever();
    expectTypeOf<Problem<"integer = 'one'">>().not.toBeNever();
    expectTypeOf<Problem<'string ='>>().not.toBeNever();
    expectTypeOf<Problem<'string? = 1'>>().not.toBeNever();
  });

  it('zod/mini', () => {
    define({ a: mini.string(), b: mini.optional(mini.number()) }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number | undefined }>();
    });
    define(mini.object({ a: mini.string() }), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string }>();
    });
  });

  it('zod 3 raw shape and object', () => {
    const shape = { a: z3.string(), b: z3.number().optional(), c: z3.boolean().default(true) };
    const input = define(shape, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number | undefined; c: boolean }>();
    });
    expectTypeOf(input).toEqualTypeOf<{ a: string; b?: number | undefined; c?: boolean | undefined }>();
    define(z3.object(shape), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number | undefined; c: boolean }>();
    });
  });

  it('arktype', () => {
    define(type({ a: 'string', 'b?': 'number' }), (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b?: number }>();
    });
  });

  it('valibot', () => {
    const schema = toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.number(), 3) }));
    const input = define(schema, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b: number }>();
    });
    expectTypeOf(input).toEqualTypeOf<{ a: string; b?: number | undefined }>();
  });

  it('types written as text', () => {
    define(
      {
        city: 'string: the city',
        days: 'integer?',
        tags: 'string[]',
        grid: 'number[][] ?: rows',
        kind: "'a' | 'b'",
        size: '1 | 2 | true',
        note: 'string | null',
        more: 'object',
        rest: 'any',
        odd: "'a:b' | 'c|d?' | \"it's\" ?: quoted: twice",
        minus: '-1.5 | string []',
      },
      (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          city: string;
          days?: number;
          tags: string[];
          grid?: number[][];
          kind: 'a' | 'b';
          size: 1 | 2 | true;
          note: string | null;
          more: Record<string, unknown>;
          rest: unknown;
          odd?: 'a:b' | 'c|d?' | "it's";
          minus: -1.5 | string[];
        }>();
      },
    );
  });

  it('a shape of several kinds', () => {
    define({ a: z.string().optional(), b: 'number', c: type('boolean') }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a?: string | undefined; b: number; c: boolean }>();
    });
  });

  it('a JSON Schema made of literals', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1 },
        count: { type: 'integer' },
        note: { type: ['string', 'null'] },
        kind: { enum: ['a', 'b', 3, null] },
        fixed: { const: 'x' },
        tags: { type: 'array', items: { type: 'string' } },
        pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'boolean' }], items: false },
        head: { type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'string' } },
        any: { description: 'anything' },
        where: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
        either: { anyOf: [{ type: 'string' }, { type: 'object', properties: { n: { type: 'number' } } }] },
        one: { oneOf: [{ type: 'number' }, { type: 'null' }] },
        both: { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'null' } } }] },
        map: { type: 'object', additionalProperties: { type: 'number' } },
        open: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      },
      required: ['id', 'note', 'both'],
      additionalProperties: false,
    } as const;
    const input = define(schema, (args) => {
      expectTypeOf(args).toEqualTypeOf<{
        id: string;
        count?: number;
        note: string | null;
        kind?: 'a' | 'b' | 3 | null;
        fixed?: 'x';
        tags?: string[];
        pair?: [number, boolean];
        head?: [number, ...string[]];
        any?: unknown;
        where?: { lat: number };
        either?: string | { n?: number };
        one?: number | null;
        both: { a?: string } & { b?: null };
        map?: Record<string, number>;
        open?: { [key: string]: unknown; a?: string };
      }>();
    });
    expectTypeOf(input).toEqualTypeOf<InferOutput<typeof schema>>();
    // Where it is written in place, `as const` is not needed.
    define({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string }>();
    });
    define({ properties: { a: { type: 'string' } } }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a?: string }>();
    });
    define({ anyOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a?: 1 } | { b?: 2 }>();
    });
  });

  it('a JSON Schema that is recursive or very deep ends in unknown', () => {
    interface Tree {
      readonly type: 'object';
      readonly properties: { readonly down: Tree };
    }
    define({ type: 'object', properties: { tree: {} as Tree } }, (args) => {
      expectTypeOf(args.tree?.down?.down?.down?.down?.down?.down?.down).toEqualTypeOf<unknown>();
    });
  });

  it('a JSON Schema whose type does not say', () => {
    define({ type: 'object' }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
    define({ $ref: '#/definitions/a' }, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
    const wide: JsonSchema = { type: 'object' };
    define(wide, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
    const texts = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    define(texts, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
    const halfConst = { type: 'object' as const, properties: { a: { type: 'string' } }, required: ['a'] };
    define(halfConst, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    });
  });

  it('no schema is no arguments', () => {
    define(undefined, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, never>>();
    });
    define({}, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, never>>();
    });
  });

  it('a schema of unknown kind is an open object', () => {
    expectTypeOf<InferOutput<Record<string, z.ZodType>>>().toEqualTypeOf<Record<string, unknown>>();
  });
});
