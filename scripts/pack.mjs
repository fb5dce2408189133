// Packs the package as it is published, and prints the path of the tarball. Needs `npm run build` before.
//   node scripts/pack.mjs              into the root
//     --into <folder>   into another folder
//     --check           looks at what is packed with publint and attw instead, and keeps nothing
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packPackage } from './support/pack-package.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { into: { type: 'string' }, check: { type: 'boolean' } } });

if (values.check) process.exitCode = check();
else process.stdout.write(`${packPackage(resolve(values.into ?? root))}\n`);

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
