// Schemas of every draft in the form the CLI's validator takes. What each CLI does with each keyword was found by giving
// it one alone; see docs/discoveries/structured-output.md.
import { Validator, type SchemaDraft } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { toDraft07 } from '../../../src/answer/schema/draft-07/to-draft-07.js';
import type { JsonSchema } from '../../../src/answer/schema/compiled-schema.js';

const S = { type: 'string' };
const N = { type: 'number' };
const of = (a: unknown, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties: { a },
  ...more,
});

describe('a schema the CLI takes', () => {
  it.each<[string, JsonSchema]>([
    ['plain', of(S)],
    ['of draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', ...of(S) }],
    ['with definitions', of({ $ref: '#/$defs/x', minLength: 1 }, { $defs: { x: S } })],
    ['that refers to itself', of({ $ref: '#' })],
    ['with a list of items', of({ type: 'array', items: [S, N], additionalItems: false })],
    ['with formats', of({ ...S, format: 'email' })],
    ['with ids', of({ $ref: 'b' }, { $id: 'https://x.test/a', $defs: { b: { $id: 'b', ...S } } })],
    ['with a definition that nobody uses and that is wrong', of(S, { $defs: { x: { type: 'strng' } } })],
    [
      'with properties that are called like keywords',
      of({ type: 'object', properties: { prefixItems: S, id: S } }),
    ],
  ])('%s is passed on as the same object', (_, schema) => {
    const made = toDraft07(schema);
    expect(made).toEqual({ schema, lost: [] });
    expect(made.schema).toBe(schema);
  });
});

/** A schema, what becomes of it, and values that tell whether both mean the same. */
type Rewriting = [title: string, given: JsonSchema, made: JsonSchema, values: unknown[]];

const REWRITINGS: Rewriting[] = [
  ['another dialect', of(S, { $schema: 'https://json-schema.org/draft/2020-12/schema' }), of(S), ['x', 1]],
  [
    'prefixItems',
    of({ type: 'array', prefixItems: [S, N] }),
    of({ type: 'array', items: [S, N] }),
    [[], ['x'], ['x', 1], ['x', 1, true], [1]],
  ],
  [
    'prefixItems with items',
    of({ type: 'array', prefixItems: [S], items: false }),
    of({ type: 'array', additionalItems: false, items: [S] }),
    [[], ['x'], ['x', 1], [1]],
  ],
  [
    'no prefixItems',
    of({ type: 'array', prefixItems: [], items: S }),
    of({ type: 'array', items: S }),
    [['x'], [1]],
  ],
  [
    'dependentRequired and dependentSchemas',
    of({
      dependentRequired: { b: ['c'] },
      dependentSchemas: { b: { minProperties: 3 }, d: { required: ['b'] } },
    }),
    of({
      dependencies: { b: { allOf: [{ required: ['c'] }, { minProperties: 3 }] }, d: { required: ['b'] } },
    }),
    [{}, { b: 1 }, { b: 1, c: 1 }, { b: 1, c: 1, e: 1 }, { d: 1 }, { d: 1, b: 1, c: 1 }],
  ],
  [
    'unevaluatedProperties beside properties only',
    of({ type: 'object', properties: { b: S }, unevaluatedProperties: false }),
    of({ type: 'object', properties: { b: S }, additionalProperties: false }),
    [{}, { b: 'x' }, { c: 1 }],
  ],
  [
    'unevaluatedItems',
    of({ type: 'array', prefixItems: [S], unevaluatedItems: N }),
    of({ type: 'array', items: [S], additionalItems: N }),
    [
      ['x', 1],
      ['x', 'y'],
    ],
  ],
  [
    'minContains 0',
    of({ type: 'array', contains: S, minContains: 0 }),
    of({ type: 'array' }),
    [[], [1], ['x']],
  ],
  ['minContains 1', of({ contains: S, minContains: 1 }), of({ contains: S }), [[], [1], ['x']]],
  [
    'an anchor',
    of({ $ref: '#A' }, { $defs: { x: { $anchor: 'A', ...S } } }),
    of({ $ref: '#/$defs/x' }, { $defs: { x: S } }),
    ['x', 1],
  ],
  [
    'a dynamic anchor',
    of({ $dynamicRef: '#A' }, { $defs: { x: { $dynamicAnchor: 'A', ...S } } }),
    of({ $ref: '#/$defs/x' }, { $defs: { x: S } }),
    // The validator here does not follow these.
    ['x'],
  ],
  [
    'a reference to what has moved',
    { type: 'object', properties: { a: { $ref: '#/properties/b/prefixItems/0' }, b: { prefixItems: [S] } } },
    { type: 'object', properties: { a: { $ref: '#/properties/b/items/0' }, b: { items: [S] } } },
    ['x', 1],
  ],
  [
    'a property that a pattern matches, too',
    of({
      properties: { x1: N, y: S },
      patternProperties: { '^x': { minimum: 5 } },
      additionalProperties: false,
    }),
    of({
      properties: { y: S },
      patternProperties: { '^x': { minimum: 5 } },
      additionalProperties: false,
      allOf: [{ properties: { x1: N } }],
    }),
    [{ x1: 7 }, { x1: 1 }, { x1: 'x' }, { x2: 7 }, { z: 1 }, { y: 'x' }],
  ],
  ['values that come twice', of({ enum: ['x', 'x', 1] }), of({ enum: ['x', 1] }), ['x', 1, 2]],
  ['no values', of({ enum: [] }), of({ allOf: [{ not: {} }] }), ['x']],
  ['then without if', of(S, JSON.parse('{"then":false}') as JsonSchema), of(S), ['x']],
  ['if alone', of(S, { if: { required: ['b'] } }), of(S), ['x']],
  [
    'additionalItems without a list',
    of({ items: S, additionalItems: false }),
    of({ items: S }),
    [['x'], [1]],
  ],
  [
    'keywords nobody knows',
    of({ ...S, 'x-own': { type: 'strng' }, propertyOrdering: [1], discriminator: { propertyName: 'a' } }),
    of(S),
    ['x', 1],
  ],
  ['an example', of({ ...S, example: 'x' }), of({ ...S, examples: ['x'] }), ['x']],
  ['notes that are no texts', of({ ...S, title: null, description: 5 }), of(S), ['x']],
  ['nullable without a type', of({ nullable: true }), of({}), [null]],
];

