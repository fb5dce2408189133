// Passes one request of a client to a server of the file. Messages that the server sends during the request go to this
// client only.
import { messageOf } from '@inboard/core/util/message-of.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { FoundServers } from '../tools-file/find-servers.js';
import { RpcRefusal, ToolHost } from '../tools-file/tool-host.js';
import type { McpContext, McpLibrary, McpRequest } from './mcp-library.js';

/** What is needed to pass a request on. */
export interface Passing {
  servers: FoundServers;
  library: McpLibrary;
  onWarning: (message: string) => void;
  /** The context that handlers get, unless the client of the request has a context of its own. */
  context?: unknown;
  /** Cancels all requests. */
  ended: AbortSignal;
}

const INTERNAL_ERROR = -32603;

/** Returns the result of a request. Throws the library's ProtocolError if the server refuses the request. */
export async function passRequest(
  server: string,
  { request, context }: { request: McpRequest; context: McpContext },
  { servers, library, onWarning, context: shared, ended }: Passing,
): Promise<Record<string, unknown>> {
  const { mcpReq, http } = context;
  // Each request has its own host, so that a message of a server can be assigned to its request.
  const host = new ToolHost(servers, {
    onWarning: ({ message }) => onWarning(message),
    onToolEvent: (event) => {
      // Log lines are not awaited. Sending one fails if the client has left, which is harmless.
      if (event.type === 'log') mcpReq.log(event.level, event.data ?? null, event.tool).catch(() => {});
    },
    onMessage: (from, message) => passBack(host, { from, message }, context),
    context: http?.authInfo ? http.authInfo.extra.context : shared,
  });
  const params = { ...request.params, ...(mcpReq._meta && { _meta: mcpReq._meta }) };
  try {
    const signal = AbortSignal.any([mcpReq.signal, ended]);
    return await host.ask(server, { method: request.method, params }, signal);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new library.ProtocolError(error.rpcCode, error.message, error.data);
  } finally {
    host.close();
  }
}

async function passBack(
  host: ToolHost,
  { from, message }: { from: string; message: object },
  { mcpReq }: McpContext,
): Promise<void> {
  const { id, method, params } = message as McpRequest & { id?: string | number };
  // The bridge notifies all clients of changed lists.
  if (method.endsWith('/list_changed')) return;
  const sent = withoutUndefined({ method, params });
  if (id === undefined) return mcpReq.notify(sent);
  const answer = mcpReq.send(sent).then(
    (result) => ({ result }),
    (error: Error & { code?: unknown }) => ({
      error: {
        code: typeof error.code === 'number' ? error.code : INTERNAL_ERROR,
        message: messageOf(error),
      },
    }),
  );
  // The client's answer is not awaited here. It is passed to the waiting tool as another message.
  void answer.then((given) => host.tell(from, { jsonrpc: '2.0', id, ...given })).catch(() => {});
}
