// Runs real programs that were written for the official SDK, unchanged, on Inboard and the real CLI: the package they
// import is replaced by the built one under the same name. Some are then moved by `inboard migrate` and run again, without that
// name. The model is scripted and on loopback; only the first run of a program needs the network, to install it.
//   node scripts/run-programs.mjs --install     install only (needs the registry)
//   node scripts/run-programs.mjs               all programs; needs `npm run build` before
//   node scripts/run-programs.mjs gsd-sdk       only those named
//   node scripts/run-programs.mjs --official    each on the official SDK too, and what differs
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { installLocked } from './support/install-locked.mjs';
import { PROGRAMS } from '../test/programs/programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const OFFICIAL = '@anthropic-ai/claude-agent-sdk';
const PLAY_TIMEOUT_MS = 120_000;
const platform = `${process.platform}-${process.arch}`;
const built = process.env.INBOARD_BUILD_DIR ?? join(root, 'dist');
const cliPackage = join(root, 'node_modules', '@anthropic-ai', `claude-code-${platform}`);
const cli = join(cliPackage, process.platform === 'win32' ? 'claude.exe' : 'claude');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function install({ name }) {
  const wanted = join(root, 'test', 'programs', 'packages', name);
  const id = createHash('sha256')
    .update(readFileSync(join(wanted, 'package-lock.json')))
    .digest('hex')
    .slice(0, 8);
  const folder = join(root, 'node_modules', '.cache', 'inboard-programs', `${name}-${id}`);
  if (existsSync(join(folder, 'ready'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  cpSync(wanted, folder, { recursive: true });
  installLocked(folder, ['--ignore-scripts', '--omit=optional', '--legacy-peer-deps']);
  renameSync(join(folder, 'node_modules', OFFICIAL), join(folder, 'official'));
  // Where the official package keeps its CLI, and ours looks too.
  symlinkSync(cliPackage, join(folder, 'node_modules', `${OFFICIAL}-${platform}`), 'junction');
  writeFileSync(join(folder, 'ready'), '');
  return folder;
}

function redirect(folder, sdk) {
  const place = join(folder, 'node_modules', OFFICIAL);
  rmSync(place, { recursive: true, force: true });
  if (sdk === 'official') {
    cpSync(join(folder, 'official'), place, { recursive: true });
    return;
  }
  // The version that it stands for.
  const { version } = JSON.parse(readFileSync(join(folder, 'official', 'package.json'), 'utf8'));
  putBuilt(place, OFFICIAL, version);
}

/** Puts the built package into a folder, under a name. */
function putBuilt(place, name, version) {
  rmSync(place, { recursive: true, force: true });
  cpSync(built, join(place, 'dist'), { recursive: true });
  const { type, exports, dependencies } = manifest;
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version, type, exports, dependencies }));
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    cpSync(join(root, 'node_modules', dependency), join(place, 'node_modules', dependency), {
      recursive: true,
    });
  }
}

/** Moves the program as its owner would, runs it where the official package is not installed, and puts everything back. */
async function playMoved(program, folder) {
  const modules = join(folder, 'node_modules');
  const sources = join(modules, program.moves);
  const original = join(folder, 'original');
  const own = join(modules, manifest.name);
  // What a run that was stopped has left.
  if (existsSync(original)) putBack(original, sources);
  cpSync(sources, original, { recursive: true });
  try {
    putBuilt(own, manifest.name, manifest.version);
    const words = [join(own, 'dist', 'cli', 'main.js'), 'migrate', '--json', sources];
    // Its exit code is 1 when something breaks, such as a message that is compared; that it runs is what counts here.
    const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
    const { changes, unreadable } = JSON.parse(stdout);
    if (changes.length === 0 || unreadable.length > 0)
      throw new Error(`${program.name} was not moved:\n${stdout.slice(0, 3000)}`);
    rmSync(join(modules, OFFICIAL), { recursive: true, force: true });
    return await play(program, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
    putBack(original, sources);
  }
}

function putBack(original, sources) {
  rmSync(sources, { recursive: true, force: true });
  renameSync(original, sources);
}

function play({ name }, folder) {
  const script = join(root, 'test', 'programs', 'play.mjs');
  const testing = join(built, 'entry', 'testing.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, name, folder, testing, cli], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), PLAY_TIMEOUT_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const facts = /^@@facts (.*)$/m.exec(output)?.[1];
      if (code === 0 && facts !== undefined) resolve(JSON.parse(facts));
      else reject(new Error(`${name} ended with ${signal ?? code}:\n${output.slice(-3000)}`));
    });
  });
}

function compile({ name, compile: plan }, folder) {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const own = join(folder, 'compiled.mts');
  if (plan.source !== undefined) writeFileSync(own, plan.source);
  const files = plan.files ?? ['compiled.mts'];
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext'];
  const libraries = ['--lib', 'es2023,esnext.disposable,dom', '--types', 'node'];
  const types = ['--typeRoots', join(root, 'node_modules', '@types')];
  const check = ['--skipLibCheck', String(plan.skipLibCheck ?? false)];
  try {
    execFileSync(process.execPath, [compiler, ...flags, ...libraries, ...types, ...check, ...files], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Error(`${name} does not compile:\n${String(error.stdout).slice(0, 3000)}`, { cause: error });
  }
}

function listDifferences({ differs = [] }, ours, theirs) {
  return Object.keys(theirs).filter(
    (key) => !differs.includes(key) && !isDeepStrictEqual(ours[key], theirs[key]),
  );
}

async function runProgram(program, withOfficial) {
  const folder = install(program);
  redirect(folder, 'inboard');
  if (program.compile) compile(program, folder);
  const ours = await play(program, folder);
  if (program.moves !== undefined) {
    const moved = await playMoved(program, folder);
    requireSame(program, listDifferences(program, moved, ours), moved, ours, 'not moved');
  }
  if (!withOfficial) return;
  redirect(folder, 'official');
  const theirs = await play(program, folder);
  requireSame(program, listDifferences(program, ours, theirs), ours, theirs, 'official');
}

function requireSame({ name }, different, ours, theirs, who) {
  if (different.length === 0) return;
  const told = different.map(
    (key) => `  ${key}: ${JSON.stringify(ours[key])}\n  ${who}: ${JSON.stringify(theirs[key])}`,
  );
  throw new Error(`${name} does not do the same:\n${told.join('\n')}`);
}

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const withOfficial = process.argv.includes('--official');
const failures = [];
const chosen = PROGRAMS.filter(({ name }) => names.length === 0 || names.includes(name));
if (process.argv.includes('--install')) {
  for (const program of chosen) install(program);
  process.exit();
}
for (const program of chosen) {
  const start = performance.now();
  const verdict = await runProgram(program, withOfficial).then(
    () => 'ran   ',
    (error) => {
      failures.push(error);
      return 'FAILED';
    },
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${verdict} ${program.name} (${program.kind}), ${seconds} s`);
}
for (const error of failures) console.error(`\n${error.message}`);
process.exitCode = failures.length === 0 ? 0 : 1;
