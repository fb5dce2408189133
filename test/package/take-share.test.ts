// The samples of cases that are chosen by the commit, and the files that scripts/run-long.mjs chooses.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeShare } from '../support/take-share.js';
import { PROJECT_ROOT, readProjectFile } from './project.js';

const NAMES = Array.from({ length: 400 }, (_, index) => `case ${index}`);

describe('a share of cases', () => {
  it('is the same for the same seed, and about as large as was asked for', () => {
    const quarter = takeShare(NAMES, 25, 7);
    expect(takeShare(NAMES, 25, 7)).toEqual(quarter);
    expect(quarter.length).toBeGreaterThan(70);
    expect(quarter.length).toBeLessThan(130);
    expect(takeShare(NAMES, 100, 7)).toEqual(NAMES);
  });

  it('comes to each case with some seed', () => {
    const seen = new Set(Array.from({ length: 60 }, (_, seed) => takeShare(NAMES, 25, seed)).flat());
    expect(seen.size).toBe(NAMES.length);
  });

  it('is never empty, and not always the same one then', () => {
    const few = ['one', 'two', 'three'];
    const shares = Array.from({ length: 40 }, (_, seed) => takeShare(few, 1, seed));
    expect(shares.every(({ length }) => length > 0)).toBe(true);
    expect(new Set(shares.flat())).toEqual(new Set(few));
  });

  it('leaves what it chose of others as it was when there is a new one', () => {
    const more = takeShare([...NAMES, 'a new one'], 25, 7).filter((name) => name !== 'a new one');
    expect(more).toEqual(takeShare(NAMES, 25, 7));
  });
});

describe('the long tests that a change runs', () => {
  const files = readdirSync(join(PROJECT_ROOT, 'test/e2e')).filter((name) => name.endsWith('.long.test.ts'));

  function list(...words: string[]): string[] {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(PROJECT_ROOT, 'scripts/run-long.mjs'), '--list', ...words],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return stdout.split('\n')[0]?.match(/[\w-]+\.long\.test\.ts/g) ?? [];
  }

  it('have a part of each large file in them, and an eighth of the small files', () => {
    const large = files.filter((name) => readProjectFile(`test/e2e/${name}`).includes('forEachCliInParts('));
    expect(large.length).toBeGreaterThan(5);
    const chosen = list('--seed', '5');
    expect(chosen).toEqual(expect.arrayContaining([...large, 'parity.long.test.ts']));
    const small = files.length - large.length;
    expect(chosen.length - large.length).toBeGreaterThanOrEqual(Math.floor(small / 8));
    expect(chosen.length - large.length).toBeLessThanOrEqual(Math.ceil(small / 8) + 1);
  });

  it('are others with another seed', () => {
    expect(list('--seed', '5')).not.toEqual(list('--seed', '6'));
  });
});
