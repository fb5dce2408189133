// Lets the page of a recording call the tools of a file, as a query would call them. The file is loaded again after a
// change.
import { statSync } from 'node:fs';
import type { ToolCaller } from '@inboard/inspector/sources/recorded-source.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { noteLine, type Terminal } from '../terminal/terminal.js';
import { CommandError } from '../terminal/usage-error.js';
import { loadTools, type LoadedTools } from '../tools-file/load-tools.js';
import { ToolHost, type HostedTool } from '../tools-file/tool-host.js';

/** The tools of one file. Whoever calls `load` must also call `close`. */
export class FileTools implements ToolCaller {
  readonly #terminal: Terminal;
  readonly #path: string;
  #file = '';
  #changedAt = 0;
  #host: ToolHost | undefined;
  #opened: Promise<HostedTool[]> | undefined;

  private constructor(path: string, terminal: Terminal) {
    this.#path = path;
    this.#terminal = terminal;
  }

  /** Loads the file; throws a CommandError that says what is wrong with it. */
  static async load(path: string, terminal: Terminal): Promise<FileTools> {
    const tools = new FileTools(path, terminal);
    await tools.#take(await loadTools(path, terminal.cwd));
    return tools;
  }

  async call(
    { server, tool, input }: { server: string; tool: string; input: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    if (readChange(this.#file) !== this.#changedAt) {
      await this.#take(await loadTools(this.#path, this.#terminal.cwd, { isAgain: true }));
    }
    const host = this.#host as ToolHost;
    const opened = (this.#opened ??= openHost(host, signal));
    const listed = await opened.catch((error: unknown) => {
      // The next call tries again.
      if (this.#opened === opened) this.#opened = undefined;
      throw error;
    });
    const found = findTool(listed, server, tool);
    const params = { name: found.listing.name, arguments: input };
    return host.ask(found.server, { method: 'tools/call', params }, signal);
  }

  close(): void {
    this.#host?.close();
  }

  async #take({ file, servers, contextFor, warnings }: LoadedTools): Promise<void> {
    const context = await contextFor?.({ via: 'command' });
    const warn = ({ message }: { message: string }): void => noteLine(this.#terminal, `Warning: ${message}`);
    warnings.forEach(warn);
    this.#host?.close();
    this.#file = file;
    this.#changedAt = readChange(file);
    this.#host = new ToolHost(servers, { onWarning: warn, context });
    this.#opened = undefined;
  }
}

async function openHost(host: ToolHost, signal: AbortSignal): Promise<HostedTool[]> {
  await host.open(signal);
  return host.listTools(signal);
}

// Prefers the server in the recording. If that server has no such tool, takes the only tool of this name, because a server
// may have been renamed since.
function findTool(listed: readonly HostedTool[], server: string, tool: string): HostedTool {
  const named = listed.filter(({ listing }) => listing.name === tool);
  const found = named.find((one) => one.server === server) ?? (named.length === 1 ? named[0] : undefined);
  if (found) return found;
  const names = listed.map(({ listing }) => listing.name);
  const nearest = findNearestName(tool, names);
  const hint =
    nearest === undefined ? `Its tools are: ${names.join(', ') || 'none'}.` : `Did you mean "${nearest}"?`;
  throw new CommandError('UNKNOWN_TOOL', `The tools file has no tool "${tool}". ${hint}`);
}

function readChange(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
