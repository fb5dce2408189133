// The runtimes of the matrix: this Node, and those that package.json beside this file pins. All of them come as
// registry packages with the binary inside; one that has none for this platform is reported, not left out.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from '../../scripts/support/install-locked.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const modules = join(folder, 'node_modules');
// What the packages call this processor: Bun has a name of its own for it.
const arch = process.arch;
const bunArch = arch === 'arm64' ? 'aarch64' : arch;

/** Installs what the lockfile says, unless that was done before. */
export function installRuntimes() {
  installLocked(folder);
}

/**
 * Every runtime: what it is called, its program and the arguments that come before a file, and, where it cannot be
 * run, why. `node` is its version in numbers, for what differs between Nodes; undefined for the others.
 */
export function listRuntimes() {
  const own = { name: `Node ${process.versions.node}`, program: process.execPath, args: [] };
  const pinned = ['20', '22', '24', '26'].map((major) =>
    findPinned(`node-${major}-linux-${arch}`, 'bin/node', 'Node'),
  );
  // The oldest that package.json should promise comes first, then the one that most tests run on.
  const [oldest, ...newer] = pinned.map((runtime) => ({ ...runtime, node: readNumbers(runtime.version) }));
  return [
    oldest,
    { ...own, node: readNumbers(process.versions.node), missing: undefined },
    ...newer,
    findPinned(`@oven/bun-linux-${bunArch}`, 'bin/bun', 'Bun'),
    // Deno asks for permissions at a terminal that programs of the matrix do not have.
    { ...findPinned(`@deno/linux-${arch}-glibc`, 'deno', 'Deno'), args: ['run', '--quiet', '--allow-all'] },
  ];
}

function findPinned(name, path, title) {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const { version } = lock.packages[`node_modules/${name}`] ?? { version: '0.0.0' };
  const program = join(modules, name, path);
  return { name: `${title} ${version}`, version, program, args: [], missing: findFault(program) };
}

function findFault(program) {
  if (!existsSync(program)) return 'no binary for this platform is installed';
  try {
    execFileSync(program, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] });
    return undefined;
  } catch (error) {
    return `its binary does not run here: ${error.message.split('\n')[0]}`;
  }
}

function readNumbers(version) {
  return version.split('.').map(Number);
}
