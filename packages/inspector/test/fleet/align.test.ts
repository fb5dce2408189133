import { array, assert, constantFrom, integer, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignTokens, type AlignedEntry } from '../../src/model/fleet/compare/align.js';
import { diffValues } from '@inboard/core/util/diff-values.js';
import { diffText } from '../../src/model/fleet/compare/diff-text.js';

/** `a1`: a thing of kind `a` that says `1`. */
const tokens = (text: string): AlignedEntry[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((exact) => ({ exact, loose: exact.slice(0, 1) }));

const align = (left: string, right: string): string[] => {
  const [ours, theirs] = [tokens(left), tokens(right)];
  return alignTokens(ours, theirs).map(
    (pair) =>
      `${pair.left === undefined ? '-' : ours[pair.left]?.exact}/${pair.right === undefined ? '-' : theirs[pair.right]?.exact}`,
  );
};

describe('alignTokens', () => {
  it.each([
    ['', '', []],
    ['a1', '', ['a1/-']],
    ['', 'a1', ['-/a1']],
    ['a1 b1', 'a1 b1', ['a1/a1', 'b1/b1']],
    ['a1 b1 c1', 'a1 c1', ['a1/a1', 'b1/-', 'c1/c1']],
    // The same kind belongs together, though it says something else.
    ['a1 b1 c1', 'a1 b2 c1', ['a1/a1', 'b1/b2', 'c1/c1']],
    ['a1 a2 a3', 'a2 a3 a4', ['a1/-', 'a2/a2', 'a3/a3', '-/a4']],
    ['a1 b1', 'c1 d1', ['a1/-', 'b1/-', '-/c1', '-/d1']],
    ['a1 a1 b1 a1', 'a1 b1 a1 a1', ['a1/a1', 'a1/-', 'b1/b1', '-/a1', 'a1/a1']],
  ])('puts %j beside %j', (left, right, expected) => {
    expect(align(left, right)).toEqual(expected);
  });

  it('keeps every entry once and in order, and pairs only the same kind', () => {
    const token = tuple(constantFrom('a', 'b', 'c'), integer({ min: 0, max: 3 }));
    const list = array(token, { maxLength: 40 }).map((entries) =>
      entries.map(([kind, says]) => ({ exact: `${kind}${says}`, loose: kind })),
    );
    assert(
      property(list, list, (left, right) => {
        const pairs = alignTokens(left, right);
        expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left.map((_, index) => index));
        expect(pairs.flatMap((pair) => pair.right ?? [])).toEqual(right.map((_, index) => index));
        for (const pair of pairs)
          if (pair.left !== undefined && pair.right !== undefined)
            expect(left[pair.left]?.loose).toBe(right[pair.right]?.loose);
      }),
      { numRuns: 150 },
    );
  });

  it('does not grow with the square: two long runs that hardly share anything', () => {
    // Every comparison of two entries reads `exact` of the one once.
    let reads = 0;
    const counted = (exact: string): AlignedEntry => ({
      get exact() {
        reads += 1;
        return exact;
      },
      loose: 'a',
    });
    const count = (length: number): number => {
      reads = 0;
      const left = Array.from({ length }, (_, index) => counted(`l${index % 7}`));
      const right = Array.from({ length }, (_, index) => counted(`r${index % 5}`));
      expect(alignTokens(left, right, 40)).toHaveLength(length);
      return reads;
    };
    expect(count(1600)).toBeLessThan(count(400) * 5);
  });

  it('finds its place again behind a long stretch that only one has', () => {
    const left = Array.from({ length: 3000 }, (_, index) => ({ exact: `x${index}`, loose: 'x' }));
    const right = [...left.slice(0, 100), ...left.slice(1600)];
    const pairs = alignTokens(left, right);
    expect(pairs.filter((pair) => pair.right === undefined)).toHaveLength(1500);
    expect(pairs.at(-1)).toEqual({ left: 2999, right: 1499 });
  });

  it('finds its place again where nothing occurs only once', () => {
    const repeat = (length: number) =>
      Array.from({ length }, (_, index) => ({ exact: `x${index % 50}`, loose: `x${index % 50}` }));
    const only = Array.from({ length: 200 }, () => ({ exact: 'y', loose: 'y' }));
    const pairs = alignTokens([...only, ...repeat(1000), { exact: 'z', loose: 'z' }], repeat(1000));
    expect(pairs.filter((pair) => pair.left !== undefined && pair.right !== undefined)).toHaveLength(1000);
  });
});

describe('diffText', () => {
  it('finds the words that only one has', () => {
    expect(diffText('There are seven apples.', 'There are nine red apples.')).toEqual([
      { in: 'both', text: 'There are ' },
      { in: 'left', text: 'seven ' },
      { in: 'right', text: 'nine red ' },
      { in: 'both', text: 'apples.' },
    ]);
  });

  it('gives both texts back', () => {
    assert(
      property(string({ maxLength: 60 }), string({ maxLength: 60 }), (left, right) => {
        const parts = diffText(left, right);
        const side = (name: 'left' | 'right') =>
          parts.filter((part) => part.in !== (name === 'left' ? 'right' : 'left')).map(({ text }) => text);
        expect(side('left').join('')).toBe(left);
        expect(side('right').join('')).toBe(right);
      }),
      { numRuns: 100 },
    );
  });

  it('finds the shared ends of very long texts', () => {
    const parts = diffText(
      `${'a '.repeat(2000)}x${' b'.repeat(2000)}`,
      `${'a '.repeat(2000)}y${' b'.repeat(2000)}`,
    );
    expect(parts.map((part) => part.in)).toEqual(['both', 'left', 'right', 'both']);
    expect(parts[1]?.text.trim()).toBe('x');
  });
});

describe('diffValues', () => {
  it('tells each place', () => {
    const left = { article: 'apples', count: 1, tags: ['a', 'b'], same: { x: 1 } };
    const right = { article: 'pears', tags: ['a', 'c', 'd'], same: { x: 1 }, more: null };
    expect(diffValues(left, right)).toEqual([
      { path: ['article'], left: 'apples', right: 'pears' },
      { path: ['count'], left: 1, right: undefined },
      { path: ['tags', 1], left: 'b', right: 'c' },
      { path: ['tags', 2], left: undefined, right: 'd' },
      { path: ['more'], left: undefined, right: null },
    ]);
  });

  it('takes names of prototypes for names, and stops after 40', () => {
    expect(diffValues({}, JSON.parse('{"__proto__":1,"constructor":2}'))).toHaveLength(2);
    expect(diffValues({}, Object.fromEntries(Array.from({ length: 99 }, (_, at) => [at, at])))).toHaveLength(
      40,
    );
  });

  it('is content with what is equal, also where a list became an object', () => {
    expect(diffValues({ a: [1] }, { a: [1] })).toEqual([]);
    expect(diffValues({ a: [1] }, { a: { 0: 1 } })).toEqual([{ path: ['a'], left: [1], right: { 0: 1 } }]);
  });
});
