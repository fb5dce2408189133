// Owns the contents of a server that `createSdkMcpServer` made: its tools, prompts and resources. It lists the tools and
// knows which bindings to notify of changes. The bindings own the connections.
import { InvalidOptionsError } from '../../../errors.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { compileTool } from '../tool/compile-tool.js';
import type { CompiledTool, ServerDefaults, ToolListing } from '../tool/compiled-tool.js';
import type { CompiledPrompt } from '../prompts/prompts.js';
import type { RegisteredResourceEntry } from '../resources/resources.js';
import type { PlainTool } from '../tool/tool-definition.js';
import type { ConnectionListener } from './inner-server.js';

/** The newest known version of MCP. Manifests have this version, and so does the reply to a client with an unknown one. */
export const PROTOCOL_VERSION = '2025-11-25';

const KNOWN_VERSIONS = new Set([PROTOCOL_VERSION, '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']);

/** The lists of a server that can change. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** A binding of a server, for notifications. */
export interface CatalogSubscriber {
  /** The params of the other side's handshake. Undefined before it, and for a CLI that got a manifest instead. */
  readonly handshakeParams: Record<string, unknown> | undefined;
  noteListChange(changed: ListKind): void;
  /** The content of a resource has changed. */
  noteUpdate(uri: string): void;
  notify(notification: { method: string; params?: Record<string, unknown> }): Promise<void>;
}

/** What a server is made of, besides its tools, prompts and resources. */
export interface CatalogOptions {
  name: string;
  version: string;
  instructions: string | undefined;
  /** The server's part of the context that handlers get as `extra.context`. */
  context: unknown;
  defaults: ServerDefaults;
  /** Tools per page of `tools/list`; all of them when undefined. */
  pageSize: number | undefined;
  /** Whether tools are announced even while there are none, so that they can be added later. */
  toolsMayChange: boolean;
}

/** One page of `tools/list`. */
export interface ToolPage {
  tools: ToolListing[];
  nextCursor?: string;
}

/** The contents of a server; shared by all its bindings. */
export class ServerCatalog {
  readonly options: CatalogOptions;
  /** The bindings that use the server now. */
  readonly subscribers = new Set<CatalogSubscriber>();
  /** Is told when a connection of the server is initialized, closed or failed. */
  connections: ConnectionListener | undefined;
  readonly #tools = new Map<string, CompiledTool>();
  readonly #resources = new Map<string, RegisteredResourceEntry>();
  readonly #prompts = new Map<string, CompiledPrompt>();
  readonly #changes = new Set<ListKind>();
  #listings: ToolListing[] | undefined;

  constructor(options: CatalogOptions) {
    this.options = options;
  }

  get resources(): Iterable<RegisteredResourceEntry> {
    return this.#resources.values();
  }

  get prompts(): Iterable<CompiledPrompt> {
    return this.#prompts.values();
  }

  findPrompt(name: string): CompiledPrompt | undefined {
    return this.#prompts.get(name);
  }

