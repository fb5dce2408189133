// An empty project with the packed package in it, as npm installs it: what the programs of the matrix run in.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { offlineInstall } from '../../scripts/support/offline-install.mjs';
import { packPackage } from '../../scripts/support/pack-package.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Peers, and what programs of the matrix import themselves.
const NEIGHBOURS = ['zod', '@opentelemetry/api'];

/** Makes the project in `folder` and gives its places. Without a tarball the built package is packed as it stands. */
export async function createProject(folder, tarball) {
  if (tarball === undefined && !existsSync(join(root, 'dist', 'entry', 'index.js')))
    throw new Error('There is no build to prove. Run "npm run build" first, or name a file with --tarball.');
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  // Without the network npm cannot look a dependency up, so each is handed to it as a tarball too.
  const names = [...Object.keys(manifest.dependencies ?? {}), ...NEIGHBOURS];
  const own = tarball ?? packPackage(mkdtempSync(join(folder, 'pack-')));
  const tarballs = [own, ...pack(folder, names.map(locate))];
  run('npm', offlineInstall(folder, tarballs), project);
  linkCli(project);
  cpSync(fileURLToPath(new URL('programs', import.meta.url)), project, { recursive: true });
  // Projects with a copy of the package of their own, one of them with jiti, through which Node 20 loads TypeScript
  // and which nothing else here may find.
  for (const neighbour of ['with-copy', 'with-jiti']) {
    const copy = join('node_modules', manifest.name);
    cpSync(join(project, copy), join(project, neighbour, copy), { recursive: true });
    cpSync(join(project, 'tools.ts'), join(project, neighbour, 'tools.ts'));
  }
  cpSync(locate('jiti'), join(project, 'with-jiti', 'node_modules', 'jiti'), { recursive: true });
  await writeNames(project);
  return { folder: project, command: join(project, 'node_modules', manifest.name, manifest.bin.inboard) };
}

// It is found as a user's would be; a copy would be hundreds of megabytes.
function linkCli(project) {
  const scope = join('node_modules', '@anthropic-ai');
  mkdirSync(join(project, scope));
  for (const name of readdirSync(join(root, scope)).filter((entry) => /^claude-code(?:-|$)/.test(entry)))
    symlinkSync(join(root, scope, name), join(project, scope, name));
}

/** What each entry point gives, as this Node sees it, for programs to compare. */
async function writeNames(project) {
  const names = {};
  for (const [entryPoint, { default: file }] of Object.entries(manifest.exports).filter(
    // What is for Temporal's sandbox needs Temporal's library.
    ([name, to]) => to.default && name !== './temporal/workflow',
  )) {
    const path = join(project, 'node_modules', manifest.name, file);
    names[entryPoint.replace('.', manifest.name)] = Object.keys(
      await import(pathToFileURL(path).href),
    ).toSorted();
  }
  writeFileSync(join(project, 'names.json'), JSON.stringify(names));
}

// As it was installed or built: what its own scripts need is not there, and a build is not the matrix's to change.
function pack(folder, sources) {
  const target = mkdtempSync(join(folder, 'pack-'));
  run('npm', ['pack', ...sources, '--pack-destination', target, '--silent', '--ignore-scripts'], folder);
  const tarballs = readdirSync(target).map((name) => join(target, name));
  if (tarballs.length !== sources.length) throw new Error(`npm pack made ${tarballs.length} tarballs`);
  return tarballs;
}

function locate(name) {
  return join(root, 'node_modules', name);
}

function run(command, commandArguments, cwd) {
  return execFileSync(command, commandArguments, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm is a batch file there, which only a shell starts.
    shell: process.platform === 'win32',
  });
}
