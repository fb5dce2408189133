// Whether a process runs. A zombie counts as ended.
import { readProcessTable } from '../../packages/core/src/wire/process/run/process-table.js';

/** True while the process has not ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return readProcessTable().some((entry) => entry.pid === pid && !entry.isZombie);
}
