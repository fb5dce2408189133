// The bench: what it makes of given figures, that the page and the chart in docs are of the results that are kept, and that
// it really measures. Its speed rows are no tests: what must stay fast is counted elsewhere.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../bench/command-line.mjs';
import { runRounds } from '../../bench/plan/run-rounds.mjs';
import { describeRow, SCENARIOS, settingsOf } from '../../bench/plan/scenarios.mjs';
import { renderChart } from '../../bench/report/chart.mjs';
import { rewritePage } from '../../bench/report/docs-page.mjs';
import { findRowsBehind, renderChartFacts, renderFacts } from '../../bench/report/facts.mjs';
import { formatNumber } from '../../bench/report/format.mjs';
import { createRows } from '../../bench/report/rows.mjs';
import { median, summarize } from '../../bench/report/statistics.mjs';
import { renderTable } from '../../bench/report/table.mjs';
import { PROJECT_ROOT, readProjectFile } from '../package/project.js';

const SOME = ['calls-steady', 'stream', 'heap', 'real-turn'];
const scenarios = SCENARIOS.filter(({ id }) => SOME.includes(id));
const VALUES = {
  'calls-steady': {
    official: [690, 700, 710],
    inboard: [230, 240, 250],
    'limit-raw': [210, 211, 212],
    'limit-readline': [199, 200, 201],
  },
  'stream-time': { official: [50, 60, 70], inboard: [72, 80, 90], 'limit-raw': [30, 30, 30] },
  heap: { inboard: [-1, 0.2, 40] },
  'real-turn': { official: [1010], inboard: [1050], 'limit-raw': [1000] },
};
const rows = createRows({ scenarios, values: VALUES, size: 'full' });
const results = {
  date: '2026-11-16T01:02:03.000Z',
  command: 'npm run bench',
  size: 'full',
  rounds: 3,
  seconds: 61.4,
  machine: { cpu: 'A <quick> one', cores: 2, memoryGb: 8, system: 'linux arm64', node: 'v20.0.0' },
  load: { before: 0.1, after: 1.2 },
  versions: { inboard: '1.0.0', commit: 'abc1234', official: '0.3.1', cli: '2.1.325' },
  rows,
  faults: [],
};

describe('the statistics of rounds', () => {
  it('are the median, of two the mean, whatever the order', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });

  it('tell how far the rounds are apart, and when they disagree', () => {
    expect(summarize([10, 10, 11, 12, 30])).toMatchObject({
      median: 11,
      min: 10,
      max: 30,
      deviation: 1,
      isUnsteady: false,
    });
    expect(summarize([5, 10, 15]).isUnsteady).toBe(true);
  });
});

