// Loads a tools file: its servers, its context function, and the warnings that creating the servers caused.
import { resolve } from 'node:path';
import { findClientContext, type ContextForClient } from './client-context.js';
import { findServers, type FoundServers } from './find-servers.js';
import { loadModule } from './load-module.js';

/** The servers of a tools file. */
export interface LoadedTools {
  file: string;
  servers: FoundServers;
  /** Returns the context that handlers get for a client. Undefined if the file exports no such function. */
  contextFor: ContextForClient | undefined;
  /** Warnings of this package about the tools, for example that a tool was left out. */
  warnings: LoadWarning[];
}

/** A warning of this package; `code` as in `process.emitWarning`. */
export interface LoadWarning {
  code: string;
  message: string;
}

/**
 * Loads a tools file. Throws a CommandError that says what is wrong with it. With `isAgain`, the file and the files it
 * imports are evaluated anew.
 */
export async function loadTools(
  path: string,
  cwd: string,
  { isAgain = false }: { isAgain?: boolean } = {},
): Promise<LoadedTools> {
  const file = resolve(cwd, path);
  const warnings: LoadWarning[] = [];
  const collect = ({ code = '', message }: Error & { code?: string }): void => {
    if (/^(?:INBOARD_TOOL|CLAUDE_SDK_MCP_TOOL)_/.test(code)) warnings.push({ code, message });
  };
  process.on('warning', collect);
  try {
    const exported = await loadModule(path, cwd, { isAgain });
    const servers = findServers(exported, file);
    const contextFor = findClientContext(exported, file);
    // Node emits warnings with a delay. By the next turn of the event loop, it has emitted them.
    await new Promise((resolveTurn) => setImmediate(resolveTurn));
    return { file, servers, contextFor, warnings };
  } finally {
    process.off('warning', collect);
  }
}
