// Random schemas, each built in three generations of zod: the listings agree with each other and with zod's own
// converter, and what a listing admits is what the validator takes.
import { Validator, type Schema } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod-3';
import * as mini from 'zod/mini';
import { compileSchema, type JsonSchema } from '../../../src/answer/schema/compile-schema.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

const about = { tool: 'demo', side: 'input' } as const;
const RUNS = propertyOptions(150);

type Tree =
  | { kind: 'string'; min: number; text?: string }
  | { kind: 'number'; min: number; whole: boolean }
  | { kind: 'boolean' | 'null' | 'any' }
  | { kind: 'choice'; values: string[] }
  | { kind: 'array'; item: Tree; min: number }
  | { kind: 'tuple'; items: Tree[] }
  | { kind: 'record' | 'nullable'; inner: Tree }
  | { kind: 'union'; options: Tree[] }
  | { kind: 'object'; fields: { name: string; field: Tree; optional: boolean }[] };

const small = fc.integer({ min: 0, max: 3 });
const word = fc.stringMatching(/^[a-z]{1,4}$/);

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      kind: fc.constant('string' as const),
      min: small,
      text: fc.option(word, { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('number' as const), min: small, whole: fc.boolean() }),
    fc.record({ kind: fc.constantFrom('boolean' as const, 'null' as const, 'any' as const) }),
    fc.record({
      kind: fc.constant('choice' as const),
      values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('array' as const),
      item: tie('tree'),
      min: fc.integer({ min: 0, max: 1 }),
    }),
    fc.record({
      kind: fc.constant('tuple' as const),
      items: fc.array(tie('tree'), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ kind: fc.constantFrom('record' as const, 'nullable' as const), inner: tie('tree') }),
    fc.record({
      kind: fc.constant('union' as const),
      options: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('object' as const),
      fields: fc.uniqueArray(fc.record({ name: word, field: tie('tree'), optional: fc.boolean() }), {
        selector: (entry) => entry.name,
        maxLength: 3,
      }),
    }),
  ),
}));

/** Values of which many fit the schema and many do not. */
function valueFor(node: Tree): fc.Arbitrary<unknown> {
  const fitting = (): fc.Arbitrary<unknown> => {
    switch (node.kind) {
      case 'string':
        return word;
      case 'number':
        return fc.oneof(fc.integer({ min: -2, max: 9 }), fc.constant(2.5));
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'choice':
        return fc.constantFrom(...node.values);
      case 'array':
        return fc.array(valueFor(node.item), { maxLength: 2 });
      case 'tuple':
        return fc.tuple(...node.items.map(valueFor));
      case 'record':
        return fc.dictionary(word, valueFor(node.inner), { maxKeys: 2 });
      case 'nullable':
        return fc.option(valueFor(node.inner));
      case 'union':
        return fc.oneof(...node.options.map(valueFor));
      case 'object':
        return fc.record(Object.fromEntries(node.fields.map(({ name, field }) => [name, valueFor(field)])), {
          requiredKeys: node.fields.filter(({ name }) => name < 't').map(({ name }) => name),
        });
      default:
        return fc.constantFrom('x', 1);
    }
  };
  const stray = fc.constantFrom<unknown>(null, 'x', 1, -1, true, [], {}, { a: 1 });
  return fc.oneof({ weight: 12, arbitrary: fitting() }, { weight: 1, arbitrary: stray });
}

function buildZod4(node: Tree): z.ZodType {
  switch (node.kind) {
    case 'string': {
      const base = node.min > 0 ? z.string().min(node.min) : z.string();
      return node.text === undefined ? base : base.describe(node.text);
    }
    case 'number':
      return node.whole ? z.int().min(node.min) : z.number().min(node.min);
    case 'boolean':
      return z.boolean();
    case 'null':
      return z.null();
    case 'any':
      return z.any();
    case 'choice':
      return z.enum(node.values);
    case 'array':
      return node.min > 0 ? z.array(buildZod4(node.item)).min(node.min) : z.array(buildZod4(node.item));
    case 'tuple':
      return z.tuple(node.items.map(buildZod4) as [z.ZodType]);
    case 'record':
      return z.record(z.string(), buildZod4(node.inner));
    case 'nullable':
      return buildZod4(node.inner).nullable();
    case 'union':
      return z.union(node.options.map(buildZod4));
    default:
      return z.object(
        Object.fromEntries(
          node.fields.map(({ name, field, optional }) => [
            name,
            optional ? buildZod4(field).optional() : buildZod4(field),
          ]),
        ),
      );
  }
}

