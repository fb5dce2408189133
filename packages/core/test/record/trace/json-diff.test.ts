import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffJson, findAtPath } from '../../../src/record/trace/replay/json-diff.js';
import { createComparison } from '../../../src/record/trace/replay/replay-report.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

describe('diffJson', () => {
  it('names each place that differs', () => {
    expect(
      diffJson({ a: [1, { b: 2 }], c: 3, 'd e': 4 }, { a: [1, { b: 5 }, 6], 'd e': 7, f: null }),
    ).toEqual([
      { path: 'a[1].b', taped: 2, live: 5 },
      { path: 'a[2]', taped: undefined, live: 6 },
      { path: 'c', taped: 3, live: undefined },
      { path: '["d e"]', taped: 4, live: 7 },
      { path: 'f', taped: undefined, live: null },
    ]);
    expect(diffJson('a', 'b')).toEqual([{ path: '', taped: 'a', live: 'b' }]);
    expect(diffJson([], {})).toHaveLength(1);
  });

  it('finds nothing between a value and its copy, whatever the order of its fields', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(diffJson(value, JSON.parse(JSON.stringify(value)))).toEqual([]);
      }),
    );
    expect(diffJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
  });

  it('finds something between any two values that are not the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = JSON.stringify(sortFields(one)) === JSON.stringify(sortFields(other));
        expect(diffJson(one, other).length === 0).toBe(isSame);
      }),
    );
  });

  it('compares what is nested however deep', () => {
    const deep = (leaf: string): unknown =>
      JSON.parse(`${'{"a":['.repeat(20_000)}${leaf}${']}'.repeat(20_000)}`);
    expect(diffJson(deep('1'), deep('1'))).toEqual([]);
    const [change, ...more] = diffJson(deep('1'), deep('2'));
    expect([change?.taped, change?.live, more]).toEqual([1, 2, []]);
    expect(findAtPath(deep('3'), change?.path ?? '')).toBe(3);
  });

  it('takes a field that every object has for absent', () => {
    expect(diffJson({}, { constructor: 1 })).toEqual([{ path: 'constructor', taped: undefined, live: 1 }]);
  });

  it('finds again what it has found, under any name', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        for (const { path, taped, live } of diffJson(one, other)) {
          expect(findAtPath(one, path)).toEqual(taped);
          expect(findAtPath(other, path)).toEqual(live);
        }
      }),
      propertyOptions(100),
    );
  });

  it.each([
    ['a [redacted: 12 characters]', 'a and what was too long', true],
    ['[redacted: 12 characters]', 5, true],
    ['a [redacted: 12 characters]', 'b', false],
    ['[redacted]', 'anything', true],
    ['[redacted]', 5, true],
    ['[redacted]', undefined, false],
    ['key [redacted] end', 'key abc end', true],
    ['key [redacted] end', 'key abc other', false],
    ['a[redacted]b[redacted]c', 'a1b2c', true],
    ['a[redacted]b[redacted]c', 'a1c', false],
    ['ab[redacted]bc', 'abc', false],
    ['x [redacted]', 5, false],
  ])('takes %j for %j: %s', (taped, live, fits) => {
    expect(diffJson(taped, live).length === 0).toBe(fits);
  });
});

describe('what counts', () => {
  const item = { kind: 'tool', name: 'x', t: 0 } as const;

  it('leaves out paths, with what is below them, and only those', () => {
    const taped = { a: { b: 1 }, ab: 1, list: [{ t: 1 }, { t: 2 }] };
    const live = { a: { b: 2 }, ab: 2, list: [{ t: 3 }, { t: 4 }] };
    const paths = (ignore: (string | RegExp)[]): string[] =>
      createComparison({ ignore })(taped, live, item).map(({ path }) => path);
    expect(paths([])).toEqual(['a.b', 'ab', 'list[0].t', 'list[1].t']);
    expect(paths(['a'])).toEqual(['ab', 'list[0].t', 'list[1].t']);
    expect(paths(['list[*].t'])).toEqual(['a.b', 'ab']);
    expect(paths(['list[1]', /b$/g])).toEqual(['list[0].t']);
  });

  it('asks the caller, and counts what makes the caller throw', () => {
    const isSame = ({ path }: { path: string }): boolean => {
      if (path === 'bad') throw new Error('no');
      return path === 'same';
    };
    const changes = createComparison({ isSame })({ same: 1, bad: 1, other: 1 }, {}, item);
    expect(changes.map(({ path }) => path)).toEqual(['bad', 'other']);
  });
});

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return { fields: entries.map(([name, field]) => [name, sortFields(field)]) };
}
