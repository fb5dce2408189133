// The terminal of a real process: its streams and signals. Ctrl-C asks the command to end. A second Ctrl-C ends the
// process at once. A closed output pipe is not an error.
import { noteLine, StopRequest, type Terminal } from './terminal.js';
import { describeError, EXIT_CODES } from './usage-error.js';

/** The process as a terminal, and a function that ends the process. */
export interface ProcessTerminal {
  terminal: Terminal;
  /** Ends the process once all output is written, even if a tools file has left something open. */
  finish: (exitCode: number) => Promise<void>;
}

/** Takes over the signals, warnings and broken pipes of this process. Warnings are printed in the words of the command. */
export function openProcessTerminal(inOwnWords: (text: string) => string): ProcessTerminal {
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
    if (!isReported(warning)) noteLine(terminal, `Warning: ${inOwnWords(warning.message)}`);
  });
  // Prints the error and exits, as Node would, but removes escape sequences from the error's text first.
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

// Whether the loader of tools files reports this warning. It collects the warnings about tools.
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
