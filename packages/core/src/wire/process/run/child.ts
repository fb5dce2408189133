// One child process, as the transport sees it: its pipes, its exit, and signals for it and all it started. It is started
// by `local-child.ts`, or by the user's own spawner and wrapped by `custom-child.ts`.
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
  /** A promise until it is sure to end with this process, or cannot be made so; then undefined. Also where nobody sees to that here. */
  guarded?(): Promise<void> | undefined;
  /** Gives up on a process that does not end: it no longer keeps the host alive, and its exit is ignored. */
  abandon(): void;
}

/** What to start. */
export interface ChildStart {
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  env: Environment;
  /** Default `'kill'`. Custom spawners see to it themselves. */
  whenHostDies?: WhenHostDies | undefined;
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
