// Between the official library's servers, one per client, and the tools of a file, which all clients share. How one request
// reaches a tool is in `pass-request.ts`.
import { findNearestName } from '../../util/nearest-name.js';
import { ToolHost } from '../tools-file/tool-host.js';
import type { McpContext, McpRequest, McpServer } from './mcp-library.js';
import { passRequest, type Passing } from './pass-request.js';
import { checkNames, introduce, namesWith, type ServerDescriptions } from './server-descriptions.js';
import { withoutUndefined } from '../../util/without-undefined.js';

/** What a bridge serves, with which library. */
export type BridgeOptions = Omit<Passing, 'ended'>;

/** A list whose changes clients are notified of. */
export type ListKind = 'tools' | 'resources' | 'prompts';

// Requests whose answers are joined from all servers, and requests that only one server can answer.
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

/** The tools of a file for any number of clients. Whoever opens it closes it. */
export class Bridge {
  readonly #options: Passing;
  /** Keeps servers of the MCP libraries connected between calls, and receives their notifications. */
  readonly #host: ToolHost;
  readonly #clients = new Set<McpServer>();
  readonly #listeners = new Set<(kind: ListKind) => void>();
  readonly #ended = new AbortController();
  #described: ServerDescriptions = {};

  private constructor(options: BridgeOptions) {
    this.#options = { ...options, ended: this.#ended.signal };
    this.#host = new ToolHost(options.servers, {
      onWarning: ({ message }) => options.onWarning(message),
      onMessage: (_server, message) => this.#broadcast(message as McpRequest),
    });
  }

  /** Connects to the servers of a file; throws a CommandError when two of their tools have one name. */
  static async open(options: BridgeOptions): Promise<Bridge> {
    const bridge = new Bridge(options);
    try {
      bridge.#described = await bridge.#host.open(bridge.#ended.signal);
      checkNames(await bridge.#host.listTools(bridge.#ended.signal));
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
    const { capabilities, info, instructions } = introduce(this.name, this.#described);
    const server = new library.Server(info, withoutUndefined({ capabilities, instructions }));
    server.setRequestHandler('tools/list', async (_request, { mcpReq }) => {
      const tools = await this.#host.listTools(mcpReq.signal);
      return { tools: tools.map(({ listing }) => listing) };
    });
    server.setRequestHandler('tools/call', (request, context) => this.#callTool(request, context));
    for (const { method, field, capability } of LISTS) {
      if (!(capability in capabilities)) continue;
      server.setRequestHandler(method, async (_request, { mcpReq }) => {
        const pages = namesWith(this.#described, capability).map((name) =>
          this.#host.listAll(name, { method, field }, mcpReq.signal),
        );
        return { [field]: (await Promise.all(pages)).flat() };
      });
    }
    for (const { method, capability } of LOOKUPS) {
      if (!(capability in capabilities)) continue;
      server.setRequestHandler(method, (request, context) =>
        this.#askAny(namesWith(this.#described, capability), request, context),
      );
    }
    this.#clients.add(server);
    Object.assign(server, { onclose: () => this.#clients.delete(server) });
    return server;
  }

  /** Calls the listener when a list of tools, resources or prompts changes. */
  onListChange(listener: (kind: ListKind) => void): void {
    this.#listeners.add(listener);
  }

  /** Cancels what runs and closes every client's server. */
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
      `Unknown tool: "${wanted}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    );
  }

  // Only the servers know whose a resource is.
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

  #broadcast({ method }: McpRequest): void {
    const [, kind] = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(method) ?? [];
    if (kind === undefined) return;
    for (const client of this.#clients) client.notification({ method }).catch(() => {});
    for (const listener of this.#listeners) listener(kind as ListKind);
  }
}
