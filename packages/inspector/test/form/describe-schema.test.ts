// Schemas in words.
import { describe, expect, it } from 'vitest';
import { describeFields, describeSignature, describeType } from '../../src/model/form/describe-schema.js';

describe('describeType', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: ['integer', 'null'] }, 'whole number or null'],
    [{ enum: ['a', 'b', 1] }, 'a | b | 1'],
    [{ enum: 'abcdefghij'.split('') }, 'a | b | c | d | e | f | g | h, … 2 more'],
    [{ type: 'array', items: { type: 'array', items: { type: 'boolean' } } }, 'list of list of yes or no'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'text or number'],
    [{}, 'any JSON'],
  ])('says of %j %s', (schema, text) => {
    expect(describeType(schema)).toBe(text);
  });

  it('ends for a schema that contains itself', () => {
    expect(describeType({ type: 'array', items: { $ref: '#' } })).toMatch(/^list of list of/);
  });
});

describe('describeFields', () => {
  const schema = {
    type: 'object',
    properties: {
      to: {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where' } },
        required: ['city'],
      },
      lines: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
    },
    required: ['lines'],
  };

  it('lists the places, those inside others below them', () => {
    expect(describeFields(schema).map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['to', 'object', false],
      ['to.city', 'text', true],
      ['lines', 'list of object', true],
      ['lines[].count', 'whole number', false],
    ]);
    expect(describeSignature('send', schema)).toBe('send(to?, lines)');
  });
});
