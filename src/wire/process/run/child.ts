// One child process: its pipes, its exit, and signals for it and all it started. When it is to end is decided by the
// transport; `custom-child` gives the process of a custom spawner the same interface.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import type { InboardError } from '../../../errors.js';
import { createDeferred } from '../../../util/deferred.js';
import { bindToHost } from './host-death.js';
import type { Environment } from '../operating-system.js';
import { endLeftovers, killGroups, signalGroup } from './process-group.js';
import { explainSpawnFailure } from './spawn-failure.js';

/** How a child ended. */
export interface ChildExit {
  exitCode: number | null;
  signal: string | null;
  /** Set when it could not be started, or contact with it was lost. */
  error?: InboardError;
}

/** The two signals of an ending, in their order. */
export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** A started process; whoever starts it handles its streams, their errors included, until `exited`. */
export interface Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable | undefined;
  /** Resolves at the exit, whatever still holds the pipes; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Resolves after the exit, when nothing it started in its group is left either; never rejects. */
  readonly gone: Promise<void>;
  /** Sends a signal to it and to what it started; once it is gone, nothing happens. */
  signal(name: EndSignal): void;
  /** Gives up on a process that does not end: it no longer keeps the host alive, and its exit is ignored. */
  abandon(): void;
}

/** What to start. */
export interface ChildStart {
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  env: Environment;
}

/** Starts a process with three pipes; a failure to start arrives as `exited` with an error, never as an exception. */
export function startChild(start: ChildStart): Child {
  try {
    const child = spawn(start.command, start.args, {
      cwd: start.cwd,
      env: start.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, so that what it starts can be ended with it. On Windows this would open a console.
      detached: process.platform !== 'win32',
    });
    // With no file handles left Node returns a process without pipes and emits the error a moment later.
    return (child.stdin as Writable | undefined) === undefined
      ? createFailedChild(new Promise((resolve) => child.once('error', resolve)).then(toExit))
      : new LocalChild(child, toExit);
  } catch (error) {
    return createFailedChild(Promise.resolve(toExit(error)));
  }

  function toExit(error: unknown): ChildExit {
    return { exitCode: null, signal: null, error: explainSpawnFailure({ ...start, error }) };
  }
}

/** A child that never ran: its input is discarded, its output has ended. */
export function createFailedChild(exited: Promise<ChildExit>): Child {
  return {
    pid: undefined,
    stdin: new PassThrough().resume(),
    stdout: new PassThrough().end(),
    stderr: undefined,
    exited,
    gone: exited.then(() => undefined),
    signal: () => undefined,
    abandon: () => undefined,
  };
}

class LocalChild implements Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ChildExit>;
  readonly gone: Promise<void>;
  readonly #process: ChildProcessWithoutNullStreams;
  #isRunning: boolean;

  constructor(child: ChildProcessWithoutNullStreams, toExit: (error: unknown) => ChildExit) {
    const exit = createDeferred<ChildExit>();
    this.#process = child;
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
    // Also emitted for a signal that could not be sent, which is no end.
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

  abandon(): void {
    this.#process.removeAllListeners('exit');
    this.#process.unref();
  }

  async #watchGroup(): Promise<void> {
    const { pid } = this;
    if (pid === undefined) {
      await this.exited;
      return;
    }
    const unbind = bindToHost(pid);
    await this.exited;
    if (process.platform !== 'win32') await endLeftovers(pid);
    unbind();
  }
}

// Windows has no gentle signal, and once the leader has ended nothing shows what it had started, so the whole tree is
// killed. Not run on Windows.
function endWindowsTree(pid: number, child: ChildProcessWithoutNullStreams): void {
  const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  killer.once('error', () => child.kill('SIGKILL'));
}
