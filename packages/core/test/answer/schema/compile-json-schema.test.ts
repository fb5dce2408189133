import { describe, expect, it } from 'vitest';
import { compileSchema, type SchemaIssue } from '../../../src/answer/schema/compile-schema.js';

const about = { tool: 'bridge', side: 'input' } as const;
const issuesOf = async (schema: unknown, value: unknown): Promise<SchemaIssue[]> => {
  const result = await compileSchema(schema, about).validate(value);
  return result.ok ? [] : result.issues;
};
const properties = (fields: Record<string, unknown>) => ({ type: 'object', properties: fields });

describe('a plain JSON Schema', () => {
  const schema = {
    title: 'Search',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['query'],
    properties: {
      query: { description: 'what to find', type: 'string', 'x-hint': { id: 1 } },
      mode: { enum: ['fast', null, 3] },
      filter: { $ref: '#/$defs/Filter' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      limit: { type: 'integer', default: 10 },
    },
    additionalProperties: false,
    $defs: {
      Filter: { type: 'object', properties: { not: { $ref: '#/$defs/Filter' }, tag: { type: 'string' } } },
    },
  };

  it('is listed byte for byte, before and after validation', async () => {
    const text = JSON.stringify(schema);
    const compiled = compileSchema(schema, about);
    expect(JSON.stringify(compiled.jsonSchema)).toBe(text);
    await compiled.validate({ query: 'x', filter: { not: { tag: 'a' } } });
    expect(JSON.stringify(compiled.jsonSchema)).toBe(text);
    expect(JSON.stringify(schema)).toBe(text);
  });

  it('is not changed by what becomes of the object it was given as', () => {
    const given = properties({ a: { type: 'string' } });
    const { jsonSchema } = compileSchema(given, about);
    given.properties = {};
    expect(jsonSchema['properties']).toEqual({ a: { type: 'string' } });
  });

  it('takes a frozen schema', async () => {
    const frozen = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ $ref: '#' }) }),
    });
    expect(await compileSchema(frozen, about).validate({ a: {} })).toEqual({ ok: true, value: { a: {} } });
  });

  it('hands on what was sent: no defaults, nothing dropped', async () => {
    const open = { type: 'object', properties: { limit: { type: 'integer', default: 10 } } };
    const sent = { other: 1 };
    const result = await compileSchema(open, about).validate(sent);
    expect(result).toEqual({ ok: true, value: { other: 1 } });
    expect(result).toHaveProperty('value', sent);
  });

  it('answers at once after the first call, and takes first calls side by side', async () => {
    const compiled = compileSchema(schema, about);
    const results = await Promise.all(
      [{ query: 'a' }, {}, { query: 'b' }].map(async (value) => compiled.validate(value)),
    );
    expect(results.map((result) => result.ok)).toEqual([true, false, true]);
    expect(compiled.validate({ query: 'x' })).toEqual({ ok: true, value: { query: 'x' } });
  });

  it('reads a call without arguments as an empty object', async () => {
    expect(await compileSchema({ type: 'object' }, about).validate(undefined)).toEqual({
      ok: true,
      value: {},
    });
  });

  it.each([null, [], 'x', 1])('refuses %j as the arguments', async (value) => {
    expect(await issuesOf({ type: 'object' }, value)).toEqual([{ path: [], message: 'Expected object' }]);
  });
});

describe('the mistakes in a value', () => {
  const cases: [string, unknown, unknown, SchemaIssue[]][] = [
    ['a wrong type', properties({ a: { type: 'string' } }), { a: 1 }, [{ path: ['a'], message: 'Expected string, received number' }]],
    ['wrong types', properties({ a: { type: ['string', 'null'] } }), { a: 1 }, [{ path: ['a'], message: 'Expected string or null, received number' }]],
    ['a missing property', { type: 'object', required: ['a'] }, {}, [{ path: ['a'], message: 'Required, but missing' }]],
    ['a missing property below', properties({ a: { type: 'object', required: ['b'] } }), { a: {} }, [{ path: ['a', 'b'], message: 'Required, but missing' }]],
    ['an unknown property', { type: 'object', additionalProperties: false }, { 'x/y~z': 1 }, [{ path: ['x/y~z'], message: 'Not an allowed property' }]],
    ['a choice', properties({ a: { enum: ['x', 'y'] } }), { a: 'z' }, [{ path: ['a'], message: 'Expected one of "x","y", received "z"' }]],
    ['a constant', properties({ a: { const: 1 } }), { a: 2 }, [{ path: ['a'], message: 'Expected 1, received 2' }]],
    ['an item', properties({ a: { type: 'array', items: { type: 'integer' } } }), { a: [1, 'x'] }, [{ path: ['a', 1], message: 'Expected integer, received string' }]],
    ['a bound', properties({ a: { type: 'number', minimum: 3 } }), { a: 1 }, [{ path: ['a'], message: '1 is less than 3' }]],
    ['a length', properties({ a: { type: 'string', minLength: 3 } }), { a: 'x' }, [{ path: ['a'], message: 'String is too short (1 < 3)' }]],
    ['a format', properties({ a: { type: 'string', format: 'email' } }), { a: 'x' }, [{ path: ['a'], message: 'String does not match format "email"' }]],
    ['a reference', { ...properties({ a: { $ref: '#/$defs/N' } }), $defs: { N: { type: 'number' } } }, { a: 'x' }, [{ path: ['a'], message: 'Expected number, received string' }]],
    ['a number among keys', properties({ 0: { type: 'string' } }), { 0: 1 }, [{ path: ['0'], message: 'Expected string, received number' }]],
    ['forbidden', properties({ a: { not: { type: 'string' } } }), { a: 'x' }, [{ path: ['a'], message: 'Has a form that is not allowed' }]],
    [
      'several at once',
      { ...properties({ a: { type: 'string' }, b: { type: 'number' } }), required: ['c'] },
      { a: 1, b: 'x' },
      [
        { path: ['c'], message: 'Required, but missing' },
        { path: ['a'], message: 'Expected string, received number' },
        { path: ['b'], message: 'Expected number, received string' },
      ],
    ],
    [
      'a union',
      properties({ a: { anyOf: [{ type: 'string' }, { type: 'object', required: ['k'], additionalProperties: false }] } }),
      { a: { z: 1 } },
      [{ path: ['a'], message: 'Matches none of the allowed forms: (1) Expected string, received object; (2) k: Required, but missing, z: Not an allowed property' }],
    ],
    [
      'two forms where one must fit',
      properties({ a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } }),
      { a: 1 },
      [{ path: ['a'], message: 'Matches 2 of the allowed forms, but must match exactly one' }],
    ],
    [
      'a condition',
      { ...properties({ a: {} }), if: { maxProperties: 0 }, else: { required: ['b'] } },
      { a: 1 },
      [{ path: ['b'], message: 'Required, but missing' }],
    ],
  ]; // prettier-ignore
  it.each(cases)('are told readably: %s', async (_name, schema, value, issues) => {
    expect(await issuesOf(schema, value)).toEqual(issues);
  });
});

