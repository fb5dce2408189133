// Defines the field `server` of our MCP servers. It has the part of the MCP SDK's inner server that programs use. The
// program may set its three callbacks.
import { callListener, warnOfCallback } from '../../../util/call-listener.js';
import type { ServerNotification } from '../tool/handler-extra.js';

/** Is told of each connection of a server. A connection is a query, or a transport given to `connect`. */
export interface ConnectionListener {
  initialized(): void;
  closed(): void;
  failed(error: Error): void;
}

/**
 * The part of the MCP SDK's inner server that programs use. A server can have several connections. Its callbacks are
 * called for each of them.
 */
export interface InnerServer {
  /** Called when a connection has ended: its query is over, `setMcpServers()` removed the server, or its transport closed. */
  onclose?: (() => void) | undefined;
  /** Called when a client says that it is initialized. A CLI that got the list of tools in its own handshake may not say so. */
  oninitialized?: (() => void) | undefined;
  /** Called when a message of a transport cannot be read or answered. */
  onerror?: ((error: Error) => void) | undefined;
  notification(notification: ServerNotification): Promise<void>;
  sendToolListChanged(): Promise<void>;
  sendResourceListChanged(): Promise<void>;
  sendPromptListChanged(): Promise<void>;
  sendResourceUpdated(resource: { uri: string }): Promise<void>;
  getClientVersion(): unknown;
  getClientCapabilities(): unknown;
}

/** A listener that calls the callback that is set at the time. An error of the callback becomes a process warning. */
export function listenFor(
  server: Pick<InnerServer, 'onclose' | 'oninitialized' | 'onerror'>,
): ConnectionListener {
  const call = (name: string, callback: () => unknown): void =>
    callListener(callback, (cause) => warnOfCallback(`server.${name}`, cause));
  return {
    initialized: () => call('oninitialized', () => server.oninitialized?.()),
    closed: () => call('onclose', () => server.onclose?.()),
    failed: (error) => call('onerror', () => server.onerror?.(error)),
  };
}
