// Runs the code of a page about an engine, and its example: TypeScript is checked against the packed package and the engine's own types,
// and programs run with the real CLI and a scripted model.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';
import { waitUntil } from '../support/wait-until.js';

const run = promisify(execFile);
// On a busy machine, an example needed 50 s until its first line.
const LIMIT_MS = 180_000;
const CHECKS_LIMIT_MS = 240_000;
const BLOCK = /^```ts\n(.*?)^```$/gms;
const PLACE = dirname(fileURLToPath(import.meta.url));

/** `page` is its text, `compiler` the program of TypeScript. The programs get DATABASE_URL, and `env` besides. */
export async function runPage({ name, page, compiler, types, database, node, env = {} }) {
  const folder = join(PLACE, '..', `page-${name}`);
  mkdirSync(folder, { recursive: true });
  const blocks = [...page.matchAll(BLOCK)].map(([, code]) => code);
  if (blocks.length === 0) throw new Error(`The page of ${name} shows no code`);
  const files = blocks.map((code, at) => {
    writeFileSync(join(folder, `block-${at + 1}.ts`), `${code}export {};\n`);
    return `block-${at + 1}.ts`;
  });
  await compile({ folder, compiler, types, files });
  for (const file of files)
    await runBlock({
      file: join(folder, file.replace(/ts$/, 'js')),
      node,
      env: { ...env, DATABASE_URL: database },
    });
}

async function compile({ folder, compiler, types, files, more = {} }) {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [types],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    ...more,
  };
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await check(run(process.execPath, [compiler, '-p', folder]));
}

/** Runs a file of tests that an engine has besides the scenes. It gets DATABASE_URL, and `env` besides. */
export async function runChecks({ file, node, database, env = {} }) {
  const own = { ...process.env, ...env, DATABASE_URL: database };
  const options = { cwd: PLACE, env: own, timeout: CHECKS_LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: 1e7 };
  await check(run(node, [join(PLACE, file)], options));
}

/**
 * Runs the example of an engine in the folder `examples/engines`, as its `npm start` does, with the versions that it names: it is killed at
 * its question, started again and asked to end, and started once more and answered. `words` are its arguments. What a person sees of the last
 * start is printed.
 */
export async function runExample({
  name,
  examples,
  compiler,
  types,
  database,
  node,
  words = ['--offline'],
  env = {},
}) {
  const folder = join(PLACE, '..', `example-${name}`);
  for (const part of ['support', name]) cpSync(join(examples, part), join(folder, part), { recursive: true });
  const files = [`${name}/src/main.ts`];
  const more = { allowImportingTsExtensions: true, noEmit: true };
  await compile({ folder, compiler, types, files, more });
  const place = join(folder, name);
  const { scripts, dependencies } = readManifest(place);
  checkVersions(dependencies);
  const [command, ...args] = scripts.start.split(' ');
  if (command !== 'node')
    throw new Error(`The example ${name} is started with "${scripts.start}", not with node`);
  const home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:1' });
  const start = () =>
    new ExampleProcess(node, [...args, ...words], {
      cwd: place,
      env: { ...home.env, ...env, DATABASE_URL: database },
    });
  try {
    const first = start();
    await first.says('yes or no?');
    first.child.kill('SIGKILL');
    await first.closed;
    const second = start();
    await second.says('yes or no?');
    second.child.kill('SIGTERM');
    await second.closed;
    if (second.child.signalCode === 'SIGKILL')
      throw new Error(`The example ${name} did not end at SIGTERM:\n${second.output}`);
    const third = start();
    await third.says('yes or no?');
    third.child.stdin.write('yes\n');
    await third.closed;
    console.log(third.output.trim().replaceAll(/^/gm, `    ${name}: `));
    const end = 'A-102 was lost. Paid back $74 for A-102.';
    if (!third.output.includes(end)) throw new Error(`It did not say "${end}":\n${third.output}`);
  } finally {
    await home.remove();
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** What an example would install is what it runs with here. */
function checkVersions(dependencies) {
  for (const [name, wanted] of Object.entries(dependencies).filter(([each]) => each !== 'inboard')) {
    const { version } = readManifest(join(PLACE, '..', '..', 'node_modules', name));
    if (version !== wanted)
      throw new Error(`The example names ${name} ${wanted}, and ${version} is installed`);
  }
}

class ExampleProcess {
  output = '';

  constructor(node, args, options) {
    this.child = spawn(node, args, { ...options, timeout: LIMIT_MS, killSignal: 'SIGKILL' });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (said) => (this.output += said));
    this.closed = once(this.child, 'close');
  }

  async says(what) {
    const hasEnded = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await waitUntil(
      () => this.output.includes(what) || hasEnded(),
      LIMIT_MS,
      () => `"${what}": ${this.output}`,
    );
    if (!this.output.includes(what))
      throw new Error(`The example ended before it said "${what}":\n${this.output}`);
  }
}

async function runBlock({ file, node, env }) {
  const model = await startScriptedModel({ onExhausted: callOnce });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  try {
    const options = { cwd: home.cwd, env: { ...home.env, ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL' };
    await check(run(node, [file], options));
  } finally {
    await model.close({ verify: false });
    await home.remove();
  }
}

function callOnce({ messages, body }) {
  const own = body.tools?.find(({ name }) => name.startsWith('mcp__'));
  if (!own || JSON.stringify(messages).includes('"tool_result"')) return text('Order 7 is paid back.');
  return toolUse(own.name, { order: '7' });
}

/** Says what a program has printed when it failed. */
async function check(running) {
  try {
    await running;
  } catch (error) {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}
