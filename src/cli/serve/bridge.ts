// Between the official library's servers, one per client, and the tools of a file, which are one for all:
// each request goes through the dispatch a query uses, and whatever a tool says meanwhile goes to its caller.
import type { ToolEvent } from '../../answer/mcp/tool/tool-events.js';
import { findNearestName } from '../../util/nearest-name.js';
import type { FoundServers } from '../tools/find-servers.js';
import { RpcRefusal, ToolHost } from '../tools/tool-host.js';
import { CommandError } from '../terminal/usage-error.js';
import type { McpContext, McpLibrary, McpRequest, McpServer } from './mcp-library.js';
import { withoutUndefined } from '../../util/without-undefined.js';

/** How a bridge introduces itself, and who hears of trouble. */
export interface BridgeOptions {
  servers: FoundServers;
  library: McpLibrary;
  onWarning: (message: string) => void;
}

/** What the clients are told of changes. */
export type ListKind = 'tools' | 'resources' | 'prompts';

// What lists several servers' things, and what asks for one of them.
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

/** The tools of a file for any number of clients. Ends by `close`. */
export class Bridge {
  readonly #options: BridgeOptions;
  /** Keeps servers of the MCP libraries connected between calls, and hears of their news. */
  readonly #host: ToolHost;
  readonly #clients = new Set<McpServer>();
  readonly #listeners = new Set<(kind: ListKind) => void>();
  readonly #ended = new AbortController();
  #described: Record<string, Record<string, unknown>> = {};

