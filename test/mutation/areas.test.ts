// The areas whose mutants are tried, and what is kept of a run.
import { describe, expect, it } from 'vitest';
import { AREAS, listAreaFiles, listAreaTests } from '../../scripts/support/mutation/areas.mjs';
import { summarize } from '../../scripts/support/mutation/report.mjs';

describe('an area', () => {
  it.each(Object.keys(AREAS))('has sources of a package, and tests that notice their changes: %s', (area) => {
    const files: string[] = listAreaFiles(area);
    const tests: string[] = listAreaTests([area]);
    expect([files.length > 0, tests.length > 0]).toEqual([true, true]);
    expect(files.every((file) => /^packages\/\w+\/src\/.*\.ts$/.test(file))).toBe(true);
    expect(tests.every((file) => /^packages\/\w+\/test\/.*\.test\.ts$/.test(file))).toBe(true);
  });
});

describe('what is kept of an area', () => {
  const mutant = (id: string) => ({ file: 'a.ts', line: 1, name: 'n', before: 'b', after: 'a', id });
  const tried = [
    { mutant: mutant('one'), outcome: 'killed' },
    { mutant: mutant('two'), outcome: 'timeout' },
    { mutant: mutant('three'), outcome: 'survived' },
    { mutant: mutant('four'), outcome: 'not reached' },
  ];
  const run = { area: 'x', seed: 7, generated: 90, controls: 1, falseKills: 0, earlier: undefined };

  it('is how many were killed, and who survived', () => {
    const summary = summarize({ ...run, tried });
    expect(summary).toMatchObject({ seed: 7, generated: 90, tried: 4, killed: 1, timeouts: 1, controls: 1 });
    expect(summary.survivors).toMatchObject([
      { id: 'three', isReached: true },
      { id: 'four', isReached: false },
    ]);
  });

  it('keeps what was killed before where only survivors are tried again, and drops those whose line is gone', () => {
    const earlier = summarize({ ...run, tried: [...tried, { mutant: mutant('gone'), outcome: 'survived' }] });
    const again = [
      { mutant: mutant('three'), outcome: 'killed' },
      { mutant: mutant('four'), outcome: 'survived' },
    ];
    expect(summarize({ ...run, seed: 11, tried: again, controls: 2, falseKills: 1, earlier })).toEqual({
      area: 'x',
      seed: 7,
      generated: 90,
      tried: 4,
      killed: 2,
      timeouts: 1,
      controls: 3,
      falseKills: 1,
      survivors: [{ ...mutant('four'), isReached: true }],
    });
  });
});
