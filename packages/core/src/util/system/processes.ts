// Child processes, as `node:child_process` starts them. The real ones are that module itself: nothing is wrapped.
import childProcess from 'node:child_process';

/** What starts child processes: of `node:child_process`, what this package uses. */
export type Processes = Pick<typeof childProcess, 'spawn' | 'spawnSync'>;

/** The child processes of this process. */
export let processes: Processes = childProcess;

/** Puts others in their place; returns those before. Only `replaceSystem` calls it. */
export function replaceProcesses(next: Processes): Processes {
  const before = processes;
  processes = next;
  return before;
}
