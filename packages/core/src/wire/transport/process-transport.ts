// A transport to a child process: it writes lines to the child's input, reads lines from its output, and reports its end
// once. It does not know which program the child runs, nor what the lines mean.
import type { Readable } from 'node:stream';
import { InboardError, WireError } from '../../errors.js';
import { startChild } from '../process/run/local-child.js';
import type { Child, ChildExit } from '../process/run/child.js';
import { startCustomChild } from '../process/run/custom-child.js';
import type { Environment } from '../process/operating-system.js';
import type { WhenHostDies } from '../process/run/host-death.js';
import type { ProcessSpawner } from '../process/run/spawner.js';
import { StderrTail } from '../process/run/stderr-tail.js';
import { Termination } from '../process/run/terminate.js';
import { createLineSplitter } from '../protocol/line-splitter.js';
import { createDeferred } from '../../util/deferred.js';
import { InputWriter } from './input-writer.js';
import type {
  PieceReceiver,
  TerminateOptions,
  Transport,
  TransportEnd,
  TransportReceiver,
} from './transport.js';

/** The process to start, and the handling of its output. */
export interface ProcessTransportOptions {
  command: string;
  args: readonly string[];
  cwd?: string | undefined;
  env: Environment;
  /** Starts the process, instead of `node:child_process`. */
  spawner?: ProcessSpawner | undefined;
  /** Returns the child to use. Then none is started here. */
  startChild?: (() => Child) | undefined;
  /** A longer line is dropped and reported as a fault. Default 256 MiB. */
  maxLineBytes?: number | undefined;
  /** What happens to the process when this one dies. Default `'kill'`. */
  whenHostDies?: WhenHostDies | undefined;
  /** Receives what the CLI writes to stderr, piece by piece. The first error that it throws goes to `onWarning`. */
  onStderr?: ((text: string) => void) | undefined;
  /** Called for a problem that the transport survives. Default: a Node process warning. */
  onWarning?: ((message: string, cause: unknown) => void) | undefined;
  /** How long a CLI that closed its output may still run before it is ended. Default 5000 ms. */
  outputClosedMs?: number | undefined;
}

const OUTPUT_CLOSED_MS = 5000;
// After the exit, only output that is already in the pipes is awaited. If none comes for this long, another process holds
// the pipes open.
const DRAIN_SILENCE_MS = 100;
const MAX_DRAIN_ROUNDS = 10;

/** A transport to a process that `open` starts. A failure to start is reported through `closed`. */
export function createProcessTransport(options: ProcessTransportOptions): Transport {
  return new ProcessTransport(options);
}

