// The interface of a transport, which carries lines between this process and a CLI. A transport does not know what the
// lines mean. Code for recording, replaying and fault injection wraps one transport in another.
import type { InboardError } from '../../errors.js';
import type { UndecodedPiece } from '../protocol/piece-run.js';

/** How the other side ended. `error` is set if it could not be started, read or ended. */
export interface TransportEnd {
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  error?: InboardError;
}

/** Receives the lines. Its methods never throw. A transport must not call them while `open` runs. */
export interface TransportReceiver {
  /** Called with one whole line, without its line feed. */
  line(text: string): void;
  /** Called when something was lost or broke. The transport continues. */
  fault(error: InboardError): void;
  /** Called when the other side is gone: exactly once, after the last line. */
  closed(end: TransportEnd): void;
}

/** A receiver that accepts undecoded pieces of a streamed answer. Any other receiver gets all pieces as lines. */
export interface PieceReceiver extends TransportReceiver {
  /** Called with a line that has the form of the line before it. Returns false if it must be passed to `line` instead. */
  piece(piece: UndecodedPiece): boolean;
}

/** Carries lines to a CLI and back. The code that calls `open` must also call `terminate`. */
export interface Transport {
  /** The version of the CLI at the other end, if the transport knows it. */
  readonly claudeCodeVersion?: string | undefined;
  /** The child's process id, once there is a child. */
  readonly pid: number | undefined;
  /** Starts the other side. It is called once. The transport delivers nothing before it returns. */
  open(receiver: TransportReceiver): void;
  /**
   * Queues one line, given without a line feed. Returns false if the pipe is full; then await `drained()` before you write
   * more of a long stream. Lines before `open` wait for it. Lines after the end are dropped.
   */
  write(line: string): boolean;
  /** Resolves when the pipe has room again, or is closed. Never rejects. */
  drained(): Promise<void>;
  /**
   * For a transport with a guard, which ends the other side when this process dies. Returns a promise until the guard runs.
   * The promise resolves when it runs or cannot be started. Prompts wait for that; the handshake does not.
   */
  guarded?(): Promise<void> | undefined;
  /** Ends the input after the queued lines. May be called again. */
  endInput(): void;
  /**
   * Ends the input, then sends SIGTERM after `graceMs` and SIGKILL after `killMs` more. Resolves when the other side is
   * gone. A second call returns the same promise, and can only shorten the times.
   */
  terminate(options?: TerminateOptions): Promise<void>;
}

/** What a custom transport must start: the CLI with these arguments and this environment, in this folder. */
export interface TransportRequest {
  /** The CLI's arguments, without the CLI itself. */
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /**
   * The environment that this process had when the session was started. A variable that has the same value in `env` was
   * inherited, and may be a secret of this machine.
   */
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** The paths of private files on this machine. Each is one of the arguments. Only for factories with `carriesFiles`. */
  files?: readonly string[] | undefined;
  /** The session that was loaded from a session store because of `resume` or `continue`. */
  restored?: RestoredFiles | undefined;
  /** Call it with what the CLI writes to stderr. It never throws. It is set only if the option `stderr` is. */
  onStderr?: ((text: string) => void) | undefined;
  /** The value of the option `maxLineBytes`, for a transport that splits output into lines. */
  maxLineBytes?: number | undefined;
}

/** A session from a session store, as files on this machine. A CLI elsewhere needs copies of them. */
export interface RestoredFiles {
  /** The value of CLAUDE_CONFIG_DIR. */
  configDir: string;
  /** The folder in `configDir` with the transcript. The CLI expects a name that is derived from its working directory. */
  projectDir: string;
}

/** Creates a transport for each CLI that is to be started. */
export interface TransportFactory {
  (request: TransportRequest): Transport | Promise<Transport>;
  /** The version of the CLI that the transports reach, if it is known. */
  readonly claudeCodeVersion?: string | undefined;
  /** Finds out that version. It is called only if something depends on the version. */
  readonly askVersion?: (() => Promise<string | undefined>) | undefined;
  /** The CLI's working directory, unless the option `cwd` gives one. Default: that of this process. */
  readonly cwd?: string | undefined;
  /**
   * The key of a project in a session store, unless the option `projectKey` gives one. Default: derived from `cwd`, as a
   * path on this machine.
   */
  readonly projectKeyFor?: ((cwd: string | undefined) => string) | undefined;
  /**
   * Whether the transports copy `files` and `restored` to the machine of the CLI. Then long arguments go into files, and
   * the login of this machine is not put beside a restored session.
   */
  readonly carriesFiles?: boolean | undefined;
}

/** How long the CLI may take to exit by itself before it is killed. */
export interface TerminateOptions {
  /** How long a child may take to exit after its input ended. Default 2000 ms. */
  graceMs?: number | undefined;
  /** How long the child may take to exit after SIGTERM. Default 5000 ms. */
  killMs?: number | undefined;
}
