// The types of a custom spawner. It runs the CLI somewhere else: in a container, a virtual machine, or on another host.
import type { Readable, Writable } from 'node:stream';

/** What a custom spawner is asked to start. */
export interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
  /** Aborts when the process gets its first signal. Its input has ended by then. */
  signal: AbortSignal;
}

/** The process that a custom spawner returns. Node's `ChildProcess` with three pipes fits. */
export interface SpawnedProcess {
  stdin: Writable;
  stdout: Readable;
  stderr?: Readable | null | undefined;
  readonly pid?: number | undefined;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode?: NodeJS.Signals | null | undefined;
  kill(signal: NodeJS.Signals): boolean;
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  once(event: 'error', listener: (error: Error) => void): void;
  off(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  off(event: 'error', listener: (error: Error) => void): void;
}

/** The option `spawnClaudeCodeProcess`. */
export type ProcessSpawner = (options: SpawnOptions) => SpawnedProcess;
