import * as z from 'zod';
import * as z3 from 'zod-3';
import { describe, expect, it } from 'vitest';
import { compileSchema, type ValidationResult } from '../../../src/answer/schema/compile-schema.js';
import { zodCorpus } from './zod-corpus.js';

const about = { tool: 'demo', side: 'input' } as const;

const values: unknown[] = [
  null, '', 'a', 'abc', 'no', '5', 'true', 'v1', 'a@b.co', 'https://x.y', '2024-02-29', '2024-02-29T10:00:00Z', 'YWJj',
  0, 1, 3, 3.5, -1, 6, 2 ** 40, true, false, [], ['a'], [1], ['a', 1], ['a', 'b', 'c', 'd'], {}, { a: 'x' }, { a: 'x', b: 'y' },
  { x: 1, y: 2 }, { x: 1, y: 2, z: 3, w: 4 }, { x: 1, y: 2, a: 'q' }, { kind: 'a', x: 'q' }, { kind: 'b', y: 1 }, { a: 1, b: 2 },
  { name: 'n', children: [{ name: 'm', children: [] }] }, { value: 1, next: { value: 2 } }, { a: { b: 'deep', c: 1 } }, { 1: 'one', 2: 'two' },
]; // prettier-ignore

describe('a zod 4 raw shape validates as z.object(shape) does', () => {
  it.each(Object.entries(zodCorpus))('%s', async (name, field) => {
    const { validate } = compileSchema({ field, other: z.string().optional() }, about);
    const whole = z.object({ field, other: z.string().optional() });
    // An absent key is not shown to a preprocess by z.object; here it is, as with every other wrapper.
    const inputs =
      name === 'preprocess optional' ? [] : [{}, { other: 'o', unknown: 1 }, { field: undefined }];
    for (const input of [...inputs, ...values.map((value) => ({ field: value, unknown: 1 }))]) {
      const golden = await whole.safeParseAsync(input);
      const result = validate(input) as ValidationResult;
      if (golden.success) expect(result).toEqual({ ok: true, value: golden.data });
      else
        expect(result).toEqual({
          ok: false,
          issues: golden.error.issues.map(({ path, message }) => ({ path, message })),
        });
    }
  });
});

describe('a shape', () => {
  it('drops unknown keys and applies defaults', () => {
    const { validate } = compileSchema(
      { a: z.string(), n: z.number().default(7), t: z.string().transform(Number) },
      about,
    );
    expect(validate({ a: 'x', t: '12', extra: true })).toEqual({ ok: true, value: { a: 'x', n: 7, t: 12 } });
  });

  it('names every field at fault, down to the item', () => {
    const { validate } = compileSchema({ a: z.string(), list: z.array(z.object({ n: z.number() })) }, about);
    expect(validate({ a: 1, list: [{ n: 1 }, { n: 'x' }] })).toEqual({
      ok: false,
      issues: [
        { path: ['a'], message: 'Invalid input: expected string, received number' },
        { path: ['list', 1, 'n'], message: 'Invalid input: expected number, received string' },
      ],
    });
  });

  it.each([null, 'text', 3, [], true])('refuses %j as the arguments', (value) => {
    expect(compileSchema({}, about).validate(value)).toMatchObject({ ok: false, issues: [{ path: [] }] });
  });

  it.each([undefined, {}])('takes %j for no arguments at all', (schema) => {
    const { jsonSchema, validate } = compileSchema(schema, about);
    expect(jsonSchema).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {},
    });
    expect(validate(undefined)).toEqual({ ok: true, value: {} });
    expect(validate({ stray: 1 })).toEqual({ ok: true, value: {} });
  });

  it('is not fooled by keys every object inherits', () => {
    const { validate } = compileSchema({ constructor: z.any().optional(), toString: z.string() }, about);
    expect(validate({})).toMatchObject({ ok: false, issues: [{ path: ['toString'] }] });
    expect(validate({ toString: 'x' })).toEqual({ ok: true, value: { toString: 'x' } });
  });

  it('keeps a key called __proto__ a key', () => {
    const shape = Object.fromEntries([['__proto__', z.string()]]);
    const { jsonSchema, validate } = compileSchema(shape, about);
    expect(JSON.stringify(jsonSchema['properties'])).toBe('{"__proto__":{"type":"string"}}');
    const result = validate(JSON.parse('{"__proto__":"x"}')) as { value: object };
    expect(Object.entries(result.value)).toEqual([['__proto__', 'x']]);
  });

  it('answers at once when all fields are synchronous, and later when one is not', async () => {
    const shape = { name: z.string().refine(async (name) => name !== 'taken', 'is taken'), size: z.number() };
    const { validate } = compileSchema(shape, about);
    const pending = validate({ name: 'free', size: 1, x: 1 });
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toEqual({ ok: true, value: { name: 'free', size: 1 } });
    expect(await validate({ name: 'taken', size: 'big' })).toEqual({
      ok: false,
      issues: [
        { path: ['name'], message: 'is taken' },
        { path: ['size'], message: 'Invalid input: expected number, received string' },
      ],
    });
    expect(compileSchema({ size: z.number() }, about).validate({ size: 1 })).not.toBeInstanceOf(Promise);
  });

  it('waits for zod 3 too', async () => {
    const { validate } = compileSchema(
      { name: z3.string().refine(async (name) => name !== 'x', 'is x') },
      about,
    );
    expect(await validate({ name: 'y' })).toEqual({ ok: true, value: { name: 'y' } });
    expect(await validate({ name: 'x' })).toEqual({
      ok: false,
      issues: [{ path: ['name'], message: 'is x' }],
    });
  });

  it('passes on what a check throws, and leaves no other rejection alone', async () => {
    const late = z.string().refine(async () => {
      throw new Error('late');
    });
    const broken = {
      '~standard': {
        version: 1,
        vendor: 'broken',
        validate: () => {
          throw new Error('at once');
        },
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    };
    const { validate } = compileSchema({ late, broken }, about);
    await expect(validate({ late: 'x', broken: 1 })).rejects.toThrow(/late|at once/);
  });
});

describe('asynchronous checks', () => {
  const cases = {
    'zod 4': (check: () => Promise<boolean>) => z.string().refine(check),
    'zod 4, nested': (check: () => Promise<boolean>) => z.array(z.object({ a: z.string().refine(check) })),
    'zod 3': (check: () => Promise<boolean>) => z3.string().refine(check),
  };

  it.each(Object.entries(cases))('run once, not once more to find out: %s', async (name, build) => {
    let runs = 0;
    const field = build(async () => {
      runs += 1;
      return true;
    });
    const value = name.endsWith('nested') ? [{ a: 'x' }] : 'x';
    const shape = compileSchema({ field }, about);
    expect(await shape.validate({ field: value })).toEqual({ ok: true, value: { field: value } });
    expect(runs).toBe(1);
  });

  it.each(Object.entries(cases))(
    'that reject, reject the validation and nothing else: %s',
    async (name, build) => {
      const field = build(() => Promise.reject(new Error('no database')));
      const value = name.endsWith('nested') ? [{ a: 'x' }] : 'x';
      // Vitest fails the run on an unhandled rejection.
      await expect(compileSchema({ field }, about).validate({ field: value })).rejects.toThrow('no database');
    },
  );
});
