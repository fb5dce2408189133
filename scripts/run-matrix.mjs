// Proves the packed package on other runtimes: every program of test/matrix on every runtime that
// test/matrix/package.json pins, with the real CLI and a scripted model on loopback. Ends with a table and the line
// "N passed, M failed"; exits with 1 when something failed.
//   node scripts/run-matrix.mjs --install   install the runtimes only (needs the registry)
//   node scripts/run-matrix.mjs             install if need be, then run (needs no network once installed)
//     --tarball <file>   prove this one; default: pack the package as it is built
//     --only <text>      only what has it in "runtime / program", as in --only Bun or --only "Node 24"
//     --seed <number>    the unit tests run on one of the runtimes, chosen by the commit, or by this number
//     --all              on each of them
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { takeTurns } from '../test/matrix/by-turns.mjs';
import { createProject } from '../test/matrix/project.mjs';
import { PROGRAMS } from '../test/matrix/programs.mjs';
import { createPlace, endProcesses } from '../test/matrix/run-program.mjs';
import { installRuntimes, listRuntimes } from '../test/matrix/runtimes.mjs';
import { readCommitSeed } from './support/commit-seed.mjs';

const AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    install: { type: 'boolean' },
    tarball: { type: 'string' },
    only: { type: 'string' },
    seed: { type: 'string' },
    all: { type: 'boolean' },
  },
});
const seed = readCommitSeed(values.seed, fileURLToPath(new URL('..', import.meta.url)));

/** One field of the table: passed, failed, or not run, and why. */
async function fillField({ runtime, program, project, folder, waits }) {
  const reason = runtime.missing ?? (program.cannot?.(runtime) || waits);
  if (reason) return { state: 'not run', note: reason };
  const begun = performance.now();
  const place = createPlace(folder);
  try {
    await program.run({ runtime, project, place });
    await place.expectEmpty(program);
    const note = program.note?.(runtime) || undefined;
    return { state: 'passed', note, seconds: (performance.now() - begun) / 1000 };
  } catch (error) {
    return { state: 'failed', note: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    place.remove();
  }
}

/** Runs fields, a few at once, in their order. */
async function fillFields(fields, atOnce, fill) {
  const waiting = [...fields];
  const work = async () => {
    for (let field = waiting.shift(); field; field = waiting.shift()) {
      Object.assign(field, await fill(field));
      const seconds = field.seconds === undefined ? '' : ` (${field.seconds.toFixed(1)} s)`;
      console.log(`${field.runtime.name} / ${field.program.name}: ${field.state}${seconds}`);
      if (field.state === 'failed') console.log(indent(field.note));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function indent(text) {
  return text.replaceAll(/^/gm, '    ');
}

function printTable(fields) {
  const runtimes = [...new Set(fields.map(({ runtime }) => runtime))];
  const programs = [...new Set(fields.map(({ program }) => program))];
  const first = Math.max(...programs.map(({ name }) => name.length));
  const widths = runtimes.map(({ name }) => Math.max(name.length, 'not run'.length));
  const line = (head, cells) =>
    console.log(
      [head.padEnd(first), ...cells.map((cell, at) => cell.padEnd(widths[at]))].join('  ').trimEnd(),
    );
  console.log();
  line(
    '',
    runtimes.map(({ name }) => name),
  );
  for (const program of programs) {
    const cells = runtimes.map(
      (runtime) =>
        fields.find((field) => field.runtime === runtime && field.program === program)?.state ?? '',
    );
    line(program.name, cells);
  }
  const noted = fields.filter(({ state, note }) => state !== 'failed' && note !== undefined);
  if (noted.length > 0) console.log('\nNotes:');
  for (const { runtime, program, state, note } of noted)
    console.log(`  ${runtime.name} / ${program.name}: ${state}: ${note}`);
}

installRuntimes();
if (!values.install) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-m-')));
  const clean = () => {
    endProcesses(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      clean();
      process.exit(1);
    });
  }
  try {
    const project = await createProject(folder, values.tarball && resolve(values.tarball));
    const named = listRuntimes()
      .flatMap((runtime) => PROGRAMS.map((program) => ({ runtime, program })))
      .filter(({ runtime, program }) => `${runtime.name} / ${program.name}`.includes(values.only ?? ''));
    const fields = values.all ? named : takeTurns(named, seed);
    const isAlone = ({ program }) => program.isAlone === true;
    const fill = (field) => fillField({ ...field, project, folder });
    const others = fields.filter((field) => !isAlone(field));
    // Both wait for processes most of the time.
    await Promise.all([fillFields(others, AT_ONCE, fill), fillFields(fields.filter(isAlone), 1, fill)]);
    printTable(fields);
    const count = (state) => fields.filter((field) => field.state === state).length;
    console.log(`\n${count('passed')} passed, ${count('failed')} failed`);
    // A run in which nothing was run proves nothing.
    if (count('failed') > 0 || count('passed') === 0) process.exitCode = 1;
  } finally {
    clean();
  }
}
