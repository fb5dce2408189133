// Edits of an input: those that are made, those that are kept from being made.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, diffEdits, findHiddenChanges } from '../../src/model/form/input-edits.js';
import { isWithin, valueAt, withoutPath, withValueAt } from '../../src/model/form/value-path.js';
import type { ValuePath } from '../../src/stream/question.js';
import { propertyOptions } from '../../../../test/support/seed.js';

/** Few names and few values, so that two values have much in common; `__proto__` among the names. */
const { value: anyValue } = fc.letrec<{ value: unknown; leaf: unknown; list: unknown[]; object: object }>(
  (tie) => ({
    leaf: fc.constantFrom('a', 'b', '', 0, 1, null, true),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc
      .dictionary(fc.constantFrom('x', 'y', 'z', '__proto__'), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      })
      .map((fields) => fields),
    value: fc.oneof({ depthSize: 'small', maxDepth: 3 }, tie('leaf'), tie('list'), tie('object')),
  }),
);
const anyInput = fc.dictionary(fc.constantFrom('x', 'y', 'z', '__proto__'), anyValue, {
  noNullPrototype: true,
});

describe('diffEdits', () => {
  it('gives edits that make the one of the other', () => {
    fc.assert(
      fc.property(anyInput, anyInput, (original, edited) => {
        expect(applyEdits(original, diffEdits(original, edited))).toEqual(edited);
      }),
      propertyOptions(250),
    );
  });

  it('gives none where nothing was changed, and leaves the original alone', () => {
    fc.assert(
      fc.property(anyInput, anyInput, (original, edited) => {
        const before = JSON.stringify(original);
        applyEdits(original, diffEdits(original, edited));
        expect(JSON.stringify(original)).toBe(before);
        expect(diffEdits(original, structuredClone(original))).toEqual([]);
      }),
      propertyOptions(100),
    );
  });

  it('names no hidden place, nor what is around it, unless it was changed', () => {
    fc.assert(
      fc.property(anyInput, anyInput, fc.nat(), (original, edited, choice) => {
        const paths = listPaths(original);
        const hidden = paths[choice % Math.max(1, paths.length)];
        if (!hidden || findHiddenChanges(original, edited, [hidden]).length > 0) return;
        for (const { path } of diffEdits(original, edited)) expect(isWithin(hidden, path)).toBe(false);
      }),
      propertyOptions(250),
    );
  });

  it('names the least', () => {
    const original = { to: { name: 'Ada', city: 'Rome' }, lines: [{ n: 1 }, { n: 2 }, { n: 3 }], note: 'x' };
    const edited = { to: { name: 'Ada', city: 'Oslo' }, lines: [{ n: 1 }, { n: 5 }], urgent: true };
    expect(diffEdits(original, edited)).toEqual([
      { path: ['to', 'city'], value: 'Oslo' },
      { path: ['lines', 1, 'n'], value: 5 },
      { path: ['lines', 2], remove: true },
      { path: ['note'], remove: true },
      { path: ['urgent'], value: true },
    ]);
  });
});

describe('findHiddenChanges', () => {
  const original = { headers: { auth: '[redacted]', host: 'a' }, list: ['[redacted]', 'b'] };
  const hidden: ValuePath[] = [
    ['headers', 'auth'],
    ['list', 0],
  ];

  it('lets everything beside them be changed', () => {
    const edited = { headers: { auth: '[redacted]', host: 'b', more: 1 }, list: ['[redacted]'] };
    expect(findHiddenChanges(original, edited, hidden)).toEqual([]);
  });

  it.each([
    ['changed', withValueAt(original, ['headers', 'auth'], 'mine'), ['headers', 'auth']],
    ['removed', withoutPath(original, ['headers', 'auth']), ['headers', 'auth']],
    ['removed with what it is in', withoutPath(original, ['headers']), ['headers', 'auth']],
    ['moved', withValueAt(original, ['list'], ['b', '[redacted]']), ['list', 0]],
  ])('finds one that was %s', (_, edited, path) => {
    expect(findHiddenChanges(original, edited, hidden)).toEqual([path]);
  });
});

describe('values', () => {
  it('get a field called __proto__ like any other', () => {
    const made = applyEdits({}, [{ path: ['__proto__', 'isAdmin'], value: true }]);
    expect(Object.keys(made)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(valueAt(made, ['__proto__', 'isAdmin'])).toBe(true);
  });
});

function listPaths(value: unknown, path: ValuePath = []): ValuePath[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[...path, key], ...listPaths(valueAt(value, [key]), [...path, key])]);
}
