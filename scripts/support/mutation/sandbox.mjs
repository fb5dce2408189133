// Mutants of the code that ends processes and removes folders would do so to the wrong ones. So all of it happens where there
// are none: in a space of process numbers of its own, with a disk that can be read only, except for one temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MARK = 'INBOARD_MUTATION_SANDBOX';

const SPACES = ['--user', '--map-root-user', '--pid', '--mount', '--fork', '--kill-child', '--mount-proc'];

// `sh` stays as the first process there: it collects what others leave behind, as Node does not.
const PREPARE = `
mount -t tmpfs tmpfs "$TMPDIR" || exit 70
awk '{ print $5 }' /proc/self/mountinfo | while read -r place; do
  case $place in "$TMPDIR"|/proc*|/dev*|/sys*) ;; *) mount -o remount,bind,ro "$place" 2>/dev/null ;; esac
done
if touch "$0" 2>/dev/null; then echo "The disk can still be written to." >&2; exit 70; fi
"$@"
exit $?
`;

/** Whether this process may try mutants. */
export function isSandboxed() {
  return process.env[MARK] !== undefined;
}

/** In the sandbox: hands over what is to be kept. */
export function handOver(value) {
  writeFileSync(3, JSON.stringify(value));
}

/** Runs this program again in a sandbox, and returns its exit code. What it hands over goes to `receive`. */
export function runInSandbox(program, receive) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-mutation-'));
  try {
    const { status, error, output } = spawnSync(
      'unshare',
      [...SPACES, 'sh', '-c', PREPARE, program, process.execPath, program, ...process.argv.slice(2)],
      {
        env: { ...process.env, TMPDIR: folder, HOME: folder, [MARK]: folder },
        stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
        maxBuffer: 2 ** 30,
      },
    );
    if (error)
      throw new Error('Mutants are tried in namespaces of Linux, which `unshare` makes.', { cause: error });
    if (status === 0) receive(JSON.parse(output[3]));
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
