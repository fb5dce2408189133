// The interface that carries lines between this process and a CLI. Recording, replaying and fault injection wrap one
// Transport in another. A transport does not know what the lines mean.
import type { InboardError } from '../../errors.js';
import type { UndecodedPiece } from '../protocol/piece-run.js';

/** How the other side ended. `error` is set when it could not be started or its output broke. */
export interface TransportEnd {
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  error?: InboardError;
}

/** Receives the lines. Its methods never throw and are never called while `open` runs. */
export interface TransportReceiver {
  /** One whole line, without its line feed. */
  line(text: string): void;
  /** Something was lost or broke. The transport continues. */
  fault(error: InboardError): void;
  /** The other side is gone. Called exactly once, after the last line. */
  closed(end: TransportEnd): void;
}

/** A receiver that takes undecoded pieces of a streamed answer. Every wrapper of a transport gets all of them as lines. */
export interface PieceReceiver extends TransportReceiver {
  /** Takes a line that resembles the line before it. False when the receiver wants it as a line. */
  piece(piece: UndecodedPiece): boolean;
}

/** Lines in, lines out. The caller of `open` also calls `terminate`. */
export interface Transport {
  /** The version of the CLI at the other end, if the transport knows it. */
  readonly claudeCodeVersion?: string | undefined;
  /** The child's process id, once there is a child. */
  readonly pid: number | undefined;
  /** Starts the other side. Called once; nothing is delivered before it returns. */
  open(receiver: TransportReceiver): void;
  /**
   * Queues one line (no line feed). False when the pipe is full: await `drained()` before more of a long stream. Lines
   * before `open` wait for it; lines after the end are dropped.
   */
  write(line: string): boolean;
  /** Resolves when the pipe has room again, or is closed. Never rejects. */
  drained(): Promise<void>;
  /**
   * For a transport whose other side must end with this process: a promise until that is sure, or turns out to be
   * impossible. Prompts wait for it; the handshake does not.
   */
  guarded?(): Promise<void> | undefined;
  /** Ends the input after the queued lines. May be called again. */
  endInput(): void;
  /**
   * Ends the input, then sends SIGTERM after `graceMs` and SIGKILL after `killMs` more. Resolves when the other side is
   * gone. A second call returns the same promise, and may only shorten the grace.
   */
  terminate(options?: TerminateOptions): Promise<void>;
}

/** What a custom transport must start: the CLI with these arguments, in this folder. */
export interface TransportRequest {
  /** The CLI's arguments, without the CLI itself. */
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /**
   * The environment of this process when the session was started. A variable with the same value in `env` was
   * inherited, and may be a secret of this machine.
   */
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Private files of this machine. Each path is one of the arguments. Only for factories with `carriesFiles`. */
  files?: readonly string[] | undefined;
  /** The session that `resume` or `continue` took from a store. */
  restored?: RestoredFiles | undefined;
  /** Takes what the CLI writes to stderr. Never throws. Set only with the option `stderr`. */
  onStderr?: ((text: string) => void) | undefined;
  /** The option of this name. */
  maxLineBytes?: number | undefined;
}

/** A session from a store, as files of this machine, for a CLI that can only read files where it runs. */
export interface RestoredFiles {
  /** The value of CLAUDE_CONFIG_DIR. */
  configDir: string;
  /** The folder in it with the transcript. The CLI expects its name to be made of its own working directory. */
  projectDir: string;
}

/** Makes a transport for each session. */
export interface TransportFactory {
  (request: TransportRequest): Transport | Promise<Transport>;
  /** The version of the CLI that the transports lead to, if it is known. */
  readonly claudeCodeVersion?: string | undefined;
  /** Finds out that version. Called only where something depends on it. */
  readonly askVersion?: (() => Promise<string | undefined>) | undefined;
  /** The CLI's working directory, unless the option `cwd` gives one. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** The key of a project in a session store unless the option `projectKey` gives one. Default: made of `cwd`, as a path of this machine. */
  readonly projectKeyFor?: ((cwd: string | undefined) => string) | undefined;
  /**
   * Whether the transports bring `files` and `restored` to where the CLI runs. Then long arguments go into files, and
   * the login of this machine is not put beside a restored session.
   */
  readonly carriesFiles?: boolean | undefined;
}

/** How long the CLI may take to exit by itself before it is killed. */
export interface TerminateOptions {
  /** How long a child may take to exit after its input ended. Default 2000 ms. */
  graceMs?: number | undefined;
  /** How long it may take after SIGTERM. Default 5000 ms. */
  killMs?: number | undefined;
}
