// One child process for the transport: its pipes, its exit, and signals for it and everything it started. `local-child`
// starts it, or the user's own spawner does and `custom-child` wraps it.
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { InboardError } from '../../../errors.js';
import type { Environment } from '../operating-system.js';
import type { WhenHostDies } from './host-death.js';

/** How a child ended. */
export interface ChildExit {
  exitCode: number | null;
  signal: string | null;
  /** Set when it could not be started, or contact with it was lost. */
  error?: InboardError;
}

/** The two signals of an ending, in order. */
export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** A started process. The caller that starts it handles its streams, including their errors, until `exited`. */
export interface Child {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable | undefined;
  /** Resolves at the exit, even if another process still holds the pipes. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Resolves after the exit, when every process of its group is gone as well. Never rejects. */
  readonly gone: Promise<void>;
  /** Sends a signal to it and to everything it started. Does nothing once it is gone. */
  signal(name: EndSignal): void;
  /**
   * A promise until the child is sure to end with this process, or that turns out to be impossible. After that
   * undefined; always undefined where no guardian is used.
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
  /** Default `'kill'`. Custom spawners must do this themselves. */
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
