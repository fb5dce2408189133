// Runs the kill-point matrix of test/faults/calls: the process that has a conversation dies right before or right after something is
// stored, run or started, and then the results of its calls are judged. Needs `npm run build` before. Ends with the line "N passed, M
// failed"; exits with 1 when something failed.
//   node scripts/run-call-faults.mjs         a seeded part of the cells on the fake CLI, and a few on both real CLIs; the seed, which is made of
//                                            the commit, is printed
//     --seed <number>   another part
//     --all             all cells on the fake CLI, and the part on the real ones
//     --all-real        all cells on the real CLIs, too
//     --wrong           only the wrong implementations, each of which the judge must find; without it they come last
//     --only <text>     only cells that have it in their name, as in --only postgres/ or --only 2.1.33/
//     --cell <name>     one cell, with all that was written down
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { judge, UNREACHED } from '../test/faults/calls/judge.mjs';
import { playCell } from '../test/faults/calls/play.mjs';
import { openReal } from '../test/faults/calls/real.mjs';
import { createCells, createRealCells } from '../test/faults/calls/table.mjs';
import { WRONG } from '../test/faults/calls/wrong.mjs';
import { endMarked } from '../test/faults/processes.mjs';
import { sampleCells } from '../test/faults/table.mjs';
import { readCommitSeed } from './support/commit-seed.mjs';
import { startPostgres } from './support/services/postgres-server.mjs';

/** One of so many cells is in a part. */
const SHARES = { fake: 12, real: 24 };
const MOST_TRIES = 3;
/** Cells side by side: they wait more than they work. */
const AT_ONCE = { memory: 1, file: 1, postgres: 2, real: 2 };

const root = fileURLToPath(new URL('..', import.meta.url));
const entryPoints = pathToFileURL(join(process.env.INBOARD_BUILD_DIR ?? join(root, 'dist'), 'entry')).href;
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    all: { type: 'boolean' },
    'all-real': { type: 'boolean' },
    only: { type: 'string' },
    cell: { type: 'string' },
    wrong: { type: 'boolean' },
  },
});

function chooseCells(seed) {
  const fake = createCells();
  const real = createRealCells();
  if (values.wrong) return [];
  if (values.cell !== undefined) return [...fake, ...real].filter(({ name }) => name === values.cell);
  if (values.only !== undefined) return [...fake, ...real].filter(({ name }) => name.includes(values.only));
  const isWhole = values.all || values['all-real'];
  return [
    ...(isWhole ? fake : sampleEach(fake, seed, SHARES.fake, ({ records }) => records)),
    ...(values['all-real'] ? real : sampleEach(real, seed, SHARES.real, ({ cli }) => cli)),
  ];
}

/** The same share of each kind. */
function sampleEach(cells, seed, share, kindOf) {
  const kinds = [...new Set(cells.map(kindOf))];
  return kinds.flatMap((kind) =>
    sampleCells(
      cells.filter((cell) => kindOf(cell) === kind),
      seed,
      share,
    ),
  );
}

const laneOf = ({ cli, records }) => (cli === 'fake' ? records.split(',')[0] : 'real');

async function play(cells, folder) {
  const results = [];
  let count = 0;
  const playOnce = async (cell, more) => {
    count += 1;
    const given = { entryPoints, folder: join(folder, String(count)), ...more };
    return await playCell(cell, given).catch((error) => ({
      notes: [{ kind: 'failed', error: String(error?.stack ?? error) }],
      effects: [],
      requests: [],
    }));
  };
  const playOne = async (cell, more) => {
    let record;
    let problems;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      record = await playOnce(cell, more);
      problems = judge(cell, record);
      // The point may not be reached, e.g. if a worker lost its lease before. Then no process died there, and the cell is played again.
      if (problems.length !== 1 || problems[0] !== UNREACHED || tries === MOST_TRIES) break;
      console.log(`${cell.name}: ${UNREACHED}; it is played again`);
    }
    results.push({ name: cell.name, problems });
    if (problems.length > 0) console.log([cell.name, ...problems].join('\n  '));
    if (values.cell !== undefined)
      for (const line of [...record.notes, ...record.requests]) console.log(JSON.stringify(line));
    if (results.length % 50 === 0) console.log(`${results.length} of ${cells.length} cells`);
  };
  const work = async (waiting, more = async () => ({})) => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const around = await more(cell);
      try {
        await playOne(cell, around);
      } finally {
        await around.close?.();
      }
    }
  };
  const lanes = Object.entries(AT_ONCE).map(async ([name, atOnce]) => {
    const waiting = cells.filter((cell) => laneOf(cell) === name);
    if (waiting.length === 0) return;
    if (name === 'postgres') await playOnPostgres(waiting, atOnce, work);
    else {
      const more = name === 'real' ? (cell) => openReal(cell, { entryPoints }) : undefined;
      await Promise.all(Array.from({ length: atOnce }, () => work(waiting, more)));
    }
  });
  await Promise.all(lanes);
  return results;
}

/** What judges must find what is wrong: each wrong implementation in one of its cells. */
async function playWrong(folder) {
  const results = [];
  for (const [index, [name, { cells: names, found }]] of Object.entries(WRONG).entries()) {
    const problems = [];
    for (const cell of createCells().filter((each) => names.includes(each.name))) {
      const place = join(folder, `wrong-${index}-${cell.calls}`);
      problems.push(...judge(cell, await playCell(cell, { entryPoints, folder: place, wrong: name })));
    }
    const isFound = problems.some((problem) => found.test(problem));
    console.log(`${name}: ${isFound ? 'found' : `not found, but ${JSON.stringify(problems)}`}`);
    results.push({ name, problems: isFound ? [] : ['not found'] });
  }
  return results;
}

/** A worker takes whatever its journal has, so each lane has a database of its own. */
async function playOnPostgres(waiting, atOnce, work) {
  const { Client } = await import('pg');
  const server = await startPostgres({ settings: { fsync: 'off' } });
  try {
    await Promise.all(
      Array.from({ length: atOnce }, async (_, lane) => {
        const client = new Client(server.url);
        await client.connect();
        await client.query(`create database calls_${lane}`);
        await client.end();
        const postgres = server.url.replace(/\/postgres$/, `/calls_${lane}`);
        await work(waiting, async () => ({ postgres }));
      }),
    );
  } finally {
    await server.stop();
  }
}

const seed = readCommitSeed(values.seed, root);
const cells = chooseCells(seed);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-call-faults-')));
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
  const isPart = values.only !== undefined || values.cell !== undefined;
  const results = [...(await play(cells, folder)), ...(isPart ? [] : await playWrong(folder))];
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`\n${results.length - failed} passed, ${failed} failed, ${seconds} s`);
  // A run in which nothing was run proves nothing.
  if (failed > 0 || results.length === 0) process.exitCode = 1;
} finally {
  clean();
}
