// What carries lines between this process and a CLI. Recording, replaying and fault injection wrap one Transport in
// another; what the lines mean is not known here.
import type { InboardError } from '../../errors.js';
import type { Piece } from '../protocol/piece-run.js';

/** How the other side ended. `error` is set when it could not be started or its output broke. */
export interface TransportEnd {
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  error?: InboardError;
}

/** What receives the lines. Its methods never throw and are never called while `open` runs. */
export interface TransportReceiver {
  /** One whole line, without its line feed. */
  line(text: string): void;
  /** Something was lost or broke; the transport continues. */
  fault(error: InboardError): void;
  /** The other side is gone; called exactly once, after the last line. */
  closed(end: TransportEnd): void;
}

/** A receiver that takes pieces of a streamed answer undecoded. Whatever wraps a transport gets everything as lines. */
export interface PieceReceiver extends TransportReceiver {
  /** A line that is like the one before it; false when it is wanted as a line. */
  piece(piece: Piece): boolean;
}

/** Lines in, lines out. Whoever calls `open` also calls `terminate`. */
export interface Transport {
  /** The version of the CLI at the other end, where the transport knows it. */
  readonly claudeCodeVersion?: string | undefined;
  /** The child's process id, once there is a child. */
  readonly pid: number | undefined;
  /** Starts the other side; called once, and nothing is delivered before it returns. */
  open(receiver: TransportReceiver): void;
  /** Queues one line (no line feed). False when the pipe is full: await `drained()` before more of a long stream. Lines before `open` wait for it; lines after the end are dropped. */
  write(line: string): boolean;
  /** Resolves when the pipe has room again, or is closed. Never rejects. */
  drained(): Promise<void>;
  /** Where the other side is made to end with this process: a promise until that is sure, or cannot be had. Prompts wait for it, the handshake does not. */
  guarded?(): Promise<void> | undefined;
  /** Ends the input after what was queued. May be called again. */
  endInput(): void;
  /** End of input, then SIGTERM after `graceMs`, then SIGKILL after `killMs` more; resolves when the other side is gone. Memoised; a second call may only shorten the grace. */
  terminate(options?: TerminateOptions): Promise<void>;
}

/** What a custom transport must start: the CLI with these arguments, in this folder. */
export interface TransportRequest {
  /** The CLI's arguments, without the CLI itself. */
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** That of this process when the session was asked for: a variable of `env` that is the same here was inherited, and may be a secret of this machine. */
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Private files of this machine: each path is one of the arguments. Only for factories with `carriesFiles`. */
  files?: readonly string[] | undefined;
  /** The session that `resume` or `continue` got from a store. */
  restored?: RestoredFiles | undefined;
  /** Takes what the CLI writes to stderr; never throws. Only where the option `stderr` is given. */
  onStderr?: ((text: string) => void) | undefined;
  /** The option of this name. */
  maxLineBytes?: number | undefined;
}

/** A session out of a store, as files of this machine, for a CLI that can read them only where it runs. */
export interface RestoredFiles {
  /** The value of CLAUDE_CONFIG_DIR. */
  configDir: string;
  /** The folder in it with the transcript; the CLI expects one with a name made of its own working directory. */
  projectDir: string;
}

/** Makes a transport for each session. */
export interface TransportFactory {
  (request: TransportRequest): Transport | Promise<Transport>;
  /** The version of the CLI the transports lead to, where it is known. */
  readonly claudeCodeVersion?: string | undefined;
  /** Finds out that version; called only where something depends on it. */
  readonly askVersion?: (() => Promise<string | undefined>) | undefined;
  /** Where the CLI works unless the option `cwd` says so. Default: the working directory of this process. */
  readonly cwd?: string | undefined;
  /** The key of a project in a session store unless the option `projectKey` gives one. Default: made of `cwd`, as a path of this machine. */
  readonly projectKeyFor?: ((cwd: string | undefined) => string) | undefined;
  /** Whether the transports bring `files` and `restored` to where the CLI runs. Then long arguments go into files, and the login of this machine is not put beside a restored session. */
  readonly carriesFiles?: boolean | undefined;
}

/** How long the CLI may take to exit by itself before it is killed. */
export interface TerminateOptions {
  /** How long a child may take to exit after its input ended. Default 2000 ms. */
  graceMs?: number | undefined;
  /** How long it may take after SIGTERM. Default 5000 ms. */
  killMs?: number | undefined;
}
