// A project of `inboard init`, as a stranger has it: written by the installed command, installed from the tarball, its
// scripts run without a network. The CLI and the tools that are not ours are linked: they are too large to be installed once
// more, and npm cannot look them up here.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { offlineInstall } from './offline-install.mjs';

/** Words that each script must print; what it prints otherwise is not our business here. */
const AGENT = [
  ['check', /mcp__shop__reserve\(article: string, count: integer, customer: string\)/],
  ['test', /^(?:#|ℹ) pass 7$/m],
  ['trace', /a script answers[\s\S]*"left":5[\s\S]*tools\/call +shop: reserve/],
];

/** The flags that ask for each template, and its scripts. */
export const TEMPLATES = {
  'agent-ts': { flags: [], scripts: AGENT },
  'agent-js': { flags: ['--js'], scripts: AGENT },
  cluster: {
    flags: ['--template', 'cluster'],
    // The compiler says nothing when all is well.
    scripts: [
      ['check', /> tsc\n/],
      ['test', /^(?:#|ℹ) pass 5$/m],
      ['build', /> tsc -p tsconfig\.build\.json\n/],
    ],
  },
};

/** Writes, installs and runs a project of a template; throws when something is not as it should be. */
export function tryInit({ template, folder, command, tarballs, root, env }) {
  const run = (file, words, cwd) => {
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
  const name = `new-${template}`;
  const [tarball] = tarballs;
  const flags = ['--inboard', tarball, ...TEMPLATES[template].flags];
  const next = run(process.execPath, [command, 'init', name, ...flags], folder);
  if (next !== `cd ${name} && npm install && npm test\n`) throw new Error(`"inboard init" printed: ${next}`);
  const project = join(folder, name);

  const path = join(project, 'package.json');
  const written = readFileSync(path, 'utf8');
  const manifest = JSON.parse(written);
  const linked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([dependency]) => dependency !== 'inboard',
  );
  writeFileSync(
    path,
    JSON.stringify({
      ...manifest,
      dependencies: { inboard: manifest.dependencies.inboard },
      devDependencies: {},
    }),
  );
  run('npm', [...offlineInstall(folder, tarballs), '--no-save'], project);
  writeFileSync(path, written);
  for (const [dependency, version] of linked) link(project, { root, dependency, version });

  for (const [script, expected] of TEMPLATES[template].scripts) {
    const begun = performance.now();
    const printed = run('npm', ['run', script], project);
    if (!expected.test(printed)) throw new Error(`"npm run ${script}" of ${name} printed:\n${printed}`);
    console.log(`${name}, ${script}: passed (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  }
  rmSync(project, { recursive: true, force: true });
}

function link(project, { root, dependency, version }) {
  const source = join(root, 'node_modules', dependency);
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
