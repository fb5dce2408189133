import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../../src/errors.js';
import {
  anyList,
  checkShape,
  either,
  filledText,
  inWords,
  notGiven,
  notNegative,
  oneOf,
  requireShape,
  strictFlag,
  wholeNumber,
  type OptionShape,
} from '../../src/util/option-shapes.js';

const SHAPES: readonly [string, OptionShape, fitting: unknown[], others: unknown[]][] = [
  ['a whole number of at least 1', wholeNumber(1), [1, 2, 1e300], [0, -1, 1.5, NaN, Infinity, '1', null]],
  ['a whole number from 0 to 65535', wholeNumber(0, 65_535), [0, 65_535], [-1, 65_536, '80', undefined]],
  ['a number, 0 or more', notNegative, [0, 0.5, Infinity], [-1, NaN, '1', null]],
  ['a string that is not empty', filledText, ['a'], ['', 1, null, ['a']]],
  ['a list', anyList, [[], [1]], [{}, 'a', null]],
  ["'a' or 'b'", oneOf('a', 'b'), ['a', 'b'], ['c', '', undefined]],
  ["'a' or true or false", either(oneOf('a'), strictFlag), ['a', true, false], ['true', 0]],
  ['a port', inWords('a port', wholeNumber(1, 9)), [1, 9], [0, 10]],
];

describe.each(SHAPES)('%s', (expected, wanted, fitting, others) => {
  it('says so, and knows what fits', () => {
    expect(wanted.expected).toBe(expected);
    expect(fitting.filter((value) => !wanted.fits(value))).toEqual([]);
    expect(others.filter((value) => wanted.fits(value))).toEqual([]);
  });
});

describe('an option of another shape', () => {
  it('is refused by its name, with what was given where that is wanted', () => {
    const refuse = (): void => requireShape('size', 0, wholeNumber(1), { end: notGiven });
    expect(refuse).toThrow(
      new InvalidOptionsError(['size'], '"size" must be a whole number of at least 1, not 0'),
    );
    expect(refuse).toThrow(expect.objectContaining({ options: ['size'] }) as Error);
    expect(() => requireShape('size', 0, wholeNumber(1), { called: 'The size of a pool' })).toThrow(
      /^The size of a pool must be a whole number of at least 1$/,
    );
  });

  it('may be left out only where it is optional', () => {
    expect(() => checkShape('size', undefined, wholeNumber(1))).not.toThrow();
    expect(() => checkShape('size', null, wholeNumber(1))).toThrow('"size" must be');
    expect(() => requireShape('size', undefined, wholeNumber(1))).toThrow('"size" must be');
  });
});
