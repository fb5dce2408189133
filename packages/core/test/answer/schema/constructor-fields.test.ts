import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SchemaError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';

class Article {
  title = '';
}

/** What is written, and what the error says to write instead. */
const FIELDS: [string, unknown, string][] = [
  ['String', String, "the function String, not a type. Write 'string'."],
  ['Number', Number, "the function Number, not a type. Write 'number'."],
  ['Boolean', Boolean, "the function Boolean, not a type. Write 'boolean'."],
  ['BigInt', BigInt, "the function BigInt, not a type. Write 'integer'."],
  ['Array', Array, "the function Array, not a type. Write 'array', or for instance 'string[]'."],
  ['Object', Object, "the function Object, not a type. Write 'object'."],
  [
    'Date',
    Date,
    "the function Date, not a type. Write 'string: a date such as 2026-01-31', because JSON has no dates.",
  ],
  [
    'Article',
    Article,
    "the function Article, not a type. Write the type as a text such as 'string', or pass a schema of a library such as zod.",
  ],
  ['[String]', [String], "a list of the function String, not a type. Write 'string[]'."],
  ['[Date]', [Date], "a list of the function Date, not a type. Write 'any[]'."],
  ['{ type: Number }', { type: Number }, "an object with the function Number, not a type. Write 'number'."],
];

const handler = () => 'done';
const FORMS: [string, (schema: Record<string, unknown>) => unknown][] = [
  ['in the positional form', (schema) => tool('find', 'Finds', schema, handler)],
  ['in the positional form, read-only', (schema) => tool.readOnly('find', 'Finds', schema, handler)],
  ['in one object', (schema) => tool({ name: 'find', inputSchema: schema, run: handler })],
  ['in one object with handler', (schema) => tool({ name: 'find', inputSchema: schema, handler })],
  [
    'in a plain object of a server',
    (schema) =>
      createSdkMcpServer({
        name: 's',
        tools: [{ name: 'find', description: '', inputSchema: schema, handler }],
      }),
  ],
];

describe.each(FORMS)('a constructor as the type of a field, %s', (_form, define) => {
  it.each(FIELDS)('is refused at once: %s', (_name, type, advice) => {
    for (const schema of [{ name: type }, { id: 'string', name: type }, { id: z.string(), name: type }]) {
      let thrown: unknown;
      try {
        define(schema);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(SchemaError);
      expect(thrown).toMatchObject({ tool: 'find', path: 'name' });
      expect((thrown as Error).message).toContain(`at "name" is ${advice}`);
    }
  });
});

/** What is written inside a JSON Schema, where it is, and what to write instead. */
const IN_JSON: [string, Record<string, unknown>, string, string][] = [
  [
    'a: { type: String }',
    { type: 'object', properties: { a: { type: String } }, required: ['a'] },
    'properties.a',
    "is an object with the function String, not a type. Write { type: 'string' }.",
  ],
  [
    'a: String',
    { type: 'object', properties: { a: String } },
    'properties.a',
    "is the function String, not a type. Write { type: 'string' }.",
  ],
  [
    'a: [Number]',
    { type: 'object', properties: { a: [Number] } },
    'properties.a',
    "is a list of the function Number, not a type. Write { type: 'array', items: { type: 'number' } }.",
  ],
  [
    'items: Boolean',
    { type: 'object', properties: { a: { type: 'array', items: Boolean } } },
    'properties.a.items',
    "Write { type: 'boolean' }.",
  ],
  [
    'anyOf: [String, …]',
    { type: 'object', properties: { a: { anyOf: [String, { type: 'null' }] } } },
    'properties.a.anyOf.0',
    "Write { type: 'string' }.",
  ],
  [
    'type: [String, …]',
    { type: 'object', properties: { a: { type: [String, 'null'] } } },
    'properties.a.type.0',
    "Write 'string'.",
  ],
  [
    '$defs',
    { type: 'object', $defs: { day: Date } },
    '$defs.day',
    "Write { type: 'string', format: 'date' }",
  ],
  ['type: Object', { type: Object, properties: {} }, 'type', "Write 'object'."],
  [
    'a Map',
    { type: 'object', properties: new Map() },
    'properties',
    'is an object of the class Map, not a schema.',
  ],
  [
    'a promise',
    { type: 'object', properties: { a: Promise.resolve() } },
    'properties.a',
    'is a promise. Await it',
  ],
];

describe.each(FORMS)('a constructor inside a JSON Schema, %s', (_form, define) => {
  it.each(IN_JSON)('is refused at once: %s', (_name, schema, path, advice) => {
    expect(() => define(schema)).toThrow(
      expect.objectContaining({ name: 'SchemaError', tool: 'find', path }),
    );
    expect(() => define(schema)).toThrow(advice);
  });
});

it('takes data in a JSON Schema, whatever it is called', () => {
  const type = { default: { a: 1 }, examples: [{ type: 'x' }], const: {}, type: 'object' } as const;
  const inputSchema = { type: 'object', properties: { type, default: { type: 'string' } } } as const;
  expect(() => tool({ name: 'find', inputSchema, run: handler })).not.toThrow();
});

describe.each(FORMS)('what is no schema at all, %s', (_form, define) => {
  it.each<[string, unknown, string]>([
    [
      'a promise',
      Promise.resolve({ a: 'string' }),
      'is a promise. Await it, and pass the schema that it gives.',
    ],
    ['a Date', new Date(), 'is an object of the class Date, not a schema.'],
    ['a RegExp', /a/, 'is an object of the class RegExp, not a schema.'],
    ['a Map', new Map([['a', 'string']]), 'is an object of the class Map, not a schema. Pass a schema'],
  ])('is refused at once: %s', (_name, schema, message) => {
    expect(() => define(schema as Record<string, unknown>)).toThrow(message);
  });
});

it('refuses such an outputSchema, too', () => {
  const define = tool as (given: object) => unknown;
  for (const outputSchema of [Promise.resolve({}), new Map(), { type: 'object', properties: { a: String } }])
    expect(() => define({ name: 'find', outputSchema, run: handler })).toThrow(SchemaError);
});

it('refuses one in an outputSchema, too', () => {
  expect(() =>
    tool('find', 'Finds', { id: z.string() }, handler, { outputSchema: { name: String } }),
  ).toThrow("Write 'string'.");
});

it('takes schemas that are functions', () => {
  const schema = Object.assign(() => 0, {
    '~standard': {
      version: 1,
      vendor: 'demo',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ type: 'string' }), output: () => ({ type: 'string' }) },
    },
  } as const);
  expect(() => tool('find', 'Finds', { name: schema }, handler)).not.toThrow();
});
