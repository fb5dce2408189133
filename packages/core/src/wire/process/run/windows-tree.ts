// Ends a process on Windows with everything that it has started. Windows has no signal that asks a process to exit, and once a
// process is gone, nothing shows what it had started. So the whole tree is killed at once.
import type { ChildProcess } from 'node:child_process';
import { processes } from '../../../util/system/processes.js';
import { findSystemProgram } from '../system-program.js';

/** How long the exit of the host waits for the program that ends the trees. */
const PATIENCE_MS = 5000;

/** Kills a child with everything below it. If the system's program for this fails, the child alone is killed. */
export function endWindowsTree(pid: number, child: Pick<ChildProcess, 'kill'>): void {
  const endChild = (): void => void child.kill('SIGKILL');
  const killer = processes.spawn(findSystemProgram('taskkill.exe'), listWords([pid]), {
    stdio: 'ignore',
    windowsHide: true,
  });
  killer.once('error', endChild);
  // A child that is gone by then is not killed twice: Node knows that it has exited.
  killer.once('exit', (code) => {
    if (code !== 0) endChild();
  });
}

/** The same for several processes, and before it returns: for the exit of the host. */
export function endWindowsTreesNow(pids: readonly number[]): void {
  const { status } = processes.spawnSync(findSystemProgram('taskkill.exe'), listWords(pids), {
    stdio: 'ignore',
    windowsHide: true,
    timeout: PATIENCE_MS,
  });
  if (status === 0) return;
  for (const pid of pids) {
    try {
      process.kill(pid);
    } catch {
      // The process is gone already.
    }
  }
}

function listWords(pids: readonly number[]): string[] {
  return ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])];
}
