// The light MCP server behind `createSdkMcpServer`. Its tools, prompts and resources may change at run time. Any number
// of live CLIs and transports can use it at once, and each of them gets a binding of its own.
import type { AnySchema, InferOutput } from '../../schema/infer.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { compileTool } from '../tool/compile-tool.js';
import { connectTransport, type McpTransport } from './connect-transport.js';
import { compilePrompt } from '../prompts/compile-prompt.js';
import type { FilledPrompt, PlainPrompt, PromptContext } from '../prompts/prompts.js';
import { compileResource } from '../resources/compile-resource.js';
import type { ReadResource, ResourceMetadata, UriTemplate } from '../resources/resources.js';
import { fillOwnPrompt } from './fill-own-prompt.js';
import { listenFor, type InnerServer } from './inner-server.js';
import { ServerCatalog, type CatalogOptions, type ListKind } from './server-catalog.js';
import type { ServerNotification, HandlerExtra } from '../tool/handler-extra.js';
import type { PlainTool, ToolExtras } from '../tool/tool-definition.js';
import { readVariadicTool, type ToolServerToolPart } from './variadic-tool.js';

/** What `registerTool` takes besides name and handler. */
export interface RegisteredToolConfig<Schema extends AnySchema = AnySchema> extends ToolExtras {
  description?: string | undefined;
  inputSchema?: Schema | undefined;
}

/** The changes that a tool in a server can get. The names of the MCP SDK work, too. */
export interface ToolChanges extends RegisteredToolConfig {
  name?: string | undefined;
  enabled?: boolean | undefined;
  handler?: PlainTool['handler'] | undefined;
  paramsSchema?: AnySchema | undefined;
  callback?: PlainTool['handler'] | undefined;
}

/** A tool in a server. Running sessions are notified of every change. */
export interface RegisteredTool {
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  update(changes: ToolChanges): void;
  remove(): void;
}

/** A resource or a prompt in a server. Running sessions are notified of every change. */
export interface RegisteredResource {
  readonly enabled: boolean;
  enable(): void;
  disable(): void;
  remove(): void;
}

/** What `registerPrompt` takes besides name and function. */
export interface RegisteredPromptConfig<Schema extends AnySchema = AnySchema> {
  title?: string;
  description?: string;
  argsSchema?: Schema;
}

let readCatalog: (server: ToolServer) => ServerCatalog;

/** The contents of a server, for the code that binds it to a live CLI. */
export function catalogOf(server: ToolServer): ServerCatalog {
  return readCatalog(server);
}

/** An MCP server whose tools are functions of this process. */
export class ToolServer {
  readonly #catalog: ServerCatalog;
  readonly #transports = new Set<McpTransport>();

  static {
    readCatalog = (server) => server.#catalog;
  }

  constructor(options: CatalogOptions) {
    this.#catalog = new ServerCatalog(options);
    this.#catalog.connections = listenFor(this.server);
  }

  /** The part of the MCP SDK's inner server that programs use. */
  readonly server: InnerServer = {
    onclose: undefined,
    oninitialized: undefined,
    onerror: undefined,
    notification: (notification) => this.#broadcast(notification),
    sendToolListChanged: () => this.#announce('tools'),
    sendResourceListChanged: () => this.#announce('resources'),
    sendPromptListChanged: () => this.#announce('prompts'),
    sendResourceUpdated: async ({ uri }) => this.sendResourceUpdated({ uri }),
    getClientVersion: () => this.#readClient('clientInfo'),
    getClientCapabilities: () => this.#readClient('capabilities'),
  };

