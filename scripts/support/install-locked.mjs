// Installs a folder that has a package.json and a lockfile of its own, unless that was done before. Several scripts may ask for the
// same folder at the same time: one of them installs it, and the others wait.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOOK_AGAIN_MS = 200;

/** Runs `npm ci` in `folder`, with more flags, when its lockfile is not the one that was installed there last; needs the registry then. */
export function installLocked(folder, flags = []) {
  const mark = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const isInstalled = () => existsSync(mark) && readFileSync(mark, 'utf8') === wanted;
  if (isInstalled()) return;
  const turn = join(
    tmpdir(),
    `inboard-install-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
  );
  while (!takeTurn(turn)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  try {
    // Whoever had the turn before may have done it.
    if (isInstalled()) return;
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...flags], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      // npm is a batch file there, which only a shell starts.
      shell: process.platform === 'win32',
    });
    writeFileSync(mark, wanted);
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Whether this process may install now. One that was killed while it installed has its turn no longer. */
function takeTurn(turn) {
  try {
    writeFileSync(turn, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = existsSync(turn) ? readFileSync(turn, 'utf8') : '';
  // Between the making of the file and the writing of its text there is none.
  if (holder !== '' && !isRunning(Number(holder))) rmSync(turn, { force: true });
  return false;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
