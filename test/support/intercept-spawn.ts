// Plays the part of the operating system when a process is to be started: what it does when it has no room for another one,
// and what other systems do, cannot be had on demand.
import { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** What Node asks the system for. */
export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly detached?: boolean;
  readonly windowsHide?: boolean;
}

type Spawn = (this: ChildProcess, request: SpawnRequest) => number;

/** Until the test ends, `answer` gets each child before it is started; one it returns false for is started as usual. */
export function interceptSpawn(answer: (child: ChildProcess, request: SpawnRequest) => boolean): void {
  const prototype = ChildProcess.prototype as unknown as { spawn: Spawn };
  const original = prototype.spawn;
  prototype.spawn = function spawn(request) {
    return answer(this, request) ? 0 : original.call(this, request);
  };
  onTestFinished(() => {
    prototype.spawn = original;
  });
}

/** The child fails as one does that the system refuses: without pipes, and a moment later with an error. */
export function refuseSpawn(child: ChildProcess, code: string): true {
  process.nextTick(() => child.emit('error', Object.assign(new Error(`spawn ${code}`), { code })));
  return true;
}
