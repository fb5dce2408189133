// The terminal of a real process: its streams and signals. Ctrl-C asks the command to end; a second Ctrl-C ends the process
// at once. A closed output pipe is not an error.
import { noteLine, StopRequest, type Terminal } from './terminal.js';
import { describeError, EXIT_CODES } from './usage-error.js';

/** The process as a terminal, and the way to leave it. */
export interface ProcessTerminal {
  terminal: Terminal;
  /** Ends the process once everything is written, whatever a tools file has left open. */
  finish: (exitCode: number) => Promise<void>;
}

/** Takes over the signals, warnings and broken pipes of this process. */
export function openProcessTerminal(): ProcessTerminal {
  const controller = new AbortController();
  const stop = (kind: StopRequest['kind']): void => controller.abort(new StopRequest(kind));
  const handlers = new Set<() => boolean>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGINT' && !controller.signal.aborted && [...handlers].at(-1)?.() === true) return;
      if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted);
      stop(signal);
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Other failures of an output, such as a full disk, cannot be reported on it either.
      stop('EPIPE');
      if (error.code !== 'EPIPE') process.exitCode = EXIT_CODES.failed;
    });
  }
  // Node's own format names the process and its flags, which does not help users of a command.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!isReported(warning)) noteLine(terminal, `Warning: ${warning.message}`);
  });
  // Does what Node would do, but cleans the text of the error of escape sequences first.
  process.on('uncaughtException', (error: unknown) => {
    noteLine(terminal, `inboard: ${describeError(error)}`);
    process.exit(EXIT_CODES.failed);
  });
  const terminal: Terminal = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: controller.signal,
    takeInterrupt: (handler) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
  };
  return { terminal, finish };
}

// Warnings about tools are collected while a tools file is loaded, and reported with it.
function isReported(warning: Error & { code?: string }): boolean {
  return /^(?:INBOARD_TOOL|CLAUDE_SDK_MCP_TOOL)_/.test(warning.code ?? '');
}

async function finish(exitCode: number): Promise<void> {
  process.exitCode ??= exitCode;
  await Promise.all([process.stdout, process.stderr].map(flush));
  process.exit();
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });
}
