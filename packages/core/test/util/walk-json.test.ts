// JSON that is written piece by piece is what JSON.stringify gives, and no piece is long.
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { measureJson } from '../../src/util/measure-json.js';
import { writeJsonSlowly } from '../../src/util/walk-json.js';
import { propertyOptions } from '../../../../test/support/seed.js';

const LONG = 'é 😀 \0 \ud800 "x" \\ \u2028\n'.repeat(30_000);

describe('JSON in pieces', () => {
  it.each([
    ['a long text', LONG],
    ['pairs at every cut', `x${'😀'.repeat(300_000)}`],
    ['many values', Array.from({ length: 30_000 }, (_, id) => ({ id, ok: true, name: 'n' }))],
    [
      'what JSON leaves out',
      { a: undefined, b: [undefined, () => 1, LONG, Symbol('x')], c: new Date(0), d: NaN },
    ],
    ['values with toJSON', [{ toJSON: (key: string) => ({ key, LONG }) }, new Map([[1, 2]]), Object(LONG)]],
    ['names that need quotes', { '"\0': LONG, '': [LONG, [], {}] }],
  ])('is the same for %s', async (_name, value) => {
    expect((await writeJsonSlowly(value)).join('')).toBe(JSON.stringify(value));
  });

  it('is the same for any value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(40), async (value, times) => {
        const given = [value, Array.from({ length: times * 50 }, () => value)];
        expect((await writeJsonSlowly(given)).join('')).toBe(JSON.stringify(given));
      }),
      propertyOptions(50),
    );
  });

  it('writes no long piece, and lets others go on between pieces', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const immediate = (): void => void ((turns += 1), (next = setImmediate(immediate)));
    let next = setImmediate(immediate);
    const pieces = await writeJsonSlowly({ text: LONG, rows: Array.from({ length: 50_000 }, () => ['abc']) });
    clearInterval(counting);
    clearImmediate(next);
    const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
    stringify.mockRestore();
    expect(longest).toBeLessThan(1_600_000);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_600_000);
    expect(turns).toBeGreaterThan(3);
  });

  it('invents nothing for a list or an object that is cut short meanwhile, and does not follow one that grows', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, text: 'a row that is long enough' }));
    const named: Record<string, string> = Object.fromEntries(rows.map(({ id, text }) => [`n${id}`, text]));
    const growing = rows.map(({ id }) => id);
    const written = writeJsonSlowly({ rows, named, growing });
    let next = setImmediate(function change() {
      rows.length -= 1;
      delete named[`n${rows.length}`];
      growing.push(-1);
      next = setImmediate(change);
    });
    const text = (await written).join('');
    clearImmediate(next);
    const read = JSON.parse(text) as { rows: unknown[]; named: object; growing: number[] };
    expect(rows.length).toBeLessThan(30_000);
    expect(read.rows.length).toBeLessThan(30_000);
    expect(read.rows).not.toContain(null);
    expect(Object.keys(read.named).length).toBeGreaterThan(rows.length - 1);
    expect(read.growing.length).toBeLessThan(growing.length);
  });

  it('goes to any depth, and refuses what has no JSON', async () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    expect((await writeJsonSlowly(deep)).join('')).toHaveLength(40_000);
    const circle: unknown[] = [LONG];
    circle.push(circle);
    await expect(writeJsonSlowly(circle)).rejects.toThrow(TypeError);
    await expect(writeJsonSlowly([LONG, 1n])).rejects.toThrow(TypeError);
    await expect(writeJsonSlowly(undefined)).rejects.toThrow('undefined has no JSON');
  });
});

it('measures values roughly, and no further than asked', () => {
  expect(measureJson({ a: [1, 'two', null] }, 1000)).toBeGreaterThan(10);
  let reads = 0;
  const many = Array.from({ length: 1000 }, () => ({
    get text(): string {
      reads += 1;
      return 'x'.repeat(100);
    },
  }));
  expect(measureJson(many, 500)).toBeGreaterThan(500);
  expect(reads).toBeLessThan(8);
});
