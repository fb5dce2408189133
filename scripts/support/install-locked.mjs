// Installs a folder that has a package.json and a lockfile of its own, unless that was done before.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `npm ci` in `folder`, with more flags, when its lockfile is not the one that was installed there last; needs the registry then. */
export function installLocked(folder, flags = []) {
  const mark = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm is a batch file there, which only a shell starts.
    shell: process.platform === 'win32',
  });
  writeFileSync(mark, wanted);
}
