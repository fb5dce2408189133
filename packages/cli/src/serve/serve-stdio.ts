// Serves one client on the standard input and output. The output belongs to the protocol, so anything that the tools write
// there is sent to the standard error instead.
import type { Writable } from 'node:stream';
import { claimOutput } from '@inboard/core/util/claim-output.js';
import { noteLine, type Terminal } from '../terminal/terminal.js';
import { createBoundedInput } from './bounded-input.js';
import type { Bridge } from './bridge.js';
import type { McpStdio } from './mcp-library.js';

/** The output for the protocol; `restore` lets other code write to the standard output again. */
export interface GuardedOutput {
  stdout: Writable;
  restore: () => void;
}

/** Reserves the standard output for the protocol: `console.log` and all other code of this process no longer reach it. */
export function guardOutput(terminal: Terminal): GuardedOutput {
  const { output, restore } = claimOutput(terminal.stdout, terminal.stderr);
  return { stdout: output, restore };
}

/** Serves until the input ends or the command is to stop. */
export async function serveStdio(
  bridge: Bridge,
  { terminal, output, stdio }: { terminal: Terminal; output: Writable; stdio: McpStdio },
): Promise<void> {
  const { stdin, signal } = terminal;
  const lines = createBoundedInput(
    (reply) => output.write(`${JSON.stringify(reply)}\n`),
    (line) => noteLine(terminal, `inboard: ${line}`),
  );
  const ended = new Promise<void>((resolve) => {
    lines.once('end', resolve);
    stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const handle = stdio.serveStdio(() => bridge.createServer(), {
    // The library's limit would apply to all buffered lines together. The limit for each line has been checked before.
    transport: new stdio.StdioServerTransport(lines, output, { maxBufferSize: Number.MAX_SAFE_INTEGER }),
    onerror: (error) => terminal.stderr.write(`inboard: ${error.message}\n`),
  });
  stdin.pipe(lines);
  await ended;
  stdin.unpipe(lines);
  await handle.close();
}