class ProcessTransport implements Transport {
  readonly #options: ProcessTransportOptions;
  readonly #input: InputWriter;
  readonly #stderr: StderrTail;
  readonly #termination: Termination;
  readonly #over = createDeferred<void>();
  #receiver: TransportReceiver | undefined;
  #child: Child | undefined;
  #exit: ChildExit | undefined;
  #outputError: InboardError | undefined;
  #openPipes = 0;
  #hasOutput = false;
  #isEndRequested = false;
  #isClosing = false;
  #isClosed = false;
  #closePipes: Array<() => void> = [];
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
    this.#input = new InputWriter((cause) => this.#onInputBroken(cause));
    this.#stderr = new StderrTail({
      onText: options.onStderr,
      onReaderError: (error) =>
        this.#warn('The stderr callback threw; later pieces are still passed to it', error),
    });
    this.#termination = new Termination({
      endInput: () => this.#input.end(),
      signal: (name) => this.#child?.signal(name),
      giveUp: () => this.#giveUp(),
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  open(receiver: TransportReceiver & Partial<PieceReceiver>): void {
    if (this.#receiver)
      throw new InboardError(
        'ALREADY_OPEN',
        'This transport has already been opened; each can be used only once.',
      );
    this.#receiver = receiver;
    if (this.#isEndRequested) {
      // The transport was ended before it was opened. Nothing is started, and the end is reported as always.
      queueMicrotask(() => this.#close({ exitCode: null, signal: null }));
      return;
    }
    const { command, args, cwd, env, spawner, whenHostDies } = this.#options;
    const start = { command, args, cwd, env, whenHostDies };
    const child =
      this.#options.startChild?.() ?? (spawner ? startCustomChild(spawner, start) : startChild(start));
    this.#child = child;
    this.#listenToOutput(child.stdout, receiver);
    if (child.stderr) this.#listenToStderr(child.stderr);
    this.#input.attach(child.stdin);
    void child.exited.then((exit) => this.#onExit(exit));
  }

  write(line: string): boolean {
    return this.#input.write(line);
  }

  drained(): Promise<void> {
    return this.#input.drained();
  }

  guarded(): Promise<void> | undefined {
    return this.#child?.guarded?.();
  }

  endInput(): void {
    this.#input.end();
  }

  terminate(options: TerminateOptions = {}): Promise<void> {
    this.#isEndRequested = true;
    if (!this.#receiver) return Promise.resolve();
    if (!this.#exit) this.#termination.request(options);
    return this.#over.promise;
  }

  #listenToOutput(stdout: Readable, receiver: TransportReceiver & Partial<PieceReceiver>): void {
    const splitter = createLineSplitter({
      maxLineBytes: this.#options.maxLineBytes,
      onLine: (text) => receiver.line(text),
      onPiece: receiver.piece && ((piece) => receiver.piece?.(piece) ?? false),
      onOversized: ({ bytes }) => receiver.fault(createOversizedError(bytes, this.#options.maxLineBytes)),
    });
    this.#listen(stdout, {
      onChunk: splitter.push,
      onError: (cause) => {
        this.#outputError = new WireError('OUTPUT_BROKEN', 'Reading the output of the CLI failed', { cause });
      },
      onEnd: () => {
        splitter.end();
        // No more output can come, so the process is ended: a process that hangs must not block its session.
        if (!this.#exit)
          this.#termination.request({ graceMs: this.#options.outputClosedMs ?? OUTPUT_CLOSED_MS });
      },
    });
  }

  #listenToStderr(stderr: Readable): void {
    this.#listen(stderr, {
      onChunk: (chunk) => this.#stderr.push(chunk),
      onError: () => undefined,
      onEnd: () => this.#stderr.end(),
    });
  }

  #listen(stream: Readable, on: PipeListener): void {
    this.#openPipes += 1;
    let isOpen = true;
    const onData = (chunk: Uint8Array | string): void => {
      this.#hasOutput = true;
      on.onChunk(chunk);
    };
    const end = (): void => {
      if (!isOpen) return;
      isOpen = false;
      stream.off('data', onData);
      stream.off('end', end);
      // An error may come until the pipe has closed, and would crash the host without a listener.
      if (stream.closed) detach();
      on.onEnd();
      this.#openPipes -= 1;
      this.#closeWhenDone();
    };
    const onError = (error: Error): void => {
      if (isOpen) on.onError(error);
      end();
    };
    const onClose = (): void => {
      end();
      detach();
    };
    const detach = (): void => {
      stream.off('error', onError);
      stream.off('close', onClose);
    };
    stream.on('data', onData);
    stream.on('end', end);
    stream.on('error', onError);
    stream.on('close', onClose);
    this.#closePipes.push(() => {
      end();
      stream.destroy();
    });
  }

  #onExit(exit: ChildExit): void {
    if (this.#isClosing) return;
    this.#exit = exit;
    this.#termination.finish();
    if (exit.error || this.#openPipes === 0) this.#close(exit);
    else this.#awaitSilence(1);
  }

  #closeWhenDone(): void {
    if (this.#exit && this.#openPipes === 0) this.#close(this.#exit);
  }

  #awaitSilence(round: number): void {
    this.#hasOutput = false;
    this.#drainTimer = setTimeout(() => {
      // In a busy host, timers run before the pipes are read. So the pipes are read once more first.
      setImmediate(() => {
        if (this.#isClosed) return;
        if (this.#hasOutput && round < MAX_DRAIN_ROUNDS) this.#awaitSilence(round + 1);
        else if (this.#exit) this.#close(this.#exit);
      });
    }, DRAIN_SILENCE_MS);
  }

  #giveUp(): void {
    this.#child?.abandon();
    const message = `The CLI (process ${this.pid ?? 'unknown'}) did not end after SIGKILL, and was abandoned`;
    this.#close({
      exitCode: null,
      signal: null,
      error: new InboardError('PROCESS_STUCK', message, { phase: 'shutdown' }),
    });
  }

  #close(exit: ChildExit): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#termination.finish();
    clearTimeout(this.#drainTimer);
    // This may deliver a last line without a line feed, so it comes before the report of the end.
    for (const closePipe of this.#closePipes) closePipe();
    this.#input.close();
    this.#isClosed = true;
    this.#receiver?.closed(this.#describeEnd(exit));
    const gone = exit.error ? Promise.resolve() : (this.#child?.gone ?? Promise.resolve());
    void gone.then(() => this.#over.resolve());
  }

  #describeEnd({ exitCode, signal, error }: ChildExit): TransportEnd {
    const end: TransportEnd = { exitCode, signal, stderrTail: this.#stderr.text };
    const cause = error ?? this.#outputError ?? this.#describeForcedEnd();
    if (cause) end.error = cause;
    return end;
  }

  // If the caller did not ask for an end, only the closed output can have caused the signals.
  #describeForcedEnd(): InboardError | undefined {
    if (this.#isEndRequested || !this.#termination.hasSignalled) return undefined;
    return new WireError('OUTPUT_BROKEN', 'The CLI closed its output but kept running, and was ended');
  }

  #onInputBroken(cause: unknown): void {
    // If the end was requested, lost lines do not matter.
    if (this.#isClosed || this.#isEndRequested) return;
    const message = 'The CLI no longer reads its input; what was written since then is lost';
    this.#receiver?.fault(new WireError('INPUT_BROKEN', message, { cause }));
  }

  #warn(message: string, cause: unknown): void {
    if (this.#options.onWarning) this.#options.onWarning(message, cause);
    else process.emitWarning(`${message}: ${String(cause)}`, { code: 'INBOARD_CALLBACK' });
  }
}

interface PipeListener {
  onChunk(chunk: Uint8Array | string): void;
  onError(error: Error): void;
  onEnd(): void;
}

function createOversizedError(bytes: number, limit: number | undefined): WireError {
  const allowed = limit === undefined ? '' : ` (the limit is ${limit})`;
  return new WireError('LINE_TOO_LONG', `The CLI sent a line of ${bytes} bytes${allowed}; it was dropped`);
}
