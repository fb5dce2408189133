// Packs the package, installs it in an empty project without the network, and imports every door there:
// what is published must work with what it declares and nothing else.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isWindows = process.platform === 'win32';
// Doors that give types and no values.
const TYPES_ONLY = new Set(['./sdk-tools', './sdk-tools.js']);
// Doors that need a package the user brings along.
const NEEDS_PEER = new Set(['./otel']);
const folder = mkdtempSync(join(tmpdir(), 'inboard-tarball-'));

function run(command, commandArguments, cwd) {
  return execFileSync(command, commandArguments, {
    cwd,
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

try {
  const dependencies = Object.keys(manifest.dependencies ?? {});
  // Without the network npm cannot look a dependency up, so each is handed to it as a tarball too. It is
  // packed as it was installed: what its own scripts need is not there.
  const tarballs = [
    pack(root),
    ...dependencies.map((name) => pack(join(root, 'node_modules', name), '--ignore-scripts')),
  ];

  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], project);

  const installed = listInstalled(join(project, 'node_modules')).sort();
  const expected = [manifest.name, ...dependencies].map(String).sort();
  if (installed.join() !== expected.join()) {
    throw new Error(`Installed ${installed.join(', ')}, expected ${expected.join(', ')} and nothing else`);
  }

  for (const door of Object.keys(manifest.exports).filter((key) => !key.endsWith('.json'))) {
    const specifier = JSON.stringify(door.replace('.', manifest.name));
    if (NEEDS_PEER.has(door)) continue;
    const script = `console.log(Object.keys(await import(${specifier})).length)`;
    const count = Number(run(process.execPath, ['--input-type=module', '--eval', script], project));
    if (!(count > 0) && !TYPES_ONLY.has(door)) throw new Error(`The door ${specifier} gives no names`);
    console.log(`${specifier}: ${count} names`);
  }
  console.log(`Installed from the tarball: ${installed.join(', ')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
