// Connects the official library's servers, one per client, to the tools of a file. All clients share these tools.
// `pass-request.ts` passes a single request to a tool.
import type { ListKind } from '@inboard/core/answer/mcp/server/server-catalog.js';
import type { ToolClient } from '@inboard/core/answer/mcp/tool/tool-client.js';
import { quoteInput } from '@inboard/core/util/bounded-text.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { CommandError } from '../terminal/usage-error.js';
import { CONTEXT_EXPORT, type ContextForClient } from '../tools-file/client-context.js';
import { RpcRefusal, ToolHost } from '../tools-file/tool-host.js';
import type { McpContext, McpRequest, McpServer } from './mcp-library.js';
import { passRequest, type Passing } from './pass-request.js';
import { logRequests } from './request-log.js';
import { Subscriptions } from './subscriptions.js';
import { checkNames, introduce, namesWith, type ServerDescriptions } from './server-descriptions.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';

/** What a bridge serves, and to whom. */
export interface BridgeOptions extends Omit<Passing, 'ended' | 'context'> {
  /** Returns the context that handlers get for a client. */
  contextFor?: ContextForClient | undefined;
  /** The only client, if a pipe is served. Without it, each request says which client it comes from. */
  onlyClient?: ToolClient | undefined;
  /** Gets a line for each request, once the request was answered, refused or cancelled. */
  onRequest?: ((line: string) => void) | undefined;
}

/** Is told of every change, for clients that have a server of this bridge only while a request is answered. */
export interface BridgeListener {
  onListChange(kind: ListKind): void;
  onUpdate(uri: string): void;
}

// LISTS are requests that all servers answer together. LOOKUPS are requests that only one server can answer.
const LISTS = [
  { method: 'resources/list', field: 'resources', capability: 'resources' },
  { method: 'resources/templates/list', field: 'resourceTemplates', capability: 'resources' },
  { method: 'prompts/list', field: 'prompts', capability: 'prompts' },
] as const;
const LOOKUPS = [
  { method: 'resources/read', capability: 'resources' },
  { method: 'prompts/get', capability: 'prompts' },
  { method: 'completion/complete', capability: 'completions' },
] as const;
const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;

/** Offers the tools of a file to any number of clients. Whoever calls `open` must also call `close`. */
export class Bridge {
  #options: Passing & BridgeOptions;
  /** Keeps servers of the MCP libraries connected between calls, and receives their notifications. */
  #host: ToolHost;
  readonly #clients = new Set<McpServer>();
  readonly #listeners = new Set<BridgeListener>();
  readonly #subscriptions: Subscriptions;
  readonly #ended = new AbortController();
  #described: ServerDescriptions = {};

  private constructor(options: BridgeOptions) {
    this.#options = { ...options, ended: this.#ended.signal };
    this.#host = this.#createHost(options.servers);
    this.#subscriptions = new Subscriptions(this.#host, this.#ended.signal);
  }

  /** Connects to the servers of a file. Throws a CommandError if two of their tools or prompts have the same name. */
  static async open(options: BridgeOptions): Promise<Bridge> {
    const { contextFor, onlyClient } = options;
    const context = onlyClient && (await contextFor?.(onlyClient));
    const bridge = new Bridge(options);
    bridge.#options.context = context;
    bridge.#described = await bridge.#openHost(bridge.#host);
    return bridge;
  }

  /**
   * Replaces the servers and notifies the clients. Running calls continue on the old servers. If this throws, nothing is
   * changed. It throws for the same reasons as `open`, or if the export `toolContext` was added or removed.
   */
  async replace({ servers, contextFor }: Pick<BridgeOptions, 'servers' | 'contextFor'>): Promise<void> {
    // Which clients may call was decided when the command started. A new version of the file must not change that silently.
    if ((contextFor !== undefined) !== this.asksForClients) {
      throw new CommandError(
        'ACCESS_CHANGED',
        `The export ${CONTEXT_EXPORT} was added or removed, which changes who may call. Restart the command.`,
      );
    }
    const { onlyClient } = this.#options;
    const context = onlyClient && (await contextFor?.(onlyClient));
    const host = this.#createHost(servers);
    const described = await this.#openHost(host);
    const before = this.#host;
    const earlier = this.#described;
    this.#options = { ...this.#options, servers, contextFor, context };
    this.#host = host;
    this.#described = described;
    this.#subscriptions.moveTo(host, namesWith(described, 'resources'));
    before.close();
    this.#announce('tools');
    for (const kind of ['resources', 'prompts'] as const) {
      if ([earlier, described].some((each) => namesWith(each, kind).length > 0)) this.#announce(kind);
    }
  }

