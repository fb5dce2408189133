import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../src/answer/schema/compile-schema.js';

const about = { tool: 'demo', side: 'input' } as const;

describe('types written as text', () => {
  const cases: [string, unknown, unknown[], unknown[]][] = [
    ['string', { type: 'string' }, ['', 'x'], [1, null, undefined]],
    ['number', { type: 'number' }, [0, 1.5], ['1', Number.NaN, undefined]],
    ['integer', { type: 'integer' }, [0, -3], [1.5, '1']],
    ['boolean', { type: 'boolean' }, [true, false], [0, 'true']],
    ['object', { type: 'object' }, [{}, { a: 1 }], [[], null, 'x']],
    ['array', { type: 'array' }, [[], [1, 'x']], [{}, 'x']],
    ['null', { type: 'null' }, [null], [0, undefined]],
    ['any', {}, [1, null, 'x', {}], []],
    ['string?', { type: 'string' }, ['x', undefined], [null, 1]],
    ['string[]', { type: 'array', items: { type: 'string' } }, [[], ['a']], [['a', 1], 'a']],
    ['number[][]?', { type: 'array', items: { type: 'array', items: { type: 'number' } } }, [[[1], []], undefined], [[1]]],
    ["'a' | 'b'", { type: 'string', enum: ['a', 'b'] }, ['a', 'b'], ['c', '']],
    [`"it's" | 3 | true`, { enum: ["it's", 3, true] }, ["it's", 3, true], ['3', false]],
    ['string | null', { type: ['string', 'null'] }, ['x', null], [1]],
    ["'x' | number[]", { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'array', items: { type: 'number' } }] }, ['x', [1]], ['y', ['x']]],
    ['string: the city', { type: 'string', description: 'the city' }, ['x'], [1]],
    ['integer ? : how many: at most ten', { type: 'integer', description: 'how many: at most ten' }, [1, undefined], ['x']],
    ["'a:b' | 'c|d?' : quoted", { type: 'string', enum: ['a:b', 'c|d?'], description: 'quoted' }, ['a:b', 'c|d?'], ['a', undefined]],
    ["string = 'x'", { type: 'string', default: 'x' }, ['y', ''], [1, null]],
    ["integer = -20 : how many", { type: 'integer', default: -20, description: 'how many' }, [1], [1.5]],
    ["'a=b' | 'c' = 'a=b'", { type: 'string', enum: ['a=b', 'c'], default: 'a=b' }, ['c'], ['a']],
    ['boolean | null=null', { type: ['boolean', 'null'], default: null }, [true, null], [0]],
  ]; // prettier-ignore
  it.each(cases)('%s', (text, json, good, bad) => {
    const { jsonSchema, validate } = compileSchema({ field: text }, about);
    expect(jsonSchema['properties']).toEqual({ field: json });
    const object = (value: unknown) => (value === undefined ? {} : { field: value });
    for (const value of good) expect(validate(object(value))).toEqual({ ok: true, value: object(value) });
    for (const value of bad)
      expect(validate(object(value)), JSON.stringify(value)).toMatchObject({ ok: false });
    const isRequired = Array.isArray(jsonSchema['required']);
    const takesNothing = (validate({}) as { ok: boolean }).ok;
    expect(isRequired).toBe(!takesNothing);
  });

  it('are listed as an object, and unknown keys are dropped', () => {
    const { jsonSchema, validate } = compileSchema({ city: 'string: the city', limit: 'number?' }, about);
    expect(JSON.stringify(jsonSchema)).toBe(
      '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":' +
        '{"city":{"type":"string","description":"the city"},"limit":{"type":"number"}},"required":["city"]}',
    );
    expect(validate({ city: 'Oslo', stray: 1 })).toEqual({ ok: true, value: { city: 'Oslo' } });
  });

  it('say what was expected, and where', () => {
    const { validate } = compileSchema({ kind: "'a' | 'b'", tags: 'string[]' }, about);
    expect(validate({ kind: 'c', tags: ['x', 2] })).toEqual({
      ok: false,
      issues: [
        { path: ['kind'], message: 'Expected "a" | "b", received "c"' },
        { path: ['tags', 1], message: 'Expected string, received number' },
      ],
    });
  });

  it('may stand beside schemas of a library', () => {
    const { jsonSchema, validate } = compileSchema({ a: z.string().min(2), b: 'integer' }, about);
    expect(jsonSchema['required']).toEqual(['a', 'b']);
    expect(validate({ a: 'x', b: 1.5 })).toMatchObject({
      ok: false,
      issues: [{ path: ['a'] }, { path: ['b'] }],
    });
  });

  it.each(['text', 'String', 'string |', '', '?', 'a city', "'open"])(
    '"%s" is refused, naming the field',
    (text) => {
      expect(() => compileSchema({ fine: 'string', field: text }, about)).toThrow(
        expect.objectContaining({
          tool: 'demo',
          path: 'field',
          message: expect.stringContaining('Use string, number'),
        }),
      );
    },
  );

  it('fill in a default, which the listing shows', () => {
    const { jsonSchema, validate } = compileSchema({ from: 'string', limit: 'integer = 20: at most' }, about);
    expect(jsonSchema).toMatchObject({
      properties: { limit: { type: 'integer', default: 20, description: 'at most' } },
      required: ['from'],
    });
    expect(validate({ from: 'a' })).toEqual({ ok: true, value: { from: 'a', limit: 20 } });
    expect(validate({ from: 'a', limit: 3 })).toEqual({ ok: true, value: { from: 'a', limit: 3 } });
    expect(validate({ from: 'a', limit: null })).toMatchObject({ ok: false, issues: [{ path: ['limit'] }] });
  });

  it.each([
    ['integer = 1.5', 'default does not fit its type. Expected integer'],
    ["'a' | 'b' = 'c'", 'default does not fit its type. Expected "a" | "b", received "c"'],
    ['string[] = []', '"[]" is not a default'],
    ['string =', '"" is not a default'],
    ['string? = 1', 'string?" is not a type'],
  ])('"%s" is refused', (text, message) => {
    expect(() => compileSchema({ field: text }, about)).toThrow(message);
  });
});
