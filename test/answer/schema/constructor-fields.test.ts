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
