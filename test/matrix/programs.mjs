// The columns of the matrix: what is run on each runtime, where it cannot be, and how it is judged beyond its exit code.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runProgram } from './run-program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM_LIMIT_MS = 90_000;
const UNIT_LIMIT_MS = 240_000;
const OLD_CLI_NOTE = `the CLI hangs on this Node, so Node ${process.versions.node} runs it (option "executable")`;

/**
 * The paths, or how they begin, of the unit tests that lean on the runtime: pipes, processes, streams, timers. The other flows are
 * about our own logic.
 */
export const UNIT_TESTS = [
  'wire/channel/',
  'wire/transport/',
  'wire/process/',
  'answer/mcp/',
  ...['callbacks', 'consumer', 'controls.test', 'endings', 'input-lifetime', 'launch', 'prompts'].map(
    (flow) => `flows/${flow}`,
  ),
].map((path) => `packages/core/test/${path}`);

/**
 * Name, when it cannot be run (a reason), and the run: it throws when something is wrong. One that `isAlone` uses
 * several cores by itself; one that `isByTurns` is run on one of the runtimes that can run it, another one for each commit.
 */
export const PROGRAMS = [
  { name: 'import', run: play('entry-points.mjs') },
  {
    name: 'require',
    cannot: ({ node }) => isBefore(node, [20, 19]) && 'require() of modules needs Node 20.19',
    run: play('require.cjs'),
  },
  { name: 'session', run: play('session.mjs') },
  { name: 'old CLI', note: (runtime) => hangsOldCli(runtime) && OLD_CLI_NOTE, run: playOnOldCli },
  { name: 'endings', run: play('endings.mjs') },
  { name: 'killed host', mayLeaveFiles: true, run: killHost },
  { name: 'answers', run: play('answers.mjs') },
  {
    name: 'await using',
    cannot: ({ node }) => isBefore(node, [24]) && 'the syntax needs Node 24',
    run: play('await-using.mjs'),
  },
  { name: 'fakes', run: play('fakes.mjs') },
  { name: 'records', run: play('records.mjs') },
  { name: 'command', run: runCommand },
  { name: 'one copy', run: shareCopy },
  {
    name: 'unit tests',
    cannot: ({ node }) => {
      if (node === undefined) return 'the test runner is made for Node';
      if (isBefore(node, [20, 19])) return 'the test runner needs Node 20.19';
      return node.join('.') === process.versions.node && 'this Node: npm test';
    },
    isAlone: true,
    isByTurns: true,
    run: runUnitTests,
  },
];

function play(file) {
  return ({ runtime, project, place: { env } }) =>
    runProgram({ runtime, words: [file], cwd: project.folder, env, limitMs: PROGRAM_LIMIT_MS });
}

// With any host: after its start it never asks the model.
function hangsOldCli({ node }) {
  return node !== undefined && !isBefore(node, [26]);
}

/** The oldest CLI is a script: the runtime that the host runs in has to run it as well. */
function playOnOldCli({ runtime, project, place }) {
  const cli = join(root, 'node_modules', 'claude-code-2.1.33', 'cli.js');
  const env = {
    ...place.env,
    INBOARD_MATRIX_CLI: cli,
    INBOARD_MATRIX_CLI_VERSION: '2.1.33',
    ...(hangsOldCli(runtime) && { INBOARD_MATRIX_EXECUTABLE: process.execPath }),
  };
  return runProgram({ runtime, words: ['session.mjs'], cwd: project.folder, env, limitMs: PROGRAM_LIMIT_MS });
}

/** SIGKILL in the middle of a turn; what is left is looked for by the caller. */
async function killHost({ runtime, project, place }) {
  let seen;
  const stdout = await runProgram({
    runtime,
    words: ['killed-host.mjs'],
    cwd: project.folder,
    env: place.env,
    limitMs: PROGRAM_LIMIT_MS,
    killed: true,
    onStdout: (text, child) => {
      if (!text.includes('\n') || seen !== undefined) return;
      seen = place.listProcesses();
      child.kill('SIGKILL');
    },
  });
  // Only what can be found can be missed.
  const clis = stdout.trim().split(' ').map(Number);
  assert.equal(clis.length, 2);
  if (process.platform === 'linux')
    for (const pid of clis) assert.ok(seen.includes(pid), `${pid} was not found`);
}

async function runCommand(input) {
  const file = join(loadsTypeScript(input.runtime) ? '.' : 'with-jiti', 'tools.ts');
  const listing = JSON.parse(await command(input, 'tools', file, '--json'));
  assert.deepEqual(listing.servers, [{ name: 'orders', kind: 'inboard' }]);
  assert.deepEqual(
    listing.tools.map(({ toolName }) => toolName),
    ['mcp__orders__order', 'mcp__orders__is_same_copy'],
  );
  assert.equal(await command(input, 'call', file, 'order', '{"article":"pears","amount":3}'), '1: 3 pears\n');
  await assertSameCopy(input, file);
}

/** The tools file's project has the package as well; still the copy that runs is the only one. */
function shareCopy(input) {
  return assertSameCopy(input, join(loadsTypeScript(input.runtime) ? 'with-copy' : 'with-jiti', 'tools.ts'));
}

async function assertSameCopy(input, file) {
  const result = JSON.parse(await command(input, 'call', file, 'is_same_copy', '{}', '--json'));
  const text = JSON.stringify(result);
  assert.ok(text.includes('\\"same\\":true') || result.structuredContent?.same === true, text);
}

function command({ runtime, project, place }, ...words) {
  const entryPoint = pathToFileURL(
    join(project.folder, 'node_modules', 'inboard', 'dist', 'entry', 'index.js'),
  ).href;
  return runProgram({
    runtime,
    words: [project.command, ...words],
    cwd: project.folder,
    env: { ...place.env, INBOARD_MATRIX_ENTRY_POINT: entryPoint },
    limitMs: PROGRAM_LIMIT_MS,
  });
}

function runUnitTests({ runtime, place: { env } }) {
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return runProgram({
    runtime,
    words: [runner, 'run', '--project', 'unit', '--project', 'apart', '--reporter=dot', ...UNIT_TESTS],
    cwd: root,
    env,
    limitMs: UNIT_LIMIT_MS,
    allowStderr: true,
  });
}

// Every runtime but older Nodes.
function loadsTypeScript({ node }) {
  return !isBefore(node, [22, 18]);
}

function isBefore(node, [major, minor = 0]) {
  return node !== undefined && (node[0] < major || (node[0] === major && node[1] < minor));
}
