import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isShortArrow } from '../../src/util/short-arrow.js';

// Functions of a test would be rewritten on their way here.
const make = (text: string): (() => unknown) => runInThisContext(`(${text})`) as () => unknown;

it.each([
  '() => 0',
  'a => 0',
  '(a) => 0',
  '(a, b) => 0',
  'async (a, { b, c: d },) => 0',
  '({ a }, { b }) => 0',
  'async(a,b)=>0',
])('an arrow function of two sees no third argument: %s', (text) => {
  expect(isShortArrow(make(text), 2)).toBe(true);
});

it.each([
  '(a, b, c) => 0',
  '(a, b, ...c) => 0',
  '(a, b, c = 1) => 0',
  '(a, b = 1) => 0',
  '(a, { b = 1 }, c) => 0',
  '(a, { b: [c] }) => 0',
  '(a, b /* , c */) => 0',
  'function (a, b) { return arguments[2] }',
  'async function (a, b) { return arguments[2] }',
  '({ ask(a, b) { return arguments[2] } }).ask',
  '((a, b, c) => c).bind(undefined)',
  'new Proxy((a, b) => 0, {})',
])('others may see one: %s', (text) => {
  expect(isShortArrow(make(text), 2)).toBe(false);
});

it('reads long texts in time that grows with their length alone', () => {
  const blanks = ' '.repeat(50_000);
  expect(isShortArrow(make(`async (a${blanks}, b${blanks}, c${blanks}) => 0`), 2)).toBe(false);
  expect(isShortArrow(make(`async (a${blanks}, b${blanks}) => 0`), 2)).toBe(true);
});
