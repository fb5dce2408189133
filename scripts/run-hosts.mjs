// Proves that the packed package works in hosts that bundle or wrap a program (docs/hosts.md): single-file executables,
// a stand-in for Electron, threads, clusters, containers, a serverless sandbox. Each runs a query with a tool on the real CLI,
// offline, and leaves no process behind. Ends with the line "N passed, M failed"; exits with 1 when something failed.
//   node scripts/run-hosts.mjs --install   install esbuild, postject and Bun only (needs the registry)
//   node scripts/run-hosts.mjs             install if need be, then run (needs no network once installed; Linux)
//     --only <text>   only hosts with this in their name
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { HOSTS } from '../test/hosts/hosts.mjs';
import { createPlace, runProgram } from '../test/matrix/run-program.mjs';
import { installRuntimes } from '../test/matrix/runtimes.mjs';
import { installLocked } from './support/install-locked.mjs';
import { packPackage } from './support/pack-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const EXPECTED = { answer: 'It is 42.', asked: [21] };
const LIMIT_MS = 60_000;

const { values } = parseArgs({ options: { install: { type: 'boolean' }, only: { type: 'string' } } });
if (process.platform !== 'linux') {
  console.log('Not run: the hosts are made of namespaces, /proc and programs for Linux.');
  process.exit(0);
}
installLocked(join(root, 'test', 'bundlers'));
installRuntimes();
if (!values.install) process.exitCode = (await runAll()) === 0 ? 0 : 1;

async function runAll() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-hosts-')));
  const counts = { passed: 0, failed: 0 };
  try {
    const project = createProject(folder);
    for (const host of HOSTS.filter(({ name }) => name.includes(values.only ?? ''))) {
      const begun = performance.now();
      try {
        const result = await runHost(host, folder, project);
        if (result.missing === undefined) {
          assert.deepEqual(result, EXPECTED);
          counts.passed += 1;
          console.log(`${host.name}: passed (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
        } else console.log(`${host.name}: not run, ${result.missing}`);
      } catch (error) {
        counts.failed += 1;
        console.log(`${host.name}: failed\n${error.stack ?? error.message}`);
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  return counts.failed;
}

/** The packed package as an install unpacks it, with what it depends on, and the programs of the hosts. */
function createProject(folder) {
  const project = join(folder, 'project');
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'inboard'), { recursive: true });
  execFileSync('tar', ['-xzf', packPackage(folder), '-C', join(modules, 'inboard'), '--strip-components=1']);
  symlinkSync(join(root, 'node_modules', '@cfworker'), join(modules, '@cfworker'));
  symlinkSync(join(root, 'node_modules', '@anthropic-ai'), join(modules, '@anthropic-ai'));
  cpSync(join(root, 'test', 'hosts', 'programs'), project, { recursive: true });
  return project;
}

async function runHost(host, folder, project) {
  const entryPoint = join(project, 'node_modules', 'inboard', 'dist', 'entry', 'testing.js');
  const { startOffline, text, toolUse } = await import(pathToFileURL(entryPoint).href);
  // Says what the tool gave, so that an answer without the tool's is a wrong one.
  const offline = await startOffline({
    onExhausted: ({ messages }) => {
      const content = messages.at(-1)?.content;
      const result = Array.isArray(content) ? content.find(({ type }) => type === 'tool_result') : undefined;
      return result === undefined
        ? toolUse('mcp__math__double', { n: 21 })
        : text(`It is ${readText(result)}.`);
    },
  });
  const place = createPlace(folder);
  const work = mkdtempSync(join(folder, 'work-'));
  const env = { ...offline.options.env, PATH: place.env.PATH };
  const start = async (program, words = [], more = {}) =>
    JSON.parse(
      await runProgram({
        runtime: { program, args: [] },
        words,
        cwd: work,
        env: { ...env, ...more },
        limitMs: LIMIT_MS,
      }),
    );
  try {
    const result = await host.run({
      place: work,
      project,
      env,
      start,
      namespace,
      listProcesses: place.listProcesses,
      run: (file, { before = [], env: more } = {}) =>
        start(process.execPath, [...before, file.startsWith('/') ? file : join(project, file)], more),
    });
    await place.expectEmpty();
    return result;
  } finally {
    place.remove();
    await offline.close();
  }
}

function readText({ content }) {
  return Array.isArray(content) ? content.map(({ text }) => text ?? '').join('') : content;
}

/** The arguments of `unshare` for a namespace that this user may have; undefined where there is none. */
function namespace(kind) {
  const more = kind === '--pid' ? ['--pid', '--fork', '--mount-proc', '--kill-child'] : [kind];
  return [more, ['--map-root-user', ...more]].find(
    (words) => spawnSync('unshare', [...words, 'true'], { stdio: 'ignore' }).status === 0,
  );
}