describe('the dialect', () => {
  const tuple = (items: unknown, $schema?: string) => ({
    ...($schema && { $schema }),
    ...properties({ a: items }),
  });

  it('is 2020-12 unless said otherwise', async () => {
    const schema = tuple({ prefixItems: [{ type: 'string' }] });
    expect(await issuesOf(schema, { a: [1] })).toHaveLength(1);
  });

  it('is read from $schema: a $ref hides its neighbours in draft-07, and does not later', async () => {
    const schema = {
      ...properties({ a: { $ref: '#/definitions/S', minLength: 3 } }),
      definitions: { S: { type: 'string' } },
    };
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
    expect(await issuesOf(old, { a: 'x' })).toEqual([]);
    expect(await issuesOf(schema, { a: 'x' })).toHaveLength(1);
  });

  it('may be draft-04, where exclusive bounds are flags', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...properties({ a: { minimum: 3, exclusiveMinimum: true } }),
    };
    expect(await issuesOf(schema, { a: 3 })).toHaveLength(1);
    expect(await issuesOf(schema, { a: 4 })).toEqual([]);
  });
});

describe('what the validator would trip over', () => {
  it('examples with an id, used twice', async () => {
    const field = { type: 'object', example: { id: 'same' }, 'x-sample': { $id: 'same' } };
    expect(await issuesOf(properties({ a: field, b: field }), { a: {}, b: 1 })).toHaveLength(1);
  });

  it('a pattern that is only valid without the u flag is listed, and not enforced', async () => {
    const schema = properties({ a: { type: 'string', pattern: '^[\\w-.]+\\-$' } });
    expect(compileSchema(schema, about).jsonSchema).toEqual(schema);
    expect(await issuesOf(schema, { a: '???' })).toEqual([]);
  });

  it('undefined and dates in a result, which are checked as they will be sent', async () => {
    const schema = {
      ...properties({ a: { type: 'string' }, at: { type: 'string' } }),
      additionalProperties: false,
    };
    const value = { a: undefined, at: new Date(0) };
    const compiled = compileSchema(schema, { tool: 'bridge', side: 'output' });
    expect(await compiled.validate(value)).toEqual({ ok: true, value });
  });
});

describe('a broken JSON Schema is refused when the tool is defined', () => {
  const cases: [string, string, unknown, RegExp][] = [
    ['a type that is none', '#/properties/a', properties({ a: { type: 'text' } }), /type "text".*string/],
    ['a dangling reference', '#/properties/a', properties({ a: { $ref: '#/$defs/Gone' } }), /"#\/\$defs\/Gone".*\$defs/],
    ['a reference to elsewhere', '#/properties/a', properties({ a: { $ref: 'https://example.com/a.json' } }), /not in the schema/],
    ['required as a flag', '#/properties/a', properties({ a: { type: 'string', required: true } }), /list of names/],
    ['a broken pattern', '#/properties/a', properties({ a: { pattern: '(' } }), /not a valid regular expression/],
    ['properties as a list', '#', { type: 'object', properties: [] }, /must map names to schemas/],
    ['anyOf as an object', '#/properties/a/items', properties({ a: { items: { anyOf: {} } } }), /not an array/],
  ]; // prettier-ignore
  it.each(cases)('%s', (_name, path, schema, message) => {
    expect(() => compileSchema(schema, about)).toThrow(expect.objectContaining({ tool: 'bridge', path }));
    expect(() => compileSchema(schema, about)).toThrow(message);
  });

  it('a schema that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema['properties'] = { self: schema };
    expect(() => compileSchema(schema, about)).toThrow(/contains itself/);
  });

  it('references by anchor, by inner $id and to the root are fine', async () => {
    const schema = {
      ...properties({ a: { $ref: '#here' }, b: { $ref: '#' }, c: { $ref: '#/$defs/With%20space~1slash' } }),
      $defs: { X: { $anchor: 'here', type: 'number' }, 'With space/slash': { type: 'string' } },
    };
    expect(await issuesOf(schema, { a: 1, b: { a: 2 }, c: 'x' })).toEqual([]);
    expect(await issuesOf(schema, { a: 'x', b: { a: 'y' }, c: 1 })).toHaveLength(3);
  });
});