  /** Serves a transport in addition to any others. The caller closes the transport, or `close` does. */
  async connect(transport: McpTransport): Promise<void> {
    await connectTransport(this.#catalog, transport);
    const { onclose } = transport;
    this.#transports.add(transport);
    Object.assign(transport, {
      onclose: () => {
        this.#transports.delete(transport);
        onclose?.call(transport);
      },
    });
  }

  /** Closes the transports given to `connect`. Queries that use the server are not affected. */
  async close(): Promise<void> {
    await Promise.all([...this.#transports].map((transport) => transport.close()));
  }

  /** Whether a transport or a query uses the server now. */
  isConnected(): boolean {
    return this.#catalog.subscribers.size > 0;
  }

  /**
   * Adds a tool. It can be called at once, and running sessions are notified. Without an `inputSchema` the handler gets
   * only the context, as in the MCP SDK. Throws a SchemaError if a schema cannot be converted, and an
   * InvalidOptionsError if the name is taken.
   */
  registerTool<const Schema extends AnySchema>(
    name: string,
    config: RegisteredToolConfig<Schema> & { inputSchema: Schema },
    handler: (args: InferOutput<Schema>, extra: HandlerExtra) => unknown,
  ): RegisteredTool;
  registerTool(
    name: string,
    config: RegisteredToolConfig & { inputSchema?: undefined },
    handler: (extra: HandlerExtra) => unknown,
  ): RegisteredTool;
  registerTool(name: string, config: RegisteredToolConfig, handler: unknown): RegisteredTool {
    return this.#register({ ...config, name, handler: handler as PlainTool['handler'] });
  }

  /** The older form of `registerTool`. Description, schema and annotations may be left out; the handler comes last. */
  tool(name: string, ...parts: ToolServerToolPart[]): RegisteredTool {
    return this.#register(readVariadicTool(name, parts));
  }

  /** Removes a tool by name; false when there is none. */
  removeTool(name: string): boolean {
    return this.#catalog.removeTool(name);
  }

  /** Adds a resource. A uri with `{name}` in it, or a template object, stands for many resources. */
  registerResource(
    name: string,
    uri: string | UriTemplate,
    metadata: ResourceMetadata,
    read: ReadResource,
  ): RegisteredResource {
    const catalog = this.#catalog;
    const entry = compileResource({ ...metadata, name, uri, read });
    catalog.addResource(entry);
    return this.#handle(entry, 'resources', () => catalog.removeResource(entry.listing.uri));
  }

  /** The older form of `registerResource`; the metadata may be left out. */
  resource(
    name: string,
    uri: string | UriTemplate,
    ...rest: [ReadResource] | [ResourceMetadata, ReadResource]
  ): RegisteredResource {
    const [metadata, read] = rest.length === 1 ? [{}, rest[0]] : rest;
    return this.registerResource(name, uri, metadata, read);
  }

  /** Adds a prompt. Without an `argsSchema` the function gets only the context, as in the MCP SDK. */
  registerPrompt<const Schema extends AnySchema>(
    name: string,
    config: RegisteredPromptConfig<Schema> & { argsSchema: Schema },
    run: (args: InferOutput<Schema>, extra: PromptContext) => unknown,
  ): RegisteredResource;
  registerPrompt(
    name: string,
    config: RegisteredPromptConfig & { argsSchema?: undefined },
    run: (extra: PromptContext) => unknown,
  ): RegisteredResource;
  registerPrompt(name: string, config: RegisteredPromptConfig, run: unknown): RegisteredResource {
    const catalog = this.#catalog;
    const { argsSchema, ...rest } = config;
    const prompt = { ...rest, name, arguments: argsSchema, run: run as PlainPrompt['run'] };
    const compiled = compilePrompt(prompt, argsSchema !== undefined);
    catalog.addPrompt(compiled);
    return this.#handle(compiled, 'prompts', () => catalog.removePrompt(name));
  }

  /**
   * Fills in a prompt of this server, so that the program can send it itself. CLIs do not ask in-process servers for
   * prompts. Rejects with an InvalidOptionsError for an unknown prompt or wrong arguments. An error of the prompt's
   * function is passed on.
   */
  getPrompt(
    name: string,
    args?: Record<string, unknown>,
    options?: { signal?: AbortSignal },
  ): Promise<FilledPrompt> {
    return fillOwnPrompt(this.#catalog, { name, args, signal: options?.signal });
  }

  /** Notifies clients that have subscribed to this resource that its content has changed. */
  sendResourceUpdated({ uri }: { uri: string }): void {
    this.#catalog.noteUpdate(uri);
  }

  sendPromptListChanged(): void {
    this.#catalog.noteChange('prompts');
  }

  /** Makes every session read the list of tools again. */
  sendToolListChanged(): void {
    this.#catalog.noteChange('tools');
  }

  sendResourceListChanged(): void {
    this.#catalog.noteChange('resources');
  }

  #register(tool: PlainTool): RegisteredTool {
    const catalog = this.#catalog;
    let source = tool;
    let current = catalog.addTool(source, source.inputSchema !== undefined);
    const isListed = (): boolean => catalog.findTool(current.name) === current;
    const setEnabled = (enabled: boolean): void => {
      if (current.enabled === enabled) return;
      current.enabled = enabled;
      if (isListed()) catalog.noteChange('tools');
    };
    return {
      get enabled() {
        return current.enabled;
      },
      enable: () => setEnabled(true),
      disable: () => setEnabled(false),
      update: (changes) => {
        const { enabled = current.enabled, paramsSchema, callback, ...rest } = changes;
        const aliases = withoutUndefined({ inputSchema: paramsSchema, handler: callback });
        const next: PlainTool = { ...source, ...rest, ...aliases };
        const compiled = compileTool(next, catalog.options.defaults, next.inputSchema !== undefined);
        compiled.enabled = enabled;
        if (isListed()) catalog.replaceTool(current, compiled);
        source = next;
        current = compiled;
      },
      remove: () => {
        if (isListed()) catalog.removeTool(current.name);
      },
    };
  }

  #handle(entry: { enabled: boolean }, kind: ListKind, remove: () => unknown): RegisteredResource {
    const setEnabled = (enabled: boolean): void => {
      entry.enabled = enabled;
      this.#catalog.noteChange(kind);
    };
    return {
      get enabled() {
        return entry.enabled;
      },
      enable: () => setEnabled(true),
      disable: () => setEnabled(false),
      remove: () => void remove(),
    };
  }

  async #broadcast(notification: ServerNotification): Promise<void> {
    await Promise.all([...this.#catalog.subscribers].map((subscriber) => subscriber.notify(notification)));
  }

  async #announce(kind: ListKind): Promise<void> {
    this.#catalog.noteChange(kind);
  }

  #readClient(field: string): unknown {
    return [...this.#catalog.subscribers].at(-1)?.handshakeParams?.[field];
  }
}
