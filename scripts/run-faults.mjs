// Runs the fault matrix of test/faults: what becomes of a host when its CLI, a real child process, goes wrong at a step in some
// way while the host does something. Needs `npm run build` before. Ends with the line "N passed, M failed"; exits with 1
// when something failed.
//   node scripts/run-faults.mjs              a tenth of the cells, chosen by a seed that is made of the commit and printed
//     --seed <number>   another tenth
//     --all             all cells
//     --every           also the combinations that are usually left to others by turns
//     --real            the sample on the real CLIs, alone or with --all
//     --only <text>     only cells that have it in their name, as in --only tool-open/ or --only /pool/
//     --cell <name>     one cell, with all that happened
//     --report <path>   writes <path>.json and <path>.md
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { judge, UNREACHED } from '../test/faults/judge.mjs';
import { endMarked } from '../test/faults/processes.mjs';
import { createRealCells, runReal } from '../test/faults/real.mjs';
import { describeFailure, writeJson, writeMarkdown } from '../test/faults/report.mjs';
import { runBatches } from '../test/faults/run-batches.mjs';
import { createCells, findCell, limitOf, sampleCells, waitsLong } from '../test/faults/table.mjs';
import { readCommitSeed } from './support/commit-seed.mjs';

const MOST_TRIES = 3;
const root = fileURLToPath(new URL('..', import.meta.url));
const entryPoints = pathToFileURL(join(process.env.INBOARD_BUILD_DIR ?? join(root, 'dist'), 'entry')).href;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    all: { type: 'boolean' },
    every: { type: 'boolean' },
    real: { type: 'boolean' },
    only: { type: 'string' },
    cell: { type: 'string' },
    report: { type: 'string' },
  },
});

function chooseCells(seed) {
  if (values.cell !== undefined) return { cells: [findCell(values.cell)], excluded: {} };
  const { cells, excluded } = createCells({ every: values.every });
  const named = cells.filter(({ name }) => name.includes(values.only ?? ''));
  const isWhole = values.all || values.every || values.only !== undefined;
  return { cells: isWhole ? named : sampleCells(named, seed), excluded };
}

function inBatches(cells, size) {
  return Array.from({ length: Math.ceil(cells.length / size) }, (_, at) =>
    cells.slice(at * size, (at + 1) * size),
  );
}

async function play(cells, folder) {
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const results = [];
  const tries = new Map();
  let again = [];
  const onRecord = (record) => {
    const cell = byName.get(record.name);
    const result = { ...cell, ms: record.ms, problems: judge(cell, record) };
    const count = (tries.get(cell.name) ?? 0) + 1;
    tries.set(cell.name, count);
    // The host was done before its child had read so far: nothing went wrong that could be judged.
    if (result.problems.length === 1 && result.problems[0] === UNREACHED && count < MOST_TRIES) {
      console.log(`${cell.name}: ${UNREACHED}; it is played again`);
      again.push(cell);
      return;
    }
    if (result.problems.length > 0) result.record = record;
    results.push(result);
    if (result.problems.length > 0) console.log(describeFailure(result).join('\n'));
    if (values.cell !== undefined) console.log(JSON.stringify(record, undefined, 2));
    if (results.length % 100 === 0) console.log(`${results.length} of ${cells.length} cells`);
  };
  // Those that wait for a limit are played beside the others: they cost time, and no work.
  const lane = (name, chosen, size) =>
    runBatches({
      batches: inBatches(chosen, size),
      hosts: Math.min(2, Math.ceil(chosen.length / size)),
      entryPoints: `${entryPoints}/index.js`,
      folder: join(folder, name),
      limitOf,
      onRecord,
    });
  const long = cells.filter(waitsLong);
  await Promise.all([
    lane(
      'quick',
      cells.filter((cell) => !waitsLong(cell)),
      12,
    ),
    lane('long', long, 30),
  ]);
  for (let round = 1; again.length > 0; round += 1) {
    const chosen = again;
    again = [];
    await lane(`again-${round}`, chosen, 1);
  }
  return results.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function playReal() {
  const sdk = await import(`${entryPoints}/index.js`);
  const testing = await import(`${entryPoints}/testing.js`);
  return await runReal({
    sdk,
    testing,
    cells: createRealCells().filter(({ name }) => name.includes(values.only ?? '')),
    onResult: ({ name, outcome, problems }) =>
      console.log(`real ${name}: ${[outcome, ...problems].join('; ')}`),
  });
}

const seed = readCommitSeed(values.seed, root);
const { cells, excluded } = values.real && !values.all ? { cells: [], excluded: {} } : chooseCells(seed);
const command = ['node scripts/run-faults.mjs', ...process.argv.slice(2)].join(' ');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-faults-')));
const clean = () => {
  endMarked(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
};
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    clean();
    process.exit(1);
  });
}
const begun = performance.now();
console.log(`${cells.length} cells, seed ${seed} (--seed ${seed} chooses the same)`);
try {
  const results = await play(cells, folder);
  const seconds = (performance.now() - begun) / 1000;
  const real = values.real ? await playReal() : [];
  const report = { command, seed, results, excluded, seconds, real };
  if (values.report !== undefined) {
    writeFileSync(`${values.report}.json`, writeJson(report));
    writeFileSync(`${values.report}.md`, writeMarkdown(report));
  }
  const played = [...results, ...real];
  const failed = played.filter(({ problems }) => problems.length > 0).length;
  console.log(`\n${played.length - failed} passed, ${failed} failed, ${Math.round(seconds)} s`);
  // A run in which nothing was run proves nothing.
  if (failed > 0 || played.length === 0) process.exitCode = 1;
} finally {
  clean();
}