const isValid = (schema: JsonSchema, draft: SchemaDraft, value: unknown): boolean =>
  new Validator(structuredClone(schema), draft).validate({ a: value }).valid;

describe('a schema the CLI does not take', () => {
  it.each(REWRITINGS)('with %s is written in its way, and means the same', (_, given, made, values) => {
    const before = structuredClone(given);
    expect(toDraft07(given)).toEqual({ schema: made, lost: [] });
    expect(given).toEqual(before);
    for (const value of values)
      expect({ value, valid: isValid(made, '7', value) }).toEqual({
        value,
        valid: isValid(given, '2020-12', value),
      });
  });

  it('of draft-04 keeps its ids and its exclusive bounds', () => {
    const given = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'r',
      ...of({ minimum: 1, exclusiveMinimum: true }),
    };
    expect(toDraft07(given).schema).toEqual({ $id: 'r', ...of({ exclusiveMinimum: 1 }) });
  });

  it('keeps an own property called __proto__', () => {
    const given = JSON.parse('{"type":"object","dependentRequired":{"__proto__":["b"]}}') as JsonSchema;
    expect(JSON.stringify(toDraft07(given).schema)).toBe(
      '{"type":"object","dependencies":{"__proto__":["b"]}}',
    );
  });

  it.each<[string, JsonSchema, string[]]>([
    ['minContains', { contains: S, minContains: 2 }, ['minContains']],
    [
      'maxContains',
      { contains: S, minContains: 0, maxContains: 2 },
      ['minContains', 'maxContains', 'contains'],
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { b: S } }], unevaluatedProperties: false },
      ['unevaluatedProperties'],
    ],
    ['unevaluatedItems', { contains: S, unevaluatedItems: false }, ['unevaluatedItems']],
    ['a pattern', { pattern: '^\\_$' }, ['pattern']],
  ])('loses %s, which draft-07 cannot say; the model is told', (_, part, lost) => {
    const made = toDraft07(of({ description: 'D.', ...part }));
    expect(made.lost).toEqual(lost.map((keyword) => `${keyword} at #/properties/a`));
    const a = (made.schema['properties'] as { a: JsonSchema }).a;
    for (const keyword of lost) expect(a).not.toHaveProperty(keyword);
    const told = JSON.stringify(Object.fromEntries(lost.map((keyword) => [keyword, part[keyword]])));
    expect(a['description']).toBe(`D. (Must also satisfy this JSON Schema: ${told})`);
  });

  it('loses formats on a CLI that does not know any', () => {
    const made = toDraft07(of({ ...S, format: 'email' }), false);
    expect(made.lost).toEqual(['format at #/properties/a']);
    expect(made.schema).toEqual(
      of({ ...S, description: '(Must also satisfy this JSON Schema: {"format":"email"})' }),
    );
  });

  it.each<[string, JsonSchema, RegExp]>([
    [
      'an unknown type',
      of({ type: 'strng' }),
      /has a "type" at #\/properties\/a that is not one of object, array/,
    ],
    [
      'a bound that is no number',
      of({ ...N, minimum: '1' }),
      /"minimum" at #\/properties\/a that is not a number/,
    ],
    ['a negative length', of({ ...S, minLength: -1 }), /"minLength" .* whole number of at least 0/],
    ['a bad pattern', of({ ...S, pattern: '(' }), /"pattern" .* regular expression/],
    ['no alternatives', of({ anyOf: [] }), /"anyOf" .* list of at least one schema/],
    ['a reference to nothing', of({ $ref: '#/$defs/y' }), /refers at #\/properties\/a to "#\/\$defs\/y"/],
    [
      'a reference to elsewhere',
      of({ $ref: 'https://x.test/z' }),
      /to "https:\/\/x\.test\/z", which is not in it/,
    ],
    [
      'a used definition that is wrong',
      of({ $ref: '#/$defs/x' }, { $defs: { x: { type: 5 } } }),
      /#\/\$defs\/x/,
    ],
    ['one id twice', of({ $id: 'x' }, { $id: 'x' }), /two schemas with the "\$id" "x"/],
  ])('and has no form for %s names it', (_, schema, says) => {
    expect(toDraft07(schema).problem).toMatch(says);
  });

  it('that is no JSON has no form', () => {
    const circle: JsonSchema = {};
    circle['properties'] = circle;
    expect(toDraft07(circle).problem).toMatch(/^cannot be written as JSON: /);
  });
});
