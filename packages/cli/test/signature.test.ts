import { describe, expect, it } from 'vitest';
import { formatSignature, listDescriptions } from '../src/tools/signature.js';

const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

describe('formatSignature', () => {
  it.each([
    [undefined, 'a()'],
    [{ type: 'object' }, 'a()'],
    [object({ b: { type: 'string' }, c: { type: 'integer' } }, ['b']), 'a(b: string, c?: integer)'],
    [object({ 'b-c': {}, d: true, e: false }), 'a("b-c"?: unknown, d?: unknown, e?: never)'],
    [object({ b: { enum: ['x', 2, null] }, c: { const: 'y' } }), 'a(b?: "x" | 2 | null, c?: "y")'],
    [object({ b: { type: ['string', 'null'] } }), 'a(b?: string | null)'],
    [object({ b: { type: 'array', items: { type: 'string' } } }), 'a(b?: string[])'],
    [object({ b: { type: 'array', items: { type: ['string', 'number'] } } }), 'a(b?: (string | number)[])'],
    [object({ b: { prefixItems: [{ type: 'string' }, {}] } }), 'a(b?: [string, unknown])'],
    [object({ b: object({ c: { type: 'boolean' } }, ['c']) }), 'a(b?: { c: boolean })'],
    [object({ b: { type: 'array', items: object({ c: {} }) } }), 'a(b?: { c?: unknown }[])'],
    [
      object({ b: { type: 'object', additionalProperties: { type: 'number' } } }),
      'a(b?: { [key: string]: number })',
    ],
    [
      object({ b: { anyOf: [{ type: 'string' }, { allOf: [object({ c: {} }), object({ d: {} })] }] } }),
      'a(b?: string | { c?: unknown } & { d?: unknown })',
    ],
    [{ ...object({ b: { $ref: '#/$defs/x~1y' } }), $defs: { 'x/y': { type: 'null' } } }, 'a(b?: null)'],
    [
      object({ b: { $ref: 'https://example.com/x' }, c: { $ref: '#/nowhere' } }),
      'a(b?: unknown, c?: unknown)',
    ],
    [object({ b: { $ref: '#/properties/b' } }), 'a(b?: unknown)'],
    [
      object({ b: { enum: Array.from({ length: 14 }, (_, n) => n) } }),
      expect.stringContaining('11 | … 2 more)'),
    ],
  ])('writes %j', (schema, expected) => {
    expect(formatSignature('a', schema)).toEqual(expected);
  });

  it('ends with types that contain themselves', () => {
    const tree = { ...object({ next: { $ref: '#' } }, ['next']) };
    expect(formatSignature('a', tree)).toBe('a(next: { next: { next: { next: object } } })');
  });

  it('adds what the tool answers, where it says so', () => {
    expect(formatSignature('a', object({}), object({ left: { type: 'number' } }, ['left']))).toBe(
      'a(): { left: number }',
    );
  });

  it('lists the fields that are described', () => {
    const schema = object({ b: { type: 'string', description: 'The b' }, c: { description: '' }, d: true });
    expect(listDescriptions(schema)).toEqual([{ name: 'b', description: 'The b' }]);
    expect(listDescriptions(undefined)).toEqual([]);
  });
});
