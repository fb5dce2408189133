// Packs the package as it is published, and prints the path of the tarball. Needs `npm run build` before.
//   node scripts/pack.mjs              as inboard.tgz in the root, which projects on this machine can install
//     --into <folder>   into another folder, with the version in its name
//     --check           looks at what is packed with publint and attw instead, and keeps nothing
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packPackage } from './support/pack-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { into: { type: 'string' }, check: { type: 'boolean' } } });

if (values.check) process.exitCode = check();
else
  process.stdout.write(
    `${values.into === undefined ? packForProjects() : packPackage(resolve(values.into))}\n`,
  );

/** By a name that stays the same: the pages tell it, and a project that has installed it installs the next one by it. */
function packForProjects() {
  const file = join(root, 'inboard.tgz');
  const folder = mkdtempSync(join(tmpdir(), 'inboard-pack-'));
  try {
    copyFileSync(packPackage(folder), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return file;
}

function check() {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-check-'));
  try {
    const tarball = packPackage(folder);
    execFileSync('tar', ['-xzf', tarball, '-C', folder]);
    const run = (name, ...words) =>
      spawnSync(process.execPath, [join(root, 'node_modules', name), ...words], {
        cwd: root,
        stdio: 'inherit',
      }).status ?? 1;
    return (
      run('publint/src/cli.js', join(folder, 'package'), '--strict') ||
      run('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only')
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
