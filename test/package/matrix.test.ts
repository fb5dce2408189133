// What the matrix of runtimes runs: unit tests that there are, and on each runtime in its turn.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeTurns } from '../matrix/by-turns.mjs';
import { UNIT_TESTS } from '../matrix/programs.mjs';
import { PROJECT_ROOT } from './project.js';

describe('the unit tests of the matrix', () => {
  it('are all there: a path that leads to none would be left out in silence', () => {
    const files = readdirSync(join(PROJECT_ROOT, 'packages'), { recursive: true, encoding: 'utf8' })
      .map((path) => `packages/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'));
    expect(UNIT_TESTS.length).toBeGreaterThan(0);
    expect(UNIT_TESTS.filter((start) => !files.some((path) => path.startsWith(start)))).toEqual([]);
  });
});

describe('a program that goes by turns', () => {
  const turns = { name: 'unit tests', isByTurns: true, cannot: isOld };
  const other = { name: 'session' };
  const runtimes = [
    { name: 'old', isOld: true },
    { name: 'one' },
    { name: 'gone', missing: 'no binary' },
    { name: 'two' },
    { name: 'three' },
  ];
  const fields = runtimes.flatMap((runtime) => [turns, other].map((program) => ({ runtime, program })));

  function isOld({ isOld }: { isOld?: boolean }): string | false {
    return isOld === true && 'it is too old';
  }

  it('comes to each runtime that can run it, one for each seed', () => {
    const chosen = [0, 1, 2, 3].map((seed) =>
      takeTurns(fields, seed)
        .filter(({ program, waits, runtime }) => program === turns && !waits && !isOld(runtime))
        .map(({ runtime }) => runtime.name)
        .filter((name) => name !== 'gone'),
    );
    expect(chosen).toEqual([['one'], ['two'], ['three'], ['one']]);
  });

  it('says on the others where it runs, by which seed, and how it runs on all', () => {
    const waiting = takeTurns(fields, 4).filter(({ waits }) => waits !== undefined);
    expect(waiting.map(({ runtime, waits }) => [runtime.name, waits])).toEqual([
      ['one', 'by turns, seed 4: now on two (--all: on each)'],
      ['three', 'by turns, seed 4: now on two (--all: on each)'],
    ]);
  });

  it('keeps no other program from any runtime', () => {
    expect(takeTurns(fields, 1).filter(({ program, waits }) => program === other && waits)).toEqual([]);
  });
});