function buildMini(node: Tree): mini.ZodMiniType {
  switch (node.kind) {
    case 'string': {
      const base = node.min > 0 ? mini.string().check(mini.minLength(node.min)) : mini.string();
      return node.text === undefined ? base : base.check(mini.describe(node.text));
    }
    case 'number':
      return (node.whole ? mini.int() : mini.number()).check(mini.gte(node.min));
    case 'boolean':
      return mini.boolean();
    case 'null':
      return mini.null();
    case 'any':
      return mini.any();
    case 'choice':
      return mini.enum(node.values);
    case 'array':
      return node.min > 0
        ? mini.array(buildMini(node.item)).check(mini.minLength(node.min))
        : mini.array(buildMini(node.item));
    case 'tuple':
      return mini.tuple(node.items.map(buildMini) as [mini.ZodMiniType]);
    case 'record':
      return mini.record(mini.string(), buildMini(node.inner));
    case 'nullable':
      return mini.nullable(buildMini(node.inner));
    case 'union':
      return mini.union(node.options.map(buildMini));
    default:
      return mini.object(
        Object.fromEntries(
          node.fields.map(({ name, field, optional }) => [
            name,
            optional ? mini.optional(buildMini(field)) : buildMini(field),
          ]),
        ),
      );
  }
}

function buildZod3(node: Tree): z3.ZodTypeAny {
  switch (node.kind) {
    case 'string':
      return z3.string().min(node.min);
    case 'number':
      return node.whole ? z3.number().int().min(node.min) : z3.number().min(node.min);
    case 'boolean':
      return z3.boolean();
    case 'null':
      return z3.null();
    case 'any':
      return z3.any();
    case 'choice':
      return z3.enum(node.values as [string]);
    case 'array':
      return z3.array(buildZod3(node.item)).min(node.min);
    case 'tuple':
      return z3.tuple(node.items.map(buildZod3) as [z3.ZodTypeAny]);
    case 'record':
      return z3.record(buildZod3(node.inner));
    case 'nullable':
      return buildZod3(node.inner).nullable();
    case 'union':
      return z3.union(node.options.map(buildZod3) as [z3.ZodTypeAny, z3.ZodTypeAny]);
    default:
      return z3.object(
        Object.fromEntries(
          node.fields.map(({ name, field, optional }) => [
            name,
            optional ? buildZod3(field).optional() : buildZod3(field),
          ]),
        ),
      );
  }
}

const treeAndValue = tree.chain((node) => fc.tuple(fc.constant(node), valueFor(node)));

