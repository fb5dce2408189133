// JSON Schemas as forms: what is asked for at each place, and what is wrong with a value.
import { describe, expect, it } from 'vitest';
import { checkValue, findVariant } from '../../src/model/form/check-value.js';
import { readShape } from '../../src/model/form/form-shape.js';
import { initialObject } from '../../src/model/form/initial-value.js';

const labelsOf = (schema: unknown): string[] => {
  const shape = readShape(schema, schema);
  return shape.kind === 'choice' ? shape.options.map(({ label }) => label) : [];
};

describe('readShape', () => {
  it.each([
    [{ type: 'string' }, { kind: 'text', format: 'text' }],
    [
      { type: 'string', format: 'date' },
      { kind: 'text', format: 'date' },
    ],
    [
      { type: 'string', format: 'made-up' },
      { kind: 'text', format: 'text' },
    ],
    [{ type: 'integer' }, { kind: 'number', isInteger: true }],
    [{ minimum: 3 }, { kind: 'number', isInteger: false }],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [{ type: ['string', 'null'] }, { kind: 'text', isNullable: true }],
    [
      { anyOf: [{ type: 'number' }, { type: 'null' }], title: 'N' },
      { kind: 'number', isNullable: true, title: 'N' },
    ],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 2 },
      { kind: 'list', maxItems: 2, minItems: 0 },
    ],
    [
      { items: [{ type: 'string' }], additionalItems: false },
      { kind: 'list', prefix: [{ type: 'string' }], items: false },
    ],
    [{ type: ['string', 'number'] }, { kind: 'union' }],
    [{ properties: {} }, { kind: 'object', properties: [] }],
    [{ not: {} }, { kind: 'json' }],
    [{}, { kind: 'json' }],
    [true, { kind: 'json' }],
    [{ $ref: '#/$defs/gone' }, { kind: 'json' }],
    [{ $ref: '#' }, { kind: 'json' }],
  ])('reads %j', (schema, shape) => {
    expect(readShape(schema, schema)).toMatchObject(shape);
  });

  it('follows references, also into itself', () => {
    const root = {
      $ref: '#/$defs/node',
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node', description: 'the next' } } },
      },
    };
    const shape = readShape(root, root);
    const next = shape.kind === 'object' ? readShape(shape.properties[0]?.schema, root) : undefined;
    expect(next).toMatchObject({ kind: 'object', description: 'the next' });
  });

  it('merges what must all hold', () => {
    const part = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] });
    expect(readShape({ type: 'object', allOf: [part('a'), part('b')] }, {})).toMatchObject({
      kind: 'object',
      properties: [
        { name: 'a', isRequired: true },
        { name: 'b', isRequired: true },
      ],
    });
  });

  it('names what can be chosen', () => {
    expect(labelsOf({ enum: ['a', 1, null, ''] })).toEqual(['a', '1', 'null', '""']);
    expect(labelsOf({ enum: ['a', 'b'], enumNames: ['First', 'Second'] })).toEqual(['First', 'Second']);
    expect(labelsOf({ oneOf: [{ const: 'a', title: 'First' }, { const: 'b' }] })).toEqual(['First', 'b']);
  });

  it('tells the forms of a union apart by their title, their constant, or their type', () => {
    const shape = readShape(
      {
        oneOf: [
          { title: 'By mail', type: 'object' },
          { type: 'object', properties: { kind: { const: 'phone' } } },
          { type: 'string' },
        ],
      },
      {},
    );
    expect(shape.kind === 'union' && shape.variants.map(({ label }) => label)).toEqual([
      'By mail',
      'kind: phone',
      'Text',
    ]);
  });

  it('goes by the value where the schema does not tell', () => {
    expect(readShape(undefined, undefined, 'x').kind).toBe('text');
    expect(readShape({}, {}, [1]).kind).toBe('list');
    expect(readShape(true, {}, { a: 1 }).kind).toBe('object');
    expect(readShape({}, {}, null).kind).toBe('json');
  });
});

describe('checkValue', () => {
  const person = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      mail: { type: 'string', format: 'email' },
      born: { type: 'string', format: 'date' },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
      boss: { $ref: '#' },
      share: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.1 },
    },
    required: ['name'],
    additionalProperties: false,
  };

  it.each([
    [{ name: 'Ada', age: 36, tags: ['a'], share: 0.3, mail: 'a@b', born: '1815-12-10' }, []],
    [{}, [['name', 'is required']]],
    [{ name: '' }, [['name', 'must not be empty']]],
    [{ name: 1 }, [['name', 'must be text']]],
    [{ name: 'A', age: 1.5 }, [['age', 'must be a whole number']]],
    [{ name: 'A', age: -1 }, [['age', 'must be at least 0']]],
    [{ name: 'A', age: 151 }, [['age', 'must be at most 150']]],
    [{ name: 'A', mail: 'nobody' }, [['mail', 'must be an email address']]],
    [{ name: 'A', born: '1815-13-10' }, [['born', 'must be a date like 2026-11-16']]],
    [{ name: 'A', tags: [] }, [['tags', 'must have at least 1 item']]],
    [{ name: 'A', tags: ['a', 'c'] }, [['tags.1', 'must be one of a, b']]],
    [{ name: 'A', share: 0 }, [['share', 'must be more than 0']]],
    [{ name: 'A', share: 0.25 }, [['share', 'must be a multiple of 0.1']]],
    [{ name: 'A', boss: { age: 3 } }, [['boss.name', 'is required']]],
    [{ name: 'A', nick: 'B' }, [['nick', 'is not known here']]],
  ])('says of %j %j', (value, issues) => {
    expect(checkValue(person, value).map(({ path, message }) => [path.join('.'), message])).toEqual(issues);
  });

  it('checks a union by the form that fits best', () => {
    const schema = {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'mail' }, to: { type: 'string' } },
          required: ['kind', 'to'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'call' }, number: { type: 'integer' } },
          required: ['kind'],
        },
      ],
    };
    expect(checkValue(schema, { kind: 'call', number: 'x' })).toEqual([
      { path: ['number'], message: 'must be a number' },
    ]);
    expect(
      findVariant([{ schema: { type: 'string' } }, { schema: { type: 'number', minimum: 5 } }], 3, {}),
    ).toBe(1);
  });

  it('leaves patterns to others: one that never ends would stop the page', () => {
    expect(checkValue({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}b`)).toEqual([]);
  });
});

describe('initialObject', () => {
  it('has defaults, constants, and the objects and lists that are needed', () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', default: 10 },
        kind: { const: 'x' },
        at: { type: 'object', properties: { zone: { default: 'UTC' } } },
        list: { type: 'array', minItems: 2, items: { type: 'string' } },
        name: { type: 'string' },
      },
      required: ['at', 'list', 'name'],
    };
    expect(initialObject(schema)).toEqual({ limit: 10, kind: 'x', at: { zone: 'UTC' }, list: ['', ''] });
  });

  it('ends for a schema that needs itself', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };
    expect(initialObject(schema)).toHaveProperty('next.next.next');
  });
});
