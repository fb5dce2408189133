// Edits of an input that is partly hidden.
import { describe, expect, it } from 'vitest';
import { applyEditsToRealInput, findHidden } from '../../src/sources/live/hidden-values.js';

const real = {
  url: 'https://x',
  auth: { token: 'SECRET', user: 'ann' },
  list: [
    { key: 'ONE', n: 1 },
    { key: 'TWO', n: 2 },
  ],
};
const shown = {
  url: 'https://x',
  auth: { token: '[redacted]', user: 'ann' },
  list: [
    { key: '[redacted]', n: 1 },
    { key: '[redacted]', n: 2 },
  ],
};
const given = { real, shown, isRevealed: false };

describe('findHidden', () => {
  it('finds the deepest places that differ', () => {
    expect(findHidden(real, shown)).toEqual([
      ['auth', 'token'],
      ['list', 0, 'key'],
      ['list', 1, 'key'],
    ]);
    expect(findHidden({ a: [1, 2] }, { a: '[redacted]' })).toEqual([['a']]);
    // The name of a field was a secret itself.
    expect(findHidden({ a: { SECRET: 1 } }, { a: { '[redacted]': 1 } })).toEqual([['a']]);
    expect(findHidden(real, structuredClone(real))).toEqual([]);
  });
});

describe('applyEdits', () => {
  it('changes the real input and leaves what was given alone', () => {
    const { input, issues } = applyEditsToRealInput(given, [
      { path: ['url'], value: 'https://y' },
      { path: ['auth', 'user'], remove: true },
      { path: ['auth', 'role'], value: 'admin' },
    ]);
    expect(issues).toEqual([]);
    expect(input).toEqual({ ...real, url: 'https://y', auth: { token: 'SECRET', role: 'admin' } });
    expect(real.auth).toEqual({ token: 'SECRET', user: 'ann' });
  });

  it('keeps hidden values in what is sent back around them', () => {
    const whole = { path: [], value: { ...shown, url: 'https://z' } };
    expect(applyEditsToRealInput(given, [whole])).toEqual({
      input: { ...real, url: 'https://z' },
      issues: [],
    });
    const auth = { path: ['auth'], value: { token: '[redacted]', user: 'bob' } };
    expect(applyEditsToRealInput(given, [auth]).input).toMatchObject({
      auth: { token: 'SECRET', user: 'bob' },
    });
  });

  it('follows items of a list that move', () => {
    const { input, issues } = applyEditsToRealInput(given, [
      { path: ['list', 0], value: { key: '[redacted]', n: 7 } },
      { path: ['list', 1], value: { key: '[redacted]', n: 8 } },
    ]);
    expect({ list: input['list'], issues }).toEqual({
      list: [
        { key: 'ONE', n: 7 },
        { key: 'TWO', n: 8 },
      ],
      issues: [],
    });
    const plain = {
      real: { list: ['a', { key: 'S' }] },
      shown: { list: ['a', { key: '-' }] },
      isRevealed: false,
    };
    const moved = applyEditsToRealInput(plain, [
      { path: ['list', 0], remove: true },
      { path: ['list', 0], value: { key: '-', more: 1 } },
    ]);
    expect(moved).toEqual({ input: { list: [{ key: 'S', more: 1 }] }, issues: [] });
  });

  it.each([
    [{ path: ['auth', 'token'], value: 'mine' }, ['auth', 'token']],
    [{ path: ['auth', 'token'], remove: true } as const, ['auth', 'token']],
    [{ path: ['auth', 'token', 'deeper'], value: 1 }, ['auth', 'token', 'deeper']],
    [{ path: ['auth'], remove: true } as const, ['auth', 'token']],
    [{ path: ['auth'], value: { token: 'mine' } }, ['auth', 'token']],
    [{ path: ['list'], value: [] }, ['list', 0, 'key']],
  ])('refuses %j while it is hidden, and takes it once it was revealed', (edit, path) => {
    const { issues } = applyEditsToRealInput(given, [edit]);
    expect(issues[0]?.path).toEqual(path);
    const isPlace = edit.path.at(-1) !== 'deeper';
    expect(applyEditsToRealInput({ ...given, isRevealed: true }, [edit]).issues).toHaveLength(
      isPlace ? 0 : 1,
    );
  });

  it('names a place that is not there, and takes any name for a field', () => {
    expect(applyEditsToRealInput(given, [{ path: ['nowhere', 'deep'], value: 1 }]).issues).toMatchObject([
      { path: ['nowhere', 'deep'] },
    ]);
    const { input } = applyEditsToRealInput(given, [{ path: ['__proto__'], value: { polluted: true } }]);
    expect(Object.hasOwn(input, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(applyEditsToRealInput(given, [{ path: [], value: [1] }]).issues.length).toBeGreaterThan(0);
  });
});