  /** Whether the server has anything in an area. The area is the first part of a method's name, such as `prompts`. */
  offers(area: string): boolean {
    if (area === 'resources') return this.#resources.size > 0;
    if (area === 'prompts') return this.#prompts.size > 0;
    const hasTemplates = [...this.resources].some(({ isTemplate }) => isTemplate);
    return area === 'completion' && (this.#prompts.size > 0 || hasTemplates);
  }

  get toolNames(): string[] {
    return [...this.#tools.keys()];
  }

  findTool(name: string): CompiledTool | undefined {
    return this.#tools.get(name);
  }

  /** Compiles and adds a tool; throws an InvalidOptionsError when the name is taken. */
  addTool(tool: PlainTool, takesArguments = true): CompiledTool {
    this.#checkName(tool.name, 'tools');
    const compiled = compileTool(tool, this.options.defaults, takesArguments);
    this.#tools.set(compiled.name, compiled);
    this.noteChange('tools');
    return compiled;
  }

  /** Replaces a tool by another, at the same position if the name stays. */
  replaceTool(old: CompiledTool, compiled: CompiledTool): void {
    if (old.name !== compiled.name) {
      this.#checkName(compiled.name, 'name');
      this.#tools.delete(old.name);
    }
    this.#tools.set(compiled.name, compiled);
    this.noteChange('tools');
  }

  removeTool(name: string): boolean {
    const found = this.#tools.delete(name);
    if (found) this.noteChange('tools');
    return found;
  }

  addResource(entry: RegisteredResourceEntry): void {
    if (this.#resources.has(entry.listing.uri)) {
      throw new InvalidOptionsError(
        ['resources'],
        `The server "${this.options.name}" already has a resource with the uri "${entry.listing.uri}"`,
      );
    }
    this.#resources.set(entry.listing.uri, entry);
    this.noteChange('resources');
  }

  removeResource(uri: string): boolean {
    const found = this.#resources.delete(uri);
    if (found) this.noteChange('resources');
    return found;
  }

  addPrompt(prompt: CompiledPrompt): void {
    const { name } = prompt.listing;
    if (this.#prompts.has(name)) {
      throw new InvalidOptionsError(
        ['prompts'],
        `The server "${this.options.name}" already has a prompt named "${name}"; names must differ`,
      );
    }
    this.#prompts.set(name, prompt);
    this.noteChange('prompts');
  }

  removePrompt(name: string): boolean {
    const found = this.#prompts.delete(name);
    if (found) this.noteChange('prompts');
    return found;
  }

  /** The result of MCP's `initialize`. */
  describe(requestedVersion?: unknown): Record<string, unknown> {
    const { name, version, instructions, toolsMayChange } = this.options;
    const known = typeof requestedVersion === 'string' && KNOWN_VERSIONS.has(requestedVersion);
    const listChanged = { listChanged: true };
    return withoutUndefined({
      protocolVersion: known ? requestedVersion : PROTOCOL_VERSION,
      capabilities: withoutUndefined({
        tools: this.#tools.size > 0 || toolsMayChange ? listChanged : undefined,
        resources: this.offers('resources') ? { subscribe: true, ...listChanged } : undefined,
        prompts: this.offers('prompts') ? listChanged : undefined,
        completions: this.offers('completion') ? {} : undefined,
      }),
      serverInfo: { name, version },
      instructions,
    });
  }

  /** One page of `tools/list`; undefined for a cursor that names no page. */
  listTools(cursor?: unknown): ToolPage | undefined {
    const all = this.listings;
    const { pageSize } = this.options;
    if (pageSize === undefined) return { tools: all };
    const start = cursor === undefined ? 0 : Number(cursor);
    if (!Number.isInteger(start) || start < 0 || start > all.length) return undefined;
    const end = start + pageSize;
    const tools = all.slice(start, end);
    return end < all.length ? { tools, nextCursor: String(end) } : { tools };
  }

  /** Every tool that is enabled, in order of definition. */
  get listings(): ToolListing[] {
    this.#listings ??= [...this.#tools.values()].filter((tool) => tool.enabled).map((tool) => tool.list());
    return this.#listings;
  }

  /** Whether a tool needs a hint for the CLI that is not true. Most servers have none, and their lists are not copied. */
  get hasParallelTools(): boolean {
    return [...this.#tools.values()].some(({ parallel }) => parallel);
  }

  /** Notifies once for all changes of the current tick, because each notification makes every CLI read the list again. */
  noteChange(kind: ListKind): void {
    this.#listings = undefined;
    if (this.subscribers.size === 0) return;
    if (this.#changes.size === 0) queueMicrotask(() => this.#notifySubscribers());
    this.#changes.add(kind);
  }

  /** Tells all bindings that a resource has changed. Each knows whether its CLI wants to be notified. */
  noteUpdate(uri: string): void {
    for (const subscriber of this.subscribers) subscriber.noteUpdate(uri);
  }

  #checkName(name: string, option: string): void {
    if (!this.#tools.has(name)) return;
    throw new InvalidOptionsError(
      [option],
      `The server "${this.options.name}" already has a tool named "${name}"; names must differ`,
    );
  }

  #notifySubscribers(): void {
    const kinds = [...this.#changes];
    this.#changes.clear();
    for (const subscriber of this.subscribers) for (const kind of kinds) subscriber.noteListChange(kind);
  }
}
