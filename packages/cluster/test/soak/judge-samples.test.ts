// The soak itself is run by `scripts/run-cluster-soak.mjs`; here it is shown that what judges its samples can fail it, for each thing that
// may grow.
import { describe, expect, it } from 'vitest';

interface Sample {
  perTurn: number;
  rows: number;
  bytes: number;
  tables: Record<string, number>;
  connections: number;
  locks: number;
  children: number;
  files: number;
  jobs: number;
}

const { judgeSamples } = (await import(
  String(new URL('../../../../test/soak/cluster/judge-samples.mjs', import.meta.url))
)) as { judgeSamples: (samples: Sample[]) => { faults: string[] } };

const FLAT: Sample = {
  perTurn: 14,
  rows: 1000,
  bytes: 1_000_000,
  tables: { turns: 600, events: 400 },
  connections: 12,
  locks: 0,
  children: 0,
  files: 2,
  jobs: 4,
};

/** Samples of a run in which something grows by this much with each. */
const grow = (change: (index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 12 }, (_, index) => ({ ...FLAT, ...change(index) }));

describe('the judge of a soak', () => {
  it('finds nothing where nothing grows, also if counts waver and the beginning is different', () => {
    const wavers = grow((index) => ({ connections: 10 + (index % 3), perTurn: index === 0 ? 40 : 14 }));
    expect(judgeSamples(wavers).faults).toEqual([]);
  });

  it.each(['connections', 'locks', 'children', 'files', 'jobs'] as const)('finds %s that grow', (what) => {
    expect(judgeSamples(grow((index) => ({ [what]: index }))).faults).toEqual([
      expect.stringContaining(`${what} grew`),
    ]);
  });

  it('finds rows that grow, and names their tables', () => {
    const rows = grow((index) => ({
      rows: 1000 + 50 * index,
      tables: { turns: 600, events: 400 + 50 * index },
    }));
    expect(judgeSamples(rows).faults).toEqual([expect.stringMatching(/^rows grew from .*\(events\)$/)]);
  });

  it('finds tables that grow without rows, and turns that cost more and more', () => {
    expect(judgeSamples(grow((index) => ({ bytes: 1_000_000 * (1 + index) }))).faults).toHaveLength(1);
    expect(judgeSamples(grow((index) => ({ perTurn: 14 + index }))).faults).toEqual([
      expect.stringContaining('statements for a turn grew'),
    ]);
  });
});
