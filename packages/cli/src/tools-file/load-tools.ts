// A tools file, loaded: its servers, and what was warned of while they were made.
import { resolve } from 'node:path';
import { findClientContext, type ContextForClient } from './client-context.js';
import { findServers, type FoundServers } from './find-servers.js';
import { loadModule } from './load-module.js';

/** The servers of a tools file. */
export interface LoadedTools {
  file: string;
  servers: FoundServers;
  /** What handlers get as context, by client; undefined where the file does not say. */
  contextFor: ContextForClient | undefined;
  /** What this package had to say about the tools, e.g. that one was left out. */
  warnings: LoadWarning[];
}

/** A warning of this package; `code` as in `process.emitWarning`. */
export interface LoadWarning {
  code: string;
  message: string;
}

/** Loads a tools file; throws a CommandError that says what is wrong with it. `isAgain` evaluates it and the files it imports anew. */
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
    // Warnings of the process come in the next turn.
    await new Promise((resolveTurn) => setImmediate(resolveTurn));
    return { file, servers, contextFor, warnings };
  } finally {
    process.off('warning', collect);
  }
}
