import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { listUnstable, planSecondTry } from '../../scripts/support/second-try.mjs';
import type { FailedFile } from '../../scripts/support/second-try.mjs';

const one: FailedFile = { project: 'unit', file: 'test/a.test.ts', tests: ['a: too late'] };
const other: FailedFile = { project: 'e2e', file: 'test/e2e/b.test.ts', tests: [] };

describe('the second try of tests that failed', () => {
  it('runs the files that failed, each once, alone and in their projects', () => {
    const report = { failed: [one, { ...one, tests: ['thrown'] }, other], repeated: [], homeless: 0 };
    expect(planSecondTry(report)).toEqual({
      args: [
        '--project',
        'unit',
        '--project',
        'e2e',
        '--maxWorkers=1',
        'test/a.test.ts',
        'test/e2e/b.test.ts',
      ],
    });
  });

  it('is refused where chance is no explanation, or nobody knows what failed', () => {
    const many = Array.from({ length: 6 }, (_, index) => ({ ...one, file: `test/${index}.test.ts` }));
    expect(planSecondTry(undefined)).toEqual({ refused: 'the run told nothing of its tests' });
    expect(planSecondTry({ failed: many, repeated: [], homeless: 0 })).toEqual({ refused: '6 files failed' });
    expect(planSecondTry({ failed: [one], repeated: [], homeless: 2 })).toEqual({
      refused: '2 errors belong to no test file',
    });
    expect(planSecondTry({ failed: [], repeated: [], homeless: 0 })).toHaveProperty('refused');
  });

  it('names what failed, and what passed only when it was repeated', () => {
    const first = { failed: [one, other], repeated: ['test/c.test.ts > c'], homeless: 0 };
    expect(listUnstable(first, { failed: [], repeated: ['test/d.test.ts > d'], homeless: 0 })).toEqual([
      'test/a.test.ts > a: too late',
      'test/e2e/b.test.ts',
      'test/c.test.ts > c',
      'test/d.test.ts > d',
    ]);
  });

  it('keeps the failure of a run that told nothing', () => {
    const run = spawnSync(
      process.execPath,
      ['scripts/run-tests.mjs', process.execPath, '-e', 'process.exit(7)'],
      {
        encoding: 'utf8',
      },
    );
    expect(run.stdout).toContain('No second try: the run told nothing of its tests.');
    expect(run.status).toBe(7);
  });
});
