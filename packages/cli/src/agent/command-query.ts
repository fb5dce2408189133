// Queries that commands run: chooses the CLI that a query starts, and closes the query when the command is told to
// stop.
import { resolve } from 'node:path';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { Query } from '@inboard/core/verbs/query/query.js';
import type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { readText, type CommandInput } from '../command.js';

/**
 * The option that names the CLI, from `--cli` or from the environment. The environment is read here, because the session
 * may run in an isolated one that does not have the variable.
 */
export function chooseCli(input: CommandInput): Pick<QueryOptions, 'pathToClaudeCodeExecutable'> {
  const given = readText(input, 'cli');
  const path = given ?? input.terminal.env['INBOARD_CLI'];
  if (!path) return {};
  // A bare name is looked up on PATH. A path is relative to the folder of the terminal, not to the folder the agent
  // works in.
  return { pathToClaudeCodeExecutable: /[\\/]/.test(path) ? resolve(input.terminal.cwd, path) : path };
}

/** Runs something with a query and closes the query after it, or as soon as the signal aborts. */
export async function withQuery<T>(q: Query, signal: AbortSignal, use: () => Promise<T>): Promise<T> {
  const stop = (): void => void q.close().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await use();
  } finally {
    signal.removeEventListener('abort', stop);
    await q.close();
  }
}

/** Passes every message of a query to `onMessage`, then closes the query. Rejects with the error of the query, if it fails. */
export function followQuery(
  q: Query,
  signal: AbortSignal,
  onMessage: (message: SDKMessage) => void,
): Promise<void> {
  return withQuery(q, signal, async () => {
    for await (const message of q) onMessage(message);
  });
}