  private constructor(options: BridgeOptions) {
    this.#options = options;
    this.#host = new ToolHost(options.servers, {
      onWarning: ({ message }) => options.onWarning(message),
      onMessage: (_server, message) => this.#spread(message as McpRequest),
    });
  }

  /** Connects to the servers of a file; throws a CommandError when two of their tools have one name. */
  static async open(options: BridgeOptions): Promise<Bridge> {
    const bridge = new Bridge(options);
    try {
      bridge.#described = await bridge.#host.open(bridge.#ended.signal);
      bridge.#checkNames(await bridge.#host.listTools(bridge.#ended.signal));
    } catch (error) {
      bridge.#host.close();
      throw error;
    }
    return bridge;
  }

  get name(): string {
    return this.#host.names.join('+');
  }

  /** A server of the library for one client. */
  createServer(): McpServer {
    const { library } = this.#options;
    const { capabilities, info, instructions } = this.#introduce();
    const server = new library.Server(info, withoutUndefined({ capabilities, instructions }));
    server.setRequestHandler('tools/list', async (_request, { mcpReq }) => {
      const tools = await this.#host.listTools(mcpReq.signal);
      return { tools: tools.map(({ listing }) => listing) };
    });
    server.setRequestHandler('tools/call', (request, context) => this.#callTool(request, context));
    for (const { method, field, capability } of LISTS) {
      if (!(capability in capabilities)) continue;
      server.setRequestHandler(method, async (_request, { mcpReq }) => {
        const names = this.#namesWith(capability);
        const pages = names.map((name) => this.#host.listAll(name, { method, field }, mcpReq.signal));
        return { [field]: (await Promise.all(pages)).flat() };
      });
    }
    for (const { method, capability } of LOOKUPS) {
      if (!(capability in capabilities)) continue;
      server.setRequestHandler(method, (request, context) =>
        this.#askAny(this.#namesWith(capability), request, context),
      );
    }
    this.#clients.add(server);
    Object.assign(server, { onclose: () => this.#clients.delete(server) });
    return server;
  }

  /** Hears when a list of tools, resources or prompts changes. */
  onListChange(listener: (kind: ListKind) => void): void {
    this.#listeners.add(listener);
  }

  /** Cancels what runs and closes every client's server. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#host.close();
    await Promise.allSettled([...this.#clients].map((client) => client.close()));
  }

  #introduce(): { info: object; capabilities: Record<string, object>; instructions: string } {
    const described = Object.values(this.#described);
    const [first] = described;
    const offered = new Set(described.flatMap((one) => Object.keys(one['capabilities'] ?? {})));
    const version = (first?.['serverInfo'] as { version?: string } | undefined)?.version ?? '1.0.0';
    return {
      info: { name: this.name, version },
      capabilities: {
        tools: { listChanged: true },
        logging: {},
        ...(offered.has('resources') ? { resources: { listChanged: true } } : {}),
        ...(offered.has('prompts') ? { prompts: { listChanged: true } } : {}),
        ...(offered.has('completions') ? { completions: {} } : {}),
      },
      instructions: described
        .map((one) => one['instructions'])
        .filter((text) => typeof text === 'string')
        .join('\n\n'),
    };
  }

  #namesWith(capability: string): string[] {
    return this.#host.names.filter((name) =>
      Object.hasOwn(this.#described[name]?.['capabilities'] ?? {}, capability),
    );
  }

  #checkNames(tools: readonly { server: string; listing: { name: string } }[]): void {
    const owners = new Map<string, string>();
    for (const { server, listing } of tools) {
      const owner = owners.get(listing.name);
      if (owner !== undefined) {
        throw new CommandError(
          'DUPLICATE_TOOL',
          `The servers "${owner}" and "${server}" both have a tool "${listing.name}", and a host would see two of one name. Serve them from two files.`,
        );
      }
      owners.set(listing.name, server);
    }
  }

  async #callTool(request: McpRequest, context: McpContext): Promise<Record<string, unknown>> {
    const wanted = String(request.params?.['name']);
    const tools = await this.#host.listTools(context.mcpReq.signal);
    const tool = tools.find(({ listing }) => listing.name === wanted);
    if (tool) return this.#pass(tool.server, request, context);
    const nearest = findNearestName(
      wanted,
      tools.map(({ listing }) => listing.name),
    );
    throw new this.#options.library.ProtocolError(
      INVALID_PARAMS,
      `Unknown tool: "${wanted}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    );
  }

  // Nothing says whose a resource is but the servers themselves.
  async #askAny(names: string[], request: McpRequest, context: McpContext): Promise<Record<string, unknown>> {
    let refusal: unknown;
    for (const name of names) {
      try {
        return await this.#pass(name, request, context);
      } catch (error) {
        refusal ??= error;
        const { code } = error as { code?: unknown };
        if (code !== INVALID_PARAMS && code !== RESOURCE_NOT_FOUND) throw error;
      }
    }
    throw refusal;
  }

  // A host per request: what the server says while it runs then belongs to this request and no other.
  async #pass(server: string, request: McpRequest, context: McpContext): Promise<Record<string, unknown>> {
    const { mcpReq } = context;
    const host = new ToolHost(this.#options.servers, {
      onWarning: ({ message }) => this.#options.onWarning(message),
      onToolEvent: (event) => this.#passLog(event, context),
      onMessage: (from, message) => this.#passMessage(host, { from, message }, context),
    });
    const params = { ...request.params, ...(mcpReq._meta ? { _meta: mcpReq._meta } : {}) };
    const signal = AbortSignal.any([mcpReq.signal, this.#ended.signal]);
    try {
      return await host.ask(server, { method: request.method, params }, signal);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      throw new this.#options.library.ProtocolError(error.rpcCode, error.message, error.data);
    } finally {
      host.close();
    }
  }

  #passLog(event: ToolEvent, { mcpReq }: McpContext): void {
    if (event.type !== 'log') return;
    // Nobody awaits a log line, and a client that has left needs none.
    mcpReq.log(event.level, toJson(event.data), event.tool).catch(() => {});
  }

  async #passMessage(
    host: ToolHost,
    { from, message }: { from: string; message: object },
    { mcpReq }: McpContext,
  ): Promise<void> {
    const { id, method, params } = message as McpRequest & { id?: string | number };
    const said = withoutUndefined({ method, params });
    // News of lists go to every client, by way of the standing host.
    if (method.endsWith('/list_changed')) return;
    if (id === undefined) return mcpReq.notify(said);
    const answer = mcpReq.send(said).then(
      (result) => ({ result }),
      (error: { code?: unknown; message?: unknown }) => ({
        error: {
          code: typeof error.code === 'number' ? error.code : -32603,
          message: String(error.message),
        },
      }),
    );
    // Not awaited: the tool waits for the answer itself, which comes in by another message.
    void answer.then((given) => host.tell(from, { jsonrpc: '2.0', id, ...given })).catch(() => {});
  }

  #spread({ method }: McpRequest): void {
    const [, kind] = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method) ?? [];
    if (kind === undefined) return;
    for (const client of this.#clients) client.notification({ method }).catch(() => {});
    for (const listener of this.#listeners) listener(kind as ListKind);
  }
}

function toJson(data: unknown): unknown {
  return data === undefined ? null : data;
}
