// A project of `inboard init`, as a stranger has it: written by the installed command, installed from the tarball, its
// scripts run without a network. The CLI and the tools that are not ours are linked: they are too large to be installed once
// more, and npm cannot look them up here.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { offlineInstall } from './offline-install.mjs';

/** Words that each script must print; what it prints otherwise is not our business here. */
const AGENT = [
  ['check', /mcp__shop__reserve\(article: string, count: integer, customer: string\)/],
  ['test', /^(?:#|ℹ) pass 7$/m],
  ['trace', /a script answers[\s\S]*"left":5[\s\S]*tools\/call +shop: reserve/],
];

/** The flags that ask for each template, and its scripts. */
const TEMPLATES = {
  'agent-ts': { flags: [], scripts: AGENT },
  'agent-js': { flags: ['--js'], scripts: AGENT },
  chat: {
    flags: ['--template', 'chat'],
    scripts: [
      ['check', /mcp__shop__refund\(order: string, cents: integer\)/],
      ['test', /^(?:#|ℹ) pass 13$/m],
      ['build', /page\.js/],
    ],
  },
  cluster: {
    flags: ['--template', 'cluster'],
    // The compiler says nothing when all is well.
    scripts: [
      ['check', /> tsc\n/],
      ['test', /^(?:#|ℹ) pass 16$/m],
      ['build', /> tsc -p tsconfig\.build\.json\n/],
    ],
  },
  tools: {
    flags: ['--template', 'tools'],
    scripts: [
      ['check', /mcp__notes__add_note\(text: string\)/],
      ['test', /^(?:#|ℹ) pass 5$/m],
      ['start', /a script answers[\s\S]*All notes: \["Water the plants\."\]/],
    ],
  },
};

/**
 * The templates of scripts/check-tarball.mjs, and the one that it leaves to other seeds. The code of both templates of an agent is the same
 * (test/package/templates.test.ts), so one of them is enough at a time. The packages of the chat's page are those of
 * scripts/run-front-ends.mjs.
 */
export function chooseTemplates(seed) {
  const agents = ['agent-ts', 'agent-js'];
  const left = agents[seed % agents.length];
  return { left, templates: Object.keys(TEMPLATES).filter((name) => name !== left && name !== 'chat') };
}

/**
 * Writes a project of a template below `folder`, installs and runs it, and returns its folder. Throws when something is not as it should
 * be. The package is installed from `tarballs`, or copied from where it is `unpacked`; what is not ours is linked from the first of the
 * folders `modules` that has it.
 */
export function tryInit({ template, folder, command, modules, tarballs, unpacked, env }) {
  const run = createRunner(env);
  const project = writeProject({ template, folder, command, inboard: tarballs?.[0] ?? '0.0.0', run });
  if (tarballs === undefined) {
    copyPackage(project, unpacked);
    linkDependencies(project, modules, join(unpacked, 'package.json'));
  } else {
    installOwn({ project, folder, tarballs, run });
  }
  linkDependencies(project, modules);
  runScripts({ template, project, run });
  return project;
}

/** Installs the package and nothing else: npm cannot look up the others here. */
function installOwn({ project, folder, tarballs, run }) {
  const path = join(project, 'package.json');
  const written = readFileSync(path, 'utf8');
  const manifest = JSON.parse(written);
  const dependencies = { inboard: manifest.dependencies.inboard };
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies, devDependencies: {} }));
  run('npm', [...offlineInstall(folder, tarballs), '--no-save'], project);
  writeFileSync(path, written);
}

function copyPackage(project, unpacked) {
  const modules = join(project, 'node_modules');
  cpSync(unpacked, join(modules, 'inboard'), { recursive: true });
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync('../inboard/dist/cli/main.js', join(modules, '.bin', 'inboard'));
}

function createRunner(env) {
  return (file, words, cwd) => {
    try {
      return execFileSync(file, words, {
        cwd,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        // npm is a batch file there, which only a shell starts.
        shell: process.platform === 'win32' && file === 'npm',
      });
    } catch (error) {
      throw new Error(`"${words.join(' ')}" failed:\n${error.stdout}\n${error.stderr}`, { cause: error });
    }
  };
}

/** Has the command write the project; returns its folder. */
function writeProject({ template, folder, command, inboard, run }) {
  const name = `new-${template}`;
  const flags = ['--inboard', inboard, ...TEMPLATES[template].flags];
  const next = run(process.execPath, [command, 'init', name, ...flags], folder);
  if (next !== `cd ${name} && npm install && npm test\n`) throw new Error(`"inboard init" printed: ${next}`);
  return join(folder, name);
}

function runScripts({ template, project, run }) {
  for (const [script, expected] of TEMPLATES[template].scripts) {
    const begun = performance.now();
    const printed = run('npm', ['run', script], project);
    if (!expected.test(printed))
      throw new Error(`"npm run ${script}" of ${basename(project)} printed:\n${printed}`);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${basename(project)}, ${script}: passed (${seconds} s)`);
  }
}

/** Links what a manifest names: that of the project, or that of a package that is not installed. */
function linkDependencies(project, modules, manifest = join(project, 'package.json')) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies }))
    if (dependency !== 'inboard') link(project, { modules, dependency, version });
}

function link(project, { modules, dependency, version }) {
  const home = modules.find((folder) => existsSync(join(folder, dependency)));
  if (home === undefined) throw new Error(`${dependency} is installed in none of ${modules.join(', ')}.`);
  const source = join(home, dependency);
  const found = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  if (found.version !== version)
    throw new Error(
      `The project wants ${dependency} ${version}; ${found.version} is what it would be tried with.`,
    );
  const target = join(project, 'node_modules', dependency);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(source, target, 'junction');
  const programs = typeof found.bin === 'string' ? { [dependency]: found.bin } : (found.bin ?? {});
  for (const [program, file] of Object.entries(programs))
    symlinkSync(join(source, file), join(project, 'node_modules', '.bin', program));
}
