// Keeps a list of which clients want to be notified of changes to which resources. The bridge has one subscription at
// the resource's server, for as long as at least one client wants it.
import type { ToolHost } from '../tools-file/tool-host.js';
import type { McpServer } from './mcp-library.js';

interface Subscription {
  /** The server that has the resource. */
  server: Promise<string>;
  clients: Set<McpServer>;
}

/** The subscriptions of all clients of a bridge. */
export class Subscriptions {
  #host: ToolHost;
  readonly #signal: AbortSignal;
  readonly #byUri = new Map<string, Subscription>();

  constructor(host: ToolHost, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** The clients to notify of a change. */
  of(uri: string): Iterable<McpServer> {
    return this.#byUri.get(uri)?.clients ?? [];
  }

  /** Subscribes a client. If no server has the resource, it rejects with the refusal of the first server. */
  async add(client: McpServer, servers: readonly string[], uri: string): Promise<void> {
    let subscription = this.#byUri.get(uri);
    if (!subscription) {
      subscription = { server: this.#findServer(servers, uri), clients: new Set() };
      this.#byUri.set(uri, subscription);
    }
    subscription.clients.add(client);
    try {
      await subscription.server;
    } catch (error) {
      if (this.#byUri.get(uri) === subscription) this.#byUri.delete(uri);
      throw error;
    }
  }

  /** Ends a client's subscription; does nothing if there is none. */
  async remove(client: McpServer, uri: string): Promise<void> {
    const subscription = this.#byUri.get(uri);
    if (!subscription?.clients.delete(client) || subscription.clients.size > 0) return;
    this.#byUri.delete(uri);
    const server = await subscription.server;
    await this.#host.ask(server, { method: 'resources/unsubscribe', params: { uri } }, this.#signal);
  }

  /** Subscribes again at the new servers. If none of them has a resource any more, its subscription ends. */
  moveTo(host: ToolHost, servers: readonly string[]): void {
    this.#host = host;
    for (const [uri, subscription] of this.#byUri) {
      subscription.server = this.#findServer(servers, uri);
      subscription.server.catch(() => this.#byUri.delete(uri));
    }
  }

  /** Ends all subscriptions of a client that has gone. */
  forget(client: McpServer): void {
    for (const uri of this.#byUri.keys()) this.remove(client, uri).catch(() => {});
  }

  async #findServer(servers: readonly string[], uri: string): Promise<string> {
    let refusal: unknown;
    for (const server of servers) {
      try {
        await this.#host.ask(server, { method: 'resources/subscribe', params: { uri } }, this.#signal);
        return server;
      } catch (error) {
        refusal ??= error;
      }
    }
    throw refusal;
  }
}