  #createHost(servers: BridgeOptions['servers']): ToolHost {
    return new ToolHost(servers, {
      onWarning: ({ message }) => this.#options.onWarning(message),
      onMessage: (_server, message) => this.#broadcast(message as McpRequest),
      // The bridge does not see the subscriptions of clients that speak the newest protocol revision.
      hearsAllUpdates: true,
    });
  }

  async #openHost(host: ToolHost): Promise<ServerDescriptions> {
    const { signal } = this.#ended;
    try {
      const described = await host.open(signal);
      checkNames('tool', await host.listTools(signal));
      checkNames('prompt', await listPrompts(host, described, signal));
      return described;
    } catch (error) {
      host.close();
      throw error;
    }
  }

  get name(): string {
    return this.#host.names.join('+');
  }

  /** Whether the file decides which clients may call, and with which context. */
  get asksForClients(): boolean {
    return this.#options.contextFor !== undefined;
  }

  /** The context of a client. Throws a CommandError if the file refuses the client. */
  async contextFor(client: ToolClient): Promise<unknown> {
    return this.#options.contextFor?.(client);
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  /** Creates a server of the library for one client. */
  createServer(): McpServer {
    const { library, onRequest } = this.#options;
    const { capabilities, info, instructions } = introduce(this.name, this.#described);
    const server = new library.Server(info, withoutUndefined({ capabilities, instructions }));
    const answer: McpServer['setRequestHandler'] = (method, handler) =>
      server.setRequestHandler(method, onRequest ? logRequests(handler, onRequest) : handler);
    answer('tools/list', async (_request, { mcpReq }) => {
      const tools = await this.#host.listTools(mcpReq.signal);
      return { tools: tools.map(({ listing }) => listing) };
    });
    answer('tools/call', (request, context) => this.#callTool(request, context));
    for (const { method, field, capability } of LISTS) {
      if (!(capability in capabilities)) continue;
      answer(method, async (_request, { mcpReq }) => {
        const pages = namesWith(this.#described, capability).map((name) =>
          this.#host.listAll(name, { method, field }, mcpReq.signal),
        );
        return { [field]: (await Promise.all(pages)).flat() };
      });
    }
    for (const { method, capability } of LOOKUPS) {
      if (!(capability in capabilities)) continue;
      answer(method, (request, context) =>
        this.#askAny(namesWith(this.#described, capability), request, context),
      );
    }
    if ('resources' in capabilities) {
      answer('resources/subscribe', (request) =>
        this.#asProtocol(
          this.#subscriptions.add(server, namesWith(this.#described, 'resources'), readUri(request)),
        ),
      );
      answer('resources/unsubscribe', (request) =>
        this.#asProtocol(this.#subscriptions.remove(server, readUri(request))),
      );
    }
    this.#clients.add(server);
    Object.assign(server, {
      onclose: () => {
        this.#clients.delete(server);
        this.#subscriptions.forget(server);
      },
    });
    return server;
  }

  /** Tells the listener of every change from now on. */
  listen(listener: BridgeListener): void {
    this.#listeners.add(listener);
  }

  /** Cancels running requests and closes every client's server. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#host.close();
    await Promise.allSettled([...this.#clients].map((client) => client.close()));
  }

  async #callTool(request: McpRequest, context: McpContext): Promise<Record<string, unknown>> {
    const wanted = String(request.params?.['name']);
    const tools = await this.#host.listTools(context.mcpReq.signal);
    const tool = tools.find(({ listing }) => listing.name === wanted);
    if (tool) return passRequest(tool.server, { request, context }, this.#options);
    const nearest = findNearestName(
      wanted,
      tools.map(({ listing }) => listing.name),
    );
    throw new this.#options.library.ProtocolError(
      INVALID_PARAMS,
      `Unknown tool: ${quoteInput(wanted)}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    );
  }

  // Only the servers know which of them has a resource or prompt, so they are asked one after the other.
  async #askAny(names: string[], request: McpRequest, context: McpContext): Promise<Record<string, unknown>> {
    let refusal: unknown;
    for (const name of names) {
      try {
        return await passRequest(name, { request, context }, this.#options);
      } catch (error) {
        refusal ??= error;
        const { code } = error as { code?: unknown };
        if (code !== INVALID_PARAMS && code !== RESOURCE_NOT_FOUND) throw error;
      }
    }
    throw refusal;
  }

  async #asProtocol(change: Promise<void>): Promise<Record<string, unknown>> {
    try {
      await change;
      return {};
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      throw new this.#options.library.ProtocolError(error.rpcCode, error.message, error.data);
    }
  }

  #broadcast({ method, params }: McpRequest): void {
    if (method === 'notifications/resources/updated') {
      const uri = String(params?.['uri']);
      for (const client of this.#subscriptions.of(uri)) {
        client.notification({ method, params: { uri } }).catch(() => {});
      }
      for (const listener of this.#listeners) listener.onUpdate(uri);
      return;
    }
    const [, kind] = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method) ?? [];
    if (kind !== undefined) this.#announce(kind as ListKind);
  }

  #announce(kind: ListKind): void {
    const method = `notifications/${kind}/list_changed`;
    // The library refuses to send a change of prompts or resources to a client to which none were offered. That is
    // harmless.
    for (const client of this.#clients) client.notification({ method }).catch(() => {});
    for (const listener of this.#listeners) listener.onListChange(kind);
  }
}

function readUri({ params }: McpRequest): string {
  return String(params?.['uri']);
}

async function listPrompts(
  host: ToolHost,
  described: ServerDescriptions,
  signal: AbortSignal,
): Promise<{ server: string; listing: { name: string } }[]> {
  const lists = namesWith(described, 'prompts').map(async (server) => {
    const found = await host.listAll(server, { method: 'prompts/list', field: 'prompts' }, signal);
    return found.map((listing) => ({ server, listing: listing as { name: string } }));
  });
  return (await Promise.all(lists)).flat();
}
