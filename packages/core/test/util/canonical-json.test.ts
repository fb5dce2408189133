import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/util/canonical-json.js';
import { copyPlainJson } from '../../src/util/plain-json.js';
import { cloneDeep, stringifyDeep, writeByLoop } from '../../src/util/deep-json.js';
import { propertyOptions } from '../../../../test/support/seed.js';

it('writes equal values alike, whatever the order of their keys', () => {
  const one = { b: [{ y: 1, x: null }, 'é'], a: { d: undefined, c: true } };
  const other = { a: { c: true }, b: [{ x: null, y: 1 }, 'é'] };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(canonicalJson(one)).toBe('{"a":{"c":true},"b":[{"x":null,"y":1},"é"]}');
});

it('tells lists of another order, and values of another type, apart', () => {
  const texts = [[1, 2], [2, 1], ['1', 2], { 0: 1, 1: 2 }, '', null, {}, []].map(canonicalJson);
  expect(new Set(texts).size).toBe(texts.length);
});

it('keeps a field called __proto__, and survives what JSON cannot hold', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":{"b":1,"a":2}}'))).toBe('{"__proto__":{"a":2,"b":1}}');
  expect(canonicalJson(undefined)).toBe('null');
});

it('writes and copies what is nested however deep', () => {
  const text = `${'{"b":['.repeat(20_000)}{"10":1,"9":2,"a":3}${']}'.repeat(20_000)}`;
  const deep: unknown = JSON.parse(text);
  expect(() => JSON.stringify(deep)).toThrow(RangeError);
  expect(stringifyDeep(deep) === text.replace('"10":1,"9":2', '"9":2,"10":1')).toBe(true);
  expect(canonicalJson(deep) === stringifyDeep(deep)).toBe(true);
  expect(stringifyDeep(cloneDeep(deep)) === stringifyDeep(deep)).toBe(true);
  const cycle: unknown[] = [deep];
  cycle.push(cycle);
  expect(() => stringifyDeep(cycle)).toThrow(TypeError);
});

it('writes by a loop what JSON.stringify writes', () => {
  const odd = [
    undefined,
    () => 1,
    new Date(0),
    new Map(),
    { toJSON: (key: string) => key },
    Object('boxed'),
    NaN,
  ];
  for (const value of [...odd, odd, { odd, a: undefined, b: Symbol('s') }])
    expect(writeByLoop(value, Object.keys)).toBe(JSON.stringify(value));
  fc.assert(
    fc.property(fc.anything({ withDate: true, withSparseArray: true, maxDepth: 3 }), (value) => {
      expect(writeByLoop(value, Object.keys)).toBe(JSON.stringify(value));
    }),
    propertyOptions(200),
  );
});

it('copies plain data as a round trip through JSON does, and leaves to that what is not plain', () => {
  const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true });
  const data = fc.oneof(fc.jsonValue(), fc.object({ values: [fc.string(), fc.double()] }), anything);
  fc.assert(
    fc.property(data, (value) => {
      const copy = copyPlainJson(value);
      if (copy === undefined) return;
      expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
      if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    }),
    propertyOptions(300),
  );
  expect(copyPlainJson({ a: undefined, b: [{ c: 'x' }] })).toEqual({ b: [{ c: 'x' }] });
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const others = [cycle, { toJSON: () => 1 }, [undefined], NaN, 1n, JSON.parse('{"__proto__":1}'), new Map()];
  for (const value of others) expect(copyPlainJson(value)).toBeUndefined();
});
