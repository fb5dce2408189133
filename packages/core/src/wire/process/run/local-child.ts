// Starts a child process on this machine, in a process group of its own. SIGTERM reaches the whole group. SIGKILL also
// reaches the groups that the child's descendants have opened. The child ends with the host.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createDeferred } from '../../../util/deferred.js';
import { processes } from '../../../util/system/processes.js';
import { createHostBond, type HostBond } from './host-death.js';
import { endLeftovers, killGroups, signalGroup } from './process-group.js';
import { explainSpawnFailure } from './spawn-failure.js';
import { endWindowsTree } from './windows-tree.js';
import { type ChildExit, type EndSignal, type Child, type ChildStart, createFailedChild } from './child.js';

/** Starts a process with three pipes. A failure to start arrives as `exited` with an error, never as an exception. */
export function startChild(start: ChildStart): Child {
  const bond = createHostBond(start.whenHostDies);
  try {
    const child = processes.spawn(start.command, start.args, {
      cwd: start.cwd,
      env: { ...start.env, ...bond.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // The child gets its own group, so that all it starts can be ended with it. On Windows this would open a console.
      detached: process.platform !== 'win32',
    });
    // Without free file handles Node returns a process without pipes, and emits the error a moment later.
    return (child.stdin as Writable | undefined) === undefined
      ? createFailedChild(new Promise((resolve) => child.once('error', resolve)).then(toExit))
      : new LocalChild(child, bond, toExit);
  } catch (error) {
    return createFailedChild(Promise.resolve(toExit(error)));
  }

  function toExit(error: unknown): ChildExit {
    return { exitCode: null, signal: null, error: explainSpawnFailure({ ...start, error }) };
  }
}

class LocalChild implements Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ChildExit>;
  readonly gone: Promise<void>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #bond: HostBond;
  #isRunning: boolean;

  constructor(child: ChildProcessWithoutNullStreams, bond: HostBond, toExit: (error: unknown) => ChildExit) {
    const exit = createDeferred<ChildExit>();
    this.#process = child;
    this.#bond = bond;
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    this.#isRunning = child.pid !== undefined;
    this.exited = exit.promise;
    child.once('exit', (exitCode, signal) => {
      this.#isRunning = false;
      exit.resolve({ exitCode, signal });
    });
    // Node also emits an error for a signal that could not be sent. The child still runs then.
    child.on('error', (error) => {
      if (child.pid === undefined) exit.resolve(toExit(error));
    });
    this.gone = this.#watchGroup();
  }

  signal(name: EndSignal): void {
    const { pid } = this;
    if (pid === undefined || !this.#isRunning) return;
    if (process.platform === 'win32') endWindowsTree(pid, this.#process);
    else if (name === 'SIGKILL') killGroups(pid);
    else signalGroup(pid, name);
  }

  guarded(): Promise<void> | undefined {
    return this.#bond.guarded();
  }

  abandon(): void {
    this.#process.removeAllListeners('exit');
    this.#process.unref();
  }

  async #watchGroup(): Promise<void> {
    const { pid } = this;
    if (pid !== undefined) this.#bond.bind(pid);
    await this.exited;
    if (pid !== undefined && process.platform !== 'win32') await endLeftovers(pid);
    this.#bond.release();
  }
}
