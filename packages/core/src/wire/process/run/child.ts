// The interface of a child process: its pipes, its exit, and the signals that end it. `local-child` starts one on this
// machine. `custom-child` wraps one that the caller's own spawner started.
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { InboardError } from '../../../errors.js';
import type { Environment } from '../operating-system.js';
import type { WhenHostDies } from './host-death.js';

/** How a child ended. */
export interface ChildExit {
  exitCode: number | null;
  signal: string | null;
  /** Set if the child could not be started, or contact with it was lost. */
  error?: InboardError;
}

/** The two signals that end a child, in the order in which they are sent. */
export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** A started process. The code that starts it handles its streams and their errors until `exited`. */
export interface Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable | undefined;
  /** Resolves at the exit, even if another process still holds the pipes. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Resolves when the child has exited and its process group has been ended as well. Never rejects. */
  readonly gone: Promise<void>;
  /** Signals the child and, as far as possible, what it started. Does nothing once the child has exited. */
  signal(name: EndSignal): void;
  /**
   * Returns a promise until the guardian runs, which ends the child when this process dies. The promise resolves when it
   * runs or cannot be started. Returns undefined if there is nothing to wait for.
   */
  guarded?(): Promise<void> | undefined;
  /** Gives up on a process that does not end. It no longer keeps the host alive, and its exit is ignored. */
  abandon(): void;
}

/** The process to start. */
export interface ChildStart {
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  env: Environment;
  /** Default: `'kill'`. It does not apply to custom spawners, which must end their processes themselves. */
  whenHostDies?: WhenHostDies | undefined;
}

/** A child that never ran. Its input is discarded, and its output has ended. */
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
