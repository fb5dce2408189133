// Packs the package, installs it in an empty project without the network, imports every entry point there, follows the links of
// its pages, runs the programs of test/outsider/programs, tries the command, follows the first page that a newcomer reads, and
// writes and runs projects of the templates with "inboard init": what is published must work with what it declares and nothing else.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readCommitSeed } from './support/commit-seed.mjs';
import { offlineInstall } from './support/offline-install.mjs';
import { packPackage } from './support/pack-package.mjs';
import { findBrokenLinks } from './support/packed-links.mjs';
import { chooseTemplates, tryInit } from './support/try-init.mjs';
import { readSteps, walk } from './support/walk-page.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isWindows = process.platform === 'win32';
// Entry points that give types and no values.
const TYPES_ONLY = new Set(['./sdk-tools', './sdk-tools.js', './types']);
// Entry points that need a package the user brings along.
const NEEDS_PEER = new Set(['./otel', './temporal/workflow']);
const folder = mkdtempSync(join(tmpdir(), 'inboard-tarball-'));

function run(command, commandArguments, cwd, env = process.env) {
  return execFileSync(command, commandArguments, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm is a batch file there, which only a shell starts.
    shell: isWindows && command === 'npm',
  });
}

function pack(source, ...options) {
  const target = mkdtempSync(join(folder, 'pack-'));
  run('npm', ['pack', source, '--pack-destination', target, '--silent', ...options], root);
  const [tarball] = readdirSync(target);
  if (tarball === undefined) throw new Error(`npm pack made no tarball of ${source}`);
  return join(target, tarball);
}

// npm does not put a scope's folder and a name together in a listing.
function listInstalled(modules) {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}

// The CLI is no dependency, and too large to be packed and installed once more: the one that is there will do.
function findCli() {
  const folder = join(root, 'node_modules', '@anthropic-ai', 'claude-code');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, bin.claude);
}

