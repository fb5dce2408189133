import { describe, expect, it } from 'vitest';
import { Later } from '../../src/util/later.js';

describe('a value that comes later', () => {
  it('is taken in the step in which it is given', () => {
    const later = new Later<number>();
    const taken: number[] = [];
    later.take((value) => taken.push(value));
    expect(taken).toEqual([]);
    later.give(1);
    expect(taken).toEqual([1]);
  });

  it('is taken at once where it was given before', () => {
    const later = new Later<number>();
    later.give(1);
    const taken: number[] = [];
    later.take((value) => taken.push(value));
    expect(taken).toEqual([1]);
  });

  it('is given once, and has one taker', () => {
    const later = new Later<number>();
    const taken: number[] = [];
    later.take((value) => taken.push(value));
    later.give(1);
    later.give(2);
    expect(taken).toEqual([1]);
    expect(() => later.take(() => {})).toThrow('taken twice');
  });

  it.each(['before', 'after'])(
    'is what all changes make of it, where they are made %s it is given',
    async (when) => {
      const later = new Later<number>();
      if (when === 'after') later.give(1);
      const changed = later.map((value) => value + 1).map((value) => `<${value}>`);
      if (when === 'before') later.give(1);
      expect(await changed).toBe('<2>');
    },
  );

  it('can be awaited by several', async () => {
    const later = new Later<number>();
    const all = Promise.all([later, later.then((value) => value + 1), Promise.resolve(later)]);
    later.give(1);
    expect(await all).toEqual([1, 2, 1]);
  });

  it('may be a promise, as which it is awaited', async () => {
    const later = new Later<Promise<number>>();
    const awaited = expect(later).rejects.toThrow('none');
    later.give(Promise.reject(new Error('none')));
    await awaited;
  });
});
