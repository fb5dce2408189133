// Proves that every example works as a stranger would have it: the packed tarball in a copy of its folder, with what its
// lockfile names, the real CLI and a scripted model. Each is type-checked and runs its own tests; those with a page are
// then opened in Chromium (test/examples). Ends with the line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/run-examples.mjs --install   copy and install only (needs the registry)
//   node scripts/run-examples.mjs             install if need be, then run (needs no network once installed)
//     --only <text>   only examples with this in their name
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  EXAMPLES_PLACE,
  installExample,
  listExamples,
  packProject,
  refreshExample,
} from './support/example-places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const EXAMPLE_LIMIT_MS = 300_000;
/** What a reader takes in: the agent and its tools as a whole, and apart from them the page, the login and the storage. */
const MOST_LINES = [
  { what: 'Agent and tools', folders: ['src'], most: 399 },
  { what: 'Page, login, storage and the like', folders: ['app', 'comparison', 'page', 'public'], most: 599 },
];

const { values } = parseArgs({ options: { install: { type: 'boolean' }, only: { type: 'string' } } });
const names = listExamples().filter((name) => name.includes(values.only ?? ''));
if (names.length === 0) throw new Error(`No example has "${values.only}" in its name.`);
const tarball = packProject();
for (const name of names) installExample(name, tarball);
if (!values.install) process.exitCode = (await runAll()) === 0 ? 0 : 1;

async function runAll() {
  const results = [];
  const waiting = [...names];
  const runNext = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      results.push(await runExample(name));
  };
  // They wait for processes most of the time, but not only.
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runNext));
  const pages = names.filter((name) => existsSync(join(root, 'test', 'examples', `${name}.test.ts`)));
  if (pages.length > 0) results.push(await report('pages in a browser', () => openPages(pages)));
  const failed = results.filter((passed) => !passed).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed;
}

async function runExample(name) {
  return report(name, async () => {
    const place = refreshExample(name);
    for (const { what, folders, most } of MOST_LINES) {
      const lines = folders.reduce((sum, folder) => sum + countLines(join(place, folder)), 0);
      if (lines > most)
        throw new Error(`${what} (${folders.join(', ')}) have ${lines} lines of code; ${most} are the most.`);
    }
    await run(process.execPath, [compiler, '-p', place], place, {});
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-example-')));
    try {
      return await run('npm', ['test', '--silent'], place, { HOME: home });
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  });
}

/** Of TypeScript and JavaScript: markup, styles and SQL are not what is hard to read. */
function countLines(folder) {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.(?:ts|js)$/.test(file));
  return files.reduce(
    (sum, file) => sum + readFileSync(join(folder, file), 'utf8').split('\n').length - 1,
    0,
  );
}

function openPages(pages) {
  const tests = pages.map((name) => `test/examples/${name}.test.ts`);
  const words = ['vitest', 'run', '--project', 'examples', ...tests];
  return run('npx', words, root, { INBOARD_EXAMPLES_DIR: EXAMPLES_PLACE });
}

async function report(name, work) {
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  try {
    const printed = await work();
    const counts = /^# pass (\d+)$/m.exec(printed)?.[1] ?? /Tests +(\d+) passed/.exec(printed)?.[1];
    console.log(`${name}: passed${counts === undefined ? '' : `, ${counts} tests`} (${seconds()} s)`);
    return true;
  } catch (error) {
    console.log(`${name}: failed (${seconds()} s)\n${error.message}`);
    return false;
  }
}

/** What a program prints; rejects with all of it when the program fails, or takes too long. */
function run(command, words, cwd, variables) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      cwd,
      env: { ...process.env, ...variables, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a batch file there, which only a shell starts.
      shell: process.platform === 'win32' && command !== process.execPath,
      // A group of its own, so that a test which hangs is ended with all it started.
      detached: process.platform !== 'win32',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text));
    const timer = setTimeout(() => {
      printed += `\nStopped after ${EXAMPLE_LIMIT_MS / 1000} s.`;
      if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    }, EXAMPLE_LIMIT_MS);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(printed);
      else
        reject(
          new Error(
            `"${words.slice(-3).join(' ')}" ended with ${signal ?? code}:\n${printed.slice(-12_000)}`,
          ),
        );
    });
  });
}
