// Which connection a foreign server has: at most one, however many sessions use it. It is made by the first
// session and hung up when the last one has left, so that between queries the server is free for anyone.
import type { McpServerInstance } from '../../../wire/protocol/config/mcp-config.js';
import { ForeignConnection, type ConnectionUser } from './foreign-server.js';

const connections = new WeakMap<object, ForeignConnection>();

/** Joins the server's connection, opening it if there is none; who joins must `leave`. */
export function joinServer(instance: McpServerInstance, user: ConnectionUser): ForeignConnection {
  const known = connections.get(instance);
  const connection = known?.isOpen ? known : new ForeignConnection(instance);
  connections.set(instance, connection);
  connection.join(user);
  return connection;
}
