// Connects a server that `createSdkMcpServer` made to any MCP transport, such as the in-memory or the stdio transport of the
// MCP SDK.
import { AsyncResource } from 'node:async_hooks';
import { SessionClosedError } from '../../../errors.js';
import { asError } from '../result/describe-failure.js';
import { ServerBinding } from './server-binding.js';
import type { ServerCatalog } from './server-catalog.js';

/** The transport of the MCP SDKs, as far as servers need it. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: object, options?: { relatedRequestId?: string | number }): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  sessionId?: string | undefined;
}

/** Serves a transport until it closes. */
export async function connectTransport(catalog: ServerCatalog, transport: McpTransport): Promise<void> {
  const { onclose, onerror } = transport;
  const binding = new ServerBinding(catalog, {
    name: catalog.options.name,
    port: {
      scope: new AsyncResource('InboardToolServer'),
      context: undefined,
      sessionId: () => transport.sessionId,
    },
    send: (message, relatedRequestId) =>
      transport.send(message, relatedRequestId === undefined ? undefined : { relatedRequestId }),
  });
  const report = (error: unknown): void => {
    onerror?.call(transport, asError(error));
    catalog.connections?.failed(asError(error));
  };
  const answer = async (message: unknown): Promise<void> => {
    const reply = await binding.answer(message);
    if (reply !== undefined) await transport.send(reply);
  };
  Object.assign(transport, {
    onmessage: (message: unknown) => void answer(message).catch(report),
    onclose: () => {
      binding.close(new SessionClosedError("The server's transport was closed"));
      onclose?.call(transport);
    },
    onerror: report,
  });
  try {
    await transport.start();
  } catch (error) {
    binding.close(asError(error));
    throw error;
  }
}
