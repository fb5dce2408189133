// The context that handlers of a tools file get when a command calls them. The file's export `toolContext` provides it.
import type { ToolClient } from '@inboard/core/answer/mcp/tool/tool-client.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { CommandError } from '../terminal/usage-error.js';

/** The export by which a tools file gives each client its context, or refuses a client. */
export const CONTEXT_EXPORT = 'toolContext';

/**
 * Returns the context of a client. Throws a CommandError, with the code `CLIENT_REFUSED` if the file refuses the
 * client.
 */
export type ContextForClient = (client: ToolClient) => Promise<unknown>;

/**
 * The context function of a file. Undefined if the file has none. Throws a CommandError if the export is not a
 * function.
 */
export function findClientContext(
  exported: Record<string, unknown>,
  file: string,
): ContextForClient | undefined {
  const given = exported[CONTEXT_EXPORT];
  if (given === undefined) return undefined;
  if (typeof given !== 'function') {
    throw new CommandError(
      'NOT_A_FUNCTION',
      `The export ${CONTEXT_EXPORT} of ${file} must be a function that is given the client and returns its context. ` +
        'For a context that is the same for all clients, use the option "context" of createSdkMcpServer().',
    );
  }
  const ask = given as (client: ToolClient) => unknown;
  return async (client) => {
    let context: unknown;
    try {
      context = await ask(client);
    } catch (error) {
      throw new CommandError('CONTEXT_FAILED', `${CONTEXT_EXPORT} of ${file} failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
    if (context !== undefined) return context;
    throw new CommandError(
      'CLIENT_REFUSED',
      `${CONTEXT_EXPORT} of ${file} returned no context for this client (${client.via}), so the client is refused.`,
    );
  };
}

/** Whether an error says that the file refused a client. */
export function isRefusedClient(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'CLIENT_REFUSED';
}
