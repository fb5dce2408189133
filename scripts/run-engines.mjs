// Proves the packed package on durable engines: the scenario of test/engines, in which workers are killed, stopped or do not come back,
// with the real CLI, a scripted model and PostgreSQL on loopback. Ends with a table and the line "N passed, M failed"; exits with 1
// when something failed. The sample is chosen by a seed, which is printed first.
//   node scripts/run-engines.mjs --install   install the engines only (needs the registry)
//   node scripts/run-engines.mjs             install if need be, then run (needs no network once installed; Linux)
//     --all             every scene on every engine
//     --only <text>     only what has it in "engine / scene", and all of that
//     --seed <number>   default: made of the commit
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ENGINES } from '../test/engines/engines.mjs';
import { installRuntimes, listRuntimes } from '../test/matrix/runtimes.mjs';
import { readCommitSeed } from './support/commit-seed.mjs';
import { installLocked } from './support/install-locked.mjs';
import { packPackage } from './support/pack-package.mjs';
import { describeMissingServers, findPostgres } from './support/services/find-servers.mjs';
import { startPostgres } from './support/services/postgres-server.mjs';
import { listParts } from './support/site/page-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** How many scenes of each engine are in the sample. */
const SAMPLE = 2;
const LANES = 2;

const { values } = parseArgs({
  options: {
    install: { type: 'boolean' },
    all: { type: 'boolean' },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
});
const seed = readCommitSeed(values.seed, root);
if (process.platform !== 'linux') {
  console.log('Not run: processes are stopped and looked at as on Linux.');
  process.exit(0);
}
installLocked(join(root, 'test', 'engines'));
if (ENGINES.some(needsRuntime)) installRuntimes();
if (!values.install) {
  if (findPostgres() === undefined) throw new Error(describeMissingServers());
  process.exitCode = (await runAll()) === 0 ? 0 : 1;
  // An engine's client may keep a connection or a timer.
  process.exit();
}

function needsRuntime({ node }) {
  return node !== undefined && Number(process.versions.node.split('.')[0]) < node;
}

async function runAll() {
  console.log(`seed ${seed}`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-e-')));
  const postgres = await startPostgres({ settings: { fsync: 'off' } });
  try {
    const place = createProject(folder);
    const { SCENES } = await importOf(place, 'scenario.mjs');
    const fields = chooseFields(SCENES);
    const fieldsOf = (engine) => fields.filter((field) => field.engine === engine);
    // The engine with most to do comes first: last, it would be alone in the end.
    const waiting = ENGINES.filter((engine) => fieldsOf(engine).length > 0).toSorted(
      (one, other) => fieldsOf(other).length - fieldsOf(one).length,
    );
    const work = async () => {
      for (let engine = waiting.shift(); engine; engine = waiting.shift())
        await runEngine({ engine, place, postgres, fields: fieldsOf(engine) });
    };
    await Promise.all(Array.from({ length: LANES }, work));
    printTable(fields);
    const failed = fields.filter(({ state }) => state !== 'passed').length;
    console.log(`\n${fields.length - failed} passed, ${failed} failed`);
    return fields.length === 0 ? 1 : failed;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/**
 * All scenes of all engines, or a sample: other scenes for each engine and each seed, and the code of its page or its example in turns. Its
 * own checks are always run.
 */
function chooseFields(scenes) {
  const documented = ENGINES.filter(({ page }) => page);
  const programs = documented.map((engine) => [
    { engine, scene: { name: `code of ${engine.page}`, run: 'runPage' } },
    { engine, scene: { name: `examples/engines/${engine.example}`, run: 'runExample' } },
  ]);
  const checks = documented.flatMap((engine) =>
    (engine.checks ?? []).map((file) => ({ engine, scene: { name: file, run: 'runChecks', file } })),
  );
  const pages = [...programs.flat(), ...checks];
  const all = ENGINES.map((engine) =>
    scenes.filter(({ needs }) => !needs || engine.can.includes(needs)).map((scene) => ({ engine, scene })),
  );
  if (values.only !== undefined)
    return [...all.flat(), ...pages].filter(({ engine, scene }) =>
      `${engine.name} / ${scene.name}`.includes(values.only),
    );
  if (values.all) return [...all.flat(), ...pages];
  const sample = all.flatMap((fields, place) =>
    Array.from({ length: SAMPLE }, (_, at) => fields[(seed + place * SAMPLE + at) % fields.length]),
  );
  return [...sample, ...programs.map((both, place) => both[(seed + place) % both.length]), ...checks];
}

/** The packed package as an install unpacks it, with the engines beside it, and the programs of the scenario. */
function createProject(folder) {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'inboard'), { recursive: true });
  execFileSync('tar', ['-xzf', packPackage(folder), '-C', join(modules, 'inboard'), '--strip-components=1']);
  const installed = join(root, 'test', 'engines', 'node_modules');
  for (const name of readdirSync(installed).filter((each) => !each.startsWith('.')))
    symlinkSync(join(installed, name), join(modules, name));
  for (const name of ['@cfworker', '@anthropic-ai', 'jiti'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const place = join(folder, 'test', 'engines');
  const isOurs = (path) => !path.includes(join('test', 'engines', 'node_modules'));
  cpSync(join(root, 'test', 'engines'), place, { recursive: true, filter: isOurs });
  cpSync(join(root, 'test', 'support', 'wait-until.js'), join(folder, 'test', 'support', 'wait-until.js'));
  return place;
}

function importOf(place, file) {
  return import(pathToFileURL(join(place, file)).href);
}

async function runEngine({ engine, place, postgres, fields }) {
  const folder = mkdtempSync(join(place, '..', 'run-'));
  let running;
  try {
    running = await startEngine(engine, place, postgres, folder);
    for (const [at, field] of fields.entries()) {
      const conversation = `chat-${at}`;
      await fill(field, () =>
        field.scene.play
          ? running.play({ scene: field.scene, conversation, folder })
          : runCode(field, place, postgres),
      );
    }
  } catch (error) {
    // The engine did not start.
    for (const field of fields.filter(({ state }) => state === undefined))
      await fill(field, () => Promise.reject(error));
  } finally {
    await running?.stop();
  }
}

/** Runs the code of an engine's page or its example, in a database of its own. */
async function runCode({ engine, scene }, place, postgres) {
  const programs = await importOf(place, 'pages.mjs');
  const { createDatabase } = await importOf(place, 'databases.mjs');
  const { openForPage } = await importOf(place, join('drivers', engine.driver));
  const database = await createDatabase(postgres.url, `${engine.name} ${scene.name}`);
  const server = await openForPage?.(mkdtempSync(join(place, '..', 'page-')));
  try {
    await programs[scene.run]({
      name: engine.example,
      file: scene.file,
      page: [engine.page, ...listParts(root, engine.page)]
        .map((path) => readFileSync(join(root, path), 'utf8'))
        .join('\n'),
      examples: join(root, 'examples', 'engines'),
      compiler: join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      types: join(root, 'node_modules', '@types'),
      database: database.url,
      node: nodeOf(engine),
      env: server?.env,
    });
  } finally {
    await server?.close();
    await database.pool.end();
  }
}

function nodeOf(engine) {
  return needsRuntime(engine) ? findRuntime(engine.node) : process.execPath;
}

async function startEngine(engine, place, postgres, folder) {
  const { createRowReader } = await importOf(place, 'engines.mjs');
  const { playScene } = await importOf(place, 'stage.mjs');
  const { createTools } = await importOf(place, 'stage-tools.mjs');
  const { createDatabase } = await importOf(place, 'databases.mjs');
  const { start } = await importOf(place, join('drivers', engine.driver));
  const database = await createDatabase(postgres.url, engine.name);
  const node = nodeOf(engine);
  const handle = await start({ database: database.url, folder, node });
  const tools = await createTools();
  const rowsOf = createRowReader(engine.rows, database.pool);
  return {
    play: (scene) =>
      playScene({ ...scene, engine: handle, rowsOf, tools, tellsMessages: engine.tellsMessages }),
    async stop() {
      await handle.stop();
      await database.pool.end();
    },
  };
}

function findRuntime(version) {
  const runtime = listRuntimes().find(({ name, missing }) => !missing && name.startsWith(`Node ${version}.`));
  if (!runtime)
    throw new Error(`There is no Node ${version} here: its package has no binary for this platform`);
  return runtime.program;
}

async function fill(field, run) {
  const begun = performance.now();
  const name = `${field.engine.name} / ${field.scene.name}`;
  try {
    field.measured = await run();
    field.state = 'passed';
  } catch (error) {
    field.state = 'failed';
    field.error = error;
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const { nextAttemptMs, recovery = 'by itself' } = field.measured ?? {};
  const note = nextAttemptMs === undefined ? '' : `, next attempt after ${nextAttemptMs} ms, ${recovery}`;
  console.log(`${name}: ${field.state} (${seconds} s)${note}`);
  if (field.error) console.log((field.error.stack ?? String(field.error)).replaceAll(/^/gm, '    '));
}

function printTable(fields) {
  const engines = [...new Set(fields.map(({ engine }) => engine))];
  const scenes = [...new Set(fields.map(({ scene }) => scene))];
  const first = Math.max(...scenes.map(({ name }) => name.length));
  const line = (head, cells) => {
    const padded = cells.map((cell, at) => cell.padEnd(Math.max(18, engines[at].name.length)));
    console.log([head.padEnd(first), ...padded].join('  ').trimEnd());
  };
  const describe = (field) => {
    if (!field) return '';
    const { nextAttemptMs, recovery } = field.measured ?? {};
    const ms = nextAttemptMs === undefined ? '' : ` (${nextAttemptMs} ms${recovery ? ', by hand' : ''})`;
    return `${field.state}${ms}`;
  };
  console.log('\nIn brackets: from the death of a worker, or the request to recover, to the next attempt.');
  line(
    '',
    engines.map(({ name }) => name),
  );
  for (const scene of scenes) {
    const cells = engines.map((engine) =>
      describe(fields.find((field) => field.engine === engine && field.scene === scene)),
    );
    line(scene.name, cells);
  }
}
