import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/util/canonical-json.js';

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
