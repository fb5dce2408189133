// Starts child processes. The real implementation is `node:child_process` itself, so nothing is wrapped.
import childProcess from 'node:child_process';

/** The functions of `node:child_process` that this package uses. */
export type Processes = Pick<typeof childProcess, 'spawn' | 'spawnSync'>;

/** The child processes of this process. Never keep this object, or a function of it, because it may be replaced. */
export let processes: Processes = childProcess;

/** Puts another implementation in place and returns the previous one. Only `replaceSystem` calls it. */
export function replaceProcesses(next: Processes): Processes {
  const before = processes;
  processes = next;
  return before;
}