describe('random schemas', () => {
  it('are listed as zod 4 lists them, and alike from zod/mini', () => {
    fc.assert(
      fc.property(tree, (node) => {
        const field = buildZod4(node);
        const golden = z.toJSONSchema(z.object({ field }), { io: 'input', target: 'draft-7' });
        const text = JSON.stringify(compileSchema({ field }, about).jsonSchema);
        expect(text).toBe(JSON.stringify(golden));
        expect(JSON.stringify(compileSchema({ field: buildMini(node) }, about).jsonSchema)).toBe(text);
      }),
      RUNS,
    );
  });

  it('validate in a raw shape as in z.object', () => {
    fc.assert(
      fc.property(treeAndValue, ([node, value]) => {
        const field = buildZod4(node);
        const golden = z.object({ field }).safeParse({ field: value });
        const result = compileSchema({ field }, about).validate({ field: value });
        if (golden.success) expect(result).toEqual({ ok: true, value: golden.data });
        else
          expect(result).toMatchObject({
            ok: false,
            issues: golden.error.issues.map(({ path }) => ({ path })),
          });
      }),
      RUNS,
    );
  });

  it.each([
    ['zod 4', buildZod4],
    ['zod/mini', buildMini],
    ['zod 3', buildZod3],
  ] as const)('admit in their listing what the validator takes: %s', (_name, build) => {
    let taken = 0;
    fc.assert(
      fc.property(treeAndValue, ([node, value]) => {
        const { jsonSchema, validate } = compileSchema({ field: build(node) }, about);
        const listed = new Validator(openObjects(jsonSchema) as Schema, '7').validate({ field: value }).valid;
        const { ok } = validate({ field: value }) as { ok: boolean };
        if (ok) taken += 1;
        expect(listed).toBe(ok);
      }),
      { ...RUNS, numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(30);
  });

  it('say as plain JSON Schema what zod says, with bounds, patterns, literals, defaults and kinds of objects', async () => {
    let [taken, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        richSchema,
        fc.array(richValue, { minLength: 3, maxLength: 6 }),
        async (field, values) => {
          const whole = z.object({ field });
          const { jsonSchema } = compileSchema(whole, about);
          const { validate } = compileSchema(jsonSchema, about);
          for (const value of values) {
            // As it comes from the wire: nothing in it is undefined.
            const given = JSON.parse(JSON.stringify({ field: value })) as { field?: unknown };
            const { ok } = await validate(given);
            expect({ given, ok }).toEqual({ given, ok: whole.safeParse(given).success });
            if (ok) taken += 1;
            else refused += 1;
          }
        },
      ),
      propertyOptions(250),
    );
    expect(taken).toBeGreaterThan(40);
    expect(refused).toBeGreaterThan(100);
  });
});

const tiny = fc.constantFrom('a', 'b', 'c');
const bound = fc.integer({ min: 0, max: 4 });
/** What zod 4 can say that also JSON Schema can, of a few names and small values, so that many fit. */
const { rich: richSchema } = fc.letrec<{ rich: z.ZodType; leaf: z.ZodType }>((tie) => ({
  leaf: fc.oneof(
    bound.map((most) => z.string().max(most)),
    fc.constantFrom(/^[ab]+$/, /^a/, /c$/, /^(?:a|bc)?$/).map((pattern) => z.string().regex(pattern)),
    tiny.map((start) => z.string().startsWith(start)),
    bound.map((most) => z.number().max(most)),
    bound.map((least) => z.number().gt(least)),
    bound.map((most) => z.int().lt(most)),
    fc.constantFrom(2, 3, 0.5).map((step) => z.number().multipleOf(step)),
    tiny.map((value) => z.literal(value)),
    fc.constant(z.literal(['a', 1, null, true])),
    fc.constantFrom(z.boolean(), z.null(), z.unknown(), z.never(), z.string().default('a')),
  ),
  rich: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: tie('leaf') },
    fc.tuple(tie('rich'), bound).map(([item, most]) => z.array(item).max(most)),
    fc.tuple(tie('leaf'), tie('rich')).map(([first, rest]) => z.tuple([first], rest)),
    fc.tuple(tie('leaf'), tie('rich')).map(([one, two]) => z.strictObject({ a: one, b: two.optional() })),
    fc.tuple(tie('leaf'), tie('rich')).map(([one, two]) => z.looseObject({ a: one.optional(), b: two })),
    fc.tuple(tie('leaf'), tie('rich')).map(([one, rest]) => z.object({ a: one }).catchall(rest)),
    fc.tuple(tie('leaf'), tie('leaf')).map(([one, two]) => z.object({ a: one }).and(z.object({ b: two }))),
    fc
      .tuple(tie('leaf'), tie('leaf'))
      .map(([one, two]) =>
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('a'), a: one }),
          z.object({ kind: z.literal('b'), b: two.optional() }),
        ]),
      ),
    tie('rich').map((inner) => z.partialRecord(z.enum(['a', 'b']), inner)),
    tie('rich').map((inner) => inner.nullable()),
    tie('rich').map((inner) => inner.optional()),
    fc.tuple(tie('rich'), tie('leaf')).map(([one, two]) => z.union([one, two])),
  ),
}));
const { value: richValue } = fc.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.constantFrom<unknown>('a', 'ab', 'bc', '', 'cccc', 0, 1, 2, 3, 2.5, 6, -1, null, true, false),
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: tie('leaf') },
    fc.constant(undefined),
    fc.array(tie('leaf'), { maxLength: 3 }),
    fc.record({ a: tie('value'), b: tie('value'), kind: tiny, c: tie('leaf') }, { requiredKeys: [] }),
  ),
}));

/** zod 3 lists its objects as closed, and then takes and drops unknown keys. */
function openObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(openObjects);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node as JsonSchema).filter(
    ([key, value]) => key !== 'additionalProperties' || value !== false,
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, openObjects(value)]));
}