// Each program fails by itself where something is wrong; the command is judged by what it prints.
function runPrograms(project, env) {
  const programs = join(root, 'test', 'outsider', 'programs');
  cpSync(programs, project, { recursive: true });
  for (const program of readdirSync(programs).filter((name) => !name.startsWith('shop'))) {
    const begun = performance.now();
    run(process.execPath, ['--no-warnings', program], project, env);
    console.log(`${program}: passed (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  }
}

function tryCommand(project, env) {
  const command = join(project, 'node_modules', manifest.name, manifest.bin.inboard);
  for (const [expected, ...words] of [
    [/^mcp__shop__count\(article: string\)$/m, 'tools', 'shop-tools.mjs'],
    [/^7 apples$/m, 'call', 'shop-tools.mjs', 'count', '{"article":"apples"}'],
    [
      /^There are seven apples\.$/m,
      'run',
      'shop-tools.mjs',
      'How many?',
      '--once',
      '--allow=count',
      '--offline-script=shop-script.mjs',
      '--trace=run.jsonl',
    ],
    [/tools\/call +shop: count/, 'trace', 'view', 'run.jsonl'],
  ]) {
    const printed = run(process.execPath, [command, ...words], project, env);
    if (!expected.test(printed))
      throw new Error(`"inboard ${words.join(' ')}" printed no ${expected}:\n${printed}`);
    console.log(`inboard ${words[0]}: passed`);
  }
}

// The questions come from a pipe.
function tryPlay(project, env) {
  const command = join(project, 'node_modules', manifest.name, manifest.bin.inboard);
  const printed = execFileSync(process.execPath, [command, 'play', '--port', '0'], {
    cwd: project,
    env,
    encoding: 'utf8',
    input: 'how many apples?\n',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  if (!printed.startsWith('We have 7 apples')) throw new Error(`"inboard play" answered:\n${printed}`);
  console.log('inboard play: passed');
}

// The same program as before, now with the library that it was told to install.
function tryEditor(project, env) {
  for (const name of ['@agentclientprotocol/sdk', 'zod']) {
    cpSync(join(root, 'node_modules', name), join(project, 'node_modules', name), { recursive: true });
  }
  run(process.execPath, ['--no-warnings', 'editor.mjs'], project, env);
  console.log('inboard acp: passed');
}

// Follows the first page as a reader does, in an empty folder, with a scripted model. Commands that install or run until
// Ctrl-C are tried elsewhere in this file. The doctor is left out, because it would look for the account of the user.
async function followFirstPage(project) {
  const begun = performance.now();
  const page = readFileSync(
    join(project, 'node_modules', manifest.name, 'docs', 'getting-started.md'),
    'utf8',
  );
  const place = join(project, 'first-page');
  mkdirSync(place);
  const script = `import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from ${JSON.stringify(`${manifest.name}/testing`)};
    const model = await startScriptedModel({
      onExhausted: ({ answers }) =>
        answers.length > 0 ? text('There are 7 apples in stock.') : toolUse('mcp__shop__count', { article: 'apples' }),
    });
    const home = await createIsolatedEnvironment({ baseUrl: model.url });
    console.log(JSON.stringify(home.env));
    process.stdin.resume().on('end', async () => { await model.close(); await home.remove(); });`;
  const model = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(model, 'exit');
  try {
    const [line] = await once(createInterface({ input: model.stdout }), 'line');
    const env = { ...JSON.parse(line), INBOARD_CLI: findCli() };
    const isFollowed = ({ command = '', name = '' }) =>
      !/^(?:npm|mkdir) |inboard (?:inspect|doctor)|\.ts\b/.test(command) && !name.endsWith('.ts');
    await walk(readSteps(page), { folder: place, env, choose: isFollowed });
  } finally {
    model.stdin.end();
    await ended;
  }
  console.log(`getting-started.md: passed (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
}

/** A browser that opens a link, as far as a server can tell: the link's key gives a secret, and that the data. */
async function visit(link) {
  const { origin, hash } = new URL(link);
  const entry = await fetch(`${origin}/api/enter`, {
    method: 'POST',
    headers: { origin, 'x-inboard': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ key: hash.slice('#key='.length) }),
  });
  const { result } = await entry.json();
  if (!result) throw new Error(`The link gave ${entry.status} and no secret`);
  const get = async (path) => {
    const response = await fetch(`${origin}${path}`, { headers: { 'x-inboard-secret': result.secret } });
    if (!response.ok) throw new Error(`${path} gave ${response.status}`);
    return await response.text();
  };
  for (const path of ['/', '/page.js', '/page.css'])
    if ((await get(path)).length < 100) throw new Error(`${path} is empty`);
  const stranger = await fetch(`${origin}/api/state`);
  if (stranger.ok) throw new Error('The state is given to whoever asks');
  return JSON.parse(await get('/api/state'));
}

// On the recording that `tryCommand` left.
async function tryInspecting(project, env) {
  const command = join(project, 'node_modules', manifest.name, manifest.bin.inboard);
  const child = spawn(process.execPath, [command, 'inspect', 'run.jsonl', '--port', '0'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  try {
    const { sessions } = await visit(await readLink(child));
    if (sessions.length !== 1) throw new Error(`"inboard inspect" shows ${sessions.length} sessions`);
    console.log('inboard inspect: passed');
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
  const script = `import { inspect } from ${JSON.stringify(`${manifest.name}/inspector`)};
    const inspector = await inspect({ port: 0, print: (link) => console.log(link) });
    process.stdin.resume().on('end', () => inspector.close().then(() => process.exit(0)));`;
  const program = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(program, 'exit');
  const { kind } = await visit(await readLink(program));
  if (kind !== 'live') throw new Error(`inspect() serves "${kind}"`);
  program.stdin.end();
  await ended;
  console.log('inspect(): passed');
}

/** The link that a process prints; rejects when it ends without one. */
function readLink(child) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (text) => {
      printed += text;
      const link = /http:\/\/\S+#key=\S+/.exec(printed)?.[0];
      // A line is whole with its end.
      if (link !== undefined && printed.includes('\n', printed.indexOf(link))) resolve(link);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', (code) =>
      reject(new Error(`It ended with ${code}, and printed no link:\n${printed}`)),
    );
  });
}

try {
  const dependencies = Object.keys(manifest.dependencies ?? {});
  // Without the network npm cannot look a dependency up, so each is handed to it as a tarball too. It is
  // packed as it was installed: what its own scripts need is not there.
  const tarballs = [
    packPackage(mkdtempSync(join(folder, 'pack-'))),
    ...dependencies.map((name) => pack(join(root, 'node_modules', name), '--ignore-scripts')),
  ];

  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  run('npm', offlineInstall(folder, tarballs), project);

  const installed = listInstalled(join(project, 'node_modules')).sort();
  const expected = [manifest.name, ...dependencies].map(String).sort();
  if (installed.join() !== expected.join()) {
    throw new Error(`Installed ${installed.join(', ')}, expected ${expected.join(', ')} and nothing else`);
  }

  const broken = findBrokenLinks(join(project, 'node_modules', manifest.name));
  if (broken.length > 0) throw new Error(`Links that lead out of the package:\n${broken.join('\n')}`);

  for (const entryPoint of Object.keys(manifest.exports).filter((key) => !key.endsWith('.json'))) {
    const specifier = JSON.stringify(entryPoint.replace('.', manifest.name));
    if (NEEDS_PEER.has(entryPoint)) continue;
    const script = `console.log(Object.keys(await import(${specifier})).length)`;
    const count = Number(run(process.execPath, ['--input-type=module', '--eval', script], project));
    if (!(count > 0) && !TYPES_ONLY.has(entryPoint))
      throw new Error(`The entry point ${specifier} gives no names`);
    console.log(`${specifier}: ${count} names`);
  }
  const env = { ...process.env, INBOARD_CLI: findCli() };
  runPrograms(project, env);
  tryCommand(project, env);
  tryPlay(project, env);
  await tryInspecting(project, env);
  await followFirstPage(project);
  tryEditor(project, env);
  const command = join(project, 'node_modules', manifest.name, manifest.bin.inboard);
  const { ANTHROPIC_API_KEY: _, ...accountless } = process.env;
  const seed = readCommitSeed(undefined, root);
  const { templates, left } = chooseTemplates(seed);
  const modules = [join(root, 'node_modules')];
  for (const template of templates) {
    const made = tryInit({ template, folder, command, modules, tarballs, env: accountless });
    rmSync(made, { recursive: true, force: true });
  }
  console.log(`Templates with seed ${seed}: ${templates.join(', ')}. Another seed has ${left}.`);
  console.log(`Installed from the tarball: ${installed.join(', ')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