describe('a row', () => {
  it('compares with the official SDK and with the better one of the bare hosts', () => {
    const [calls, , stream] = rows;
    expect(calls).toMatchObject({ id: 'calls-steady', limit: { host: 'readline', median: 200 } });
    expect(calls?.timesOfficial).toBeCloseTo(700 / 240);
    expect(calls?.timesLimit).toBeCloseTo(1.2);
    expect(stream?.timesOfficial).toBeCloseTo(0.75);
    expect(stream?.timesLimit).toBeCloseTo(80 / 30);
  });

  it('has the names of its sizes in its text', () => {
    for (const size of ['full', 'quick', 'smallest']) {
      for (const scenario of SCENARIOS) {
        for (const row of scenario.rows)
          expect(describeRow(row, settingsOf(scenario, size))).not.toMatch(/[{}]|undefined/);
      }
    }
  });

  it('points the same way as all others: it is a cost, and no rate', () => {
    const units = new Set(SCENARIOS.flatMap(({ rows }) => rows.map(({ unit }) => unit)));
    expect([...units].sort()).toEqual(['', 'MB', 'bytes', 'ms', 'µs', '×']);
    for (const { official, inboard, limit, timesOfficial, timesLimit } of rows) {
      const [ours, theirs, least] = [inboard, official, limit].map((figure) => figure?.median ?? 0);
      if (timesOfficial !== undefined) expect(timesOfficial > 1).toBe(Number(ours) < Number(theirs));
      if (timesLimit !== undefined) expect(timesLimit > 1).toBe(Number(ours) > Number(least));
    }
  });

  it('is first of all what a person waits for', () => {
    expect(SCENARIOS[0]?.rows[0]?.id).toBe('felt-package');
    expect(SCENARIOS[0]?.rows[0]?.read({ importMs: 3, firstMs: 4, laterMs: 1 })).toBe(7);
  });

  it('has a name of its own', () => {
    const ids = SCENARIOS.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('writes figures with the digits that count', () => {
  expect([1234.5, 99.96, 12.34, 1.005, 0.2, -0.001].map(formatNumber)).toEqual([
    '1,235',
    '100',
    '12.3',
    '1',
    '0.2',
    '0',
  ]);
});

it('writes the table with the spread of each figure and a sign where rounds disagree', () => {
  const lines = renderTable(rows).split('\n');
  expect(lines[2]?.replaceAll(/ +/g, ' ')).toBe(
    '| CPU per 10,000 calls, steady | ms | 700 (690–710) | 240 (230–250) | 200 (199–201) | 2.92× | 1.20× |',
  );
  expect(lines[3]).toContain('~0.2 (-1–40)');
  expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
});

it('says where, with what and how often it measured', () => {
  const facts = renderFacts(results);
  for (const fact of ['npm run bench', '2026-11-16', 'A <quick> one', 'v20.0.0', 'abc1234', '0.3.1', '3 '])
    expect(facts).toContain(fact);
  expect(facts).toContain('load 0.1 before and 1.2 after');
  expect(renderFacts({ ...results, size: 'quick' })).toContain('rough');
});

it('admits the rows on which every round was worse than the official median', () => {
  expect(findRowsBehind(rows).map(({ id }: { id: string }) => id)).toEqual(['stream-time', 'real-turn']);
});

describe('the chart', () => {
  it('has bars as long as the cost, the limit as a line, and escaped text', () => {
    const chart = renderChart(rows, renderChartFacts(results));
    const bars = Array.from(chart.matchAll(/class="inboard" x="\d+" y="\d+" width="([\d.]+)" height="10"/g));
    expect(bars.map(([, width]) => Number(width))).toEqual([102.9, 360]);
    expect(chart.match(/<line class="limit"/g)).toHaveLength(3);
    expect(chart).toContain('A &lt;quick&gt; one');
    expect(chart).toContain('1.33× the cost, bar cut');
    expect(chart).toContain('prefers-color-scheme: dark');
  });

  it('is refused where nothing can be compared', () => {
    expect(() => renderChart([], [])).toThrow('official SDK');
  });
});

describe('docs/performance.md', () => {
  const page =
    '<!-- bench:table -->\nold\n<!-- bench:end -->\n\nkept\n\n<!-- bench:costs -->\n<!-- bench:end -->\n<!-- bench:behind -->\n<!-- bench:end -->\n';

  it('gets its parts from the results and keeps the rest', () => {
    const text = rewritePage(page, results);
    expect(text).not.toContain('old');
    expect(text).toContain('\n\nkept\n\n');
    expect(text).toContain('- A tool call: 24 µs of CPU (70 with the official SDK, 20 without an SDK)');
    expect(text).toContain('50 ms of 1,050 ms (4.76 %)');
    expect(text).toContain('On 2 of 3 rows');
    expect(rewritePage(text, results)).toBe(text);
  });

  it('is refused when it has no place for a part, or one for another', () => {
    expect(() => rewritePage('<!-- bench:table -->\n<!-- bench:end -->', results)).toThrow(
      '"costs", "behind"',
    );
    expect(() => rewritePage('<!-- bench:other -->\n<!-- bench:end -->', results)).toThrow('"other"');
  });

  it('and its chart are of the results that are kept: npm run bench -- --write-docs', () => {
    const kept = JSON.parse(readProjectFile('bench/results.json'));
    const written = readProjectFile('docs/performance.md');
    expect(rewritePage(written, kept)).toBe(written);
    expect(readProjectFile('docs/performance.svg')).toBe(renderChart(kept.rows, renderChartFacts(kept)));
  });
});

describe('the command line', () => {
  it('names what it does not know', () => {
    expect(() => readCommandLine(['--only', 'calls,speed'])).toThrow('no "speed", only query-package,');
    expect(() => readCommandLine(['--rounds', '0'])).toThrow('--rounds takes a whole number from 1');
    expect(() => readCommandLine(['--targets', 'theirs'])).toThrow('no "theirs"');
  });

  it('says how the run was asked for', () => {
    expect(readCommandLine(['--quick', '--json', 'here.json', '--only', 'calls'])).toMatchObject({
      size: 'quick',
      rounds: 2,
      command: 'npm run bench -- --quick --only calls',
    });
  });
});

it('goes through all targets in each round, and goes on when one fails', async () => {
  const asked: string[] = [];
  const { values, faults } = await runRounds({
    scenarios: scenarios.filter(({ id }) => id === 'calls-steady'),
    targets: { official: {}, inboard: {}, 'limit-raw': { mode: 'raw' } },
    rounds: 2,
    measure: async (_: object, target: { mode?: string }) => {
      if (target.mode) throw new Error('broken');
      return { cpuMsPer10k: asked.length };
    },
    report: (text: string) => asked.push(text),
  });
  expect(asked.map((text) => text.split(', ').at(-1))).toEqual(
    Array.from({ length: 2 }, () => ['official', 'inboard', 'limit-raw']).flat(),
  );
  expect(values).toEqual({ 'calls-steady': { official: [1, 4], inboard: [2, 5] } });
  expect(faults).toEqual([1, 2].map((round) => `calls-steady, limit-raw, round ${round}: broken`));
});

it('repeats what takes long less often, and says so', async () => {
  const { values } = await runRounds({
    scenarios: SCENARIOS.filter(({ id }) => id === 'heap' || id === 'calls-steady'),
    targets: { inboard: {} },
    rounds: 5,
    measure: async () => ({ bytesPerCall: 1, cpuMsPer10k: 1 }),
    report: () => {},
  });
  expect(values).toEqual({ heap: { inboard: [1, 1, 1] }, 'calls-steady': { inboard: [1, 1, 1, 1, 1] } });
  expect(renderFacts({ ...results, rounds: 5, fewestRounds: 3 })).toContain(
    'medians of 5 interleaved rounds, 3 of what takes longest (',
  );
  expect(renderFacts(results)).toContain('medians of 3 interleaved rounds (');
});

it('has a script and a file for whatever it measures', () => {
  for (const { host } of SCENARIOS)
    if (host !== 'package')
      expect(existsSync(join(PROJECT_ROOT, 'bench/host/scenarios', `${host}.mjs`))).toBe(true);
});

it('measures real processes on the fake CLI', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
  try {
    const file = join(folder, 'results.json');
    const args = ['--smallest', '--targets', 'limit', '--only', 'window-steady', '--json', file];
    await promisify(execFile)(process.execPath, [join(PROJECT_ROOT, 'bench/run.mjs'), ...args]);
    const { rows, faults } = JSON.parse(readFileSync(file, 'utf8'));
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([{ id: 'window-steady', limit: { median: expect.any(Number) } }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
