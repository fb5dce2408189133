// Owns the in-process servers of one live CLI. It finds the server of a message, puts each reply into the envelope of
// the control protocol, and collects what the handshake says about the servers.
import { AsyncResource } from 'node:async_hooks';
import { ToolServerNotFoundError } from '../../errors.js';
import { isRecord, isThenable } from '../../util/guards.js';
import { Later } from '../../util/later.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { AnswerContext } from '../../wire/protocol/answer.js';
import type { McpServerManifest, McpServerToolPolicy } from '../../wire/protocol/config/mcp-config.js';
import type { LinkPort } from './binding/cli-link.js';
import type { LateForeignBinding } from './foreign/late-foreign-binding.js';
import { findArgumentProblem } from './call/check-arguments.js';
import { LoadBudget, type LoadCandidate } from './load-budget.js';
import { describeManifest } from './manifest.js';
import { ServerTable, type SdkServers, type ServerSwap } from './server-table.js';
import { ServerBinding } from './server/server-binding.js';
import type { CompiledTool } from './tool/compiled-tool.js';
import type { DefinedTool } from './tool/defined-tool.js';
import { ALWAYS_LOAD } from './tool/tool-loading.js';
import { findNameCollisions, rewriteName, toolName } from './tool/tool-name.js';

/** What a live CLI gives to its in-process servers. */
export interface BoundServersInput extends Omit<LinkPort, 'scope' | 'context' | 'chooseLoaded'> {
  servers: SdkServers;
  /** Sends a server's message to the CLI: a notification or a request. */
  notify: (serverName: string, message: object) => void | Promise<void>;
  /** The context that handlers get as `extra.context`. */
  context?: unknown;
}

/** The answer to a control request of the kind `mcp_message`. */
export interface McpAnswer {
  mcp_response: unknown;
}

/** The answer, a promise of it, or a `Later`. */
export type McpReply = McpAnswer | Promise<McpAnswer> | Later<McpAnswer>;

/** What `initialize` says of a server besides its manifest. */
type ServerSettings = { timeout?: number; tools?: McpServerToolPolicy[] };

type Manifest = McpServerManifest | undefined;
type Manifests = Record<string, McpServerManifest>;

/** The reply to a message that needs none, such as a notification: the control request that carries it needs a response. */
export const ACKNOWLEDGEMENT: Readonly<Record<string, unknown>> = Object.freeze({
  jsonrpc: '2.0',
  result: Object.freeze({}),
  id: 0,
});

/** Binds servers to a live CLI. Handlers run in the asynchronous context of the caller. */
export function bindServers(input: BoundServersInput): BoundServers {
  return new BoundServers(input);
}

/** The in-process servers of one live CLI. Its maker calls `close`. */
export class BoundServers {
  readonly #table: ServerTable;
  readonly #budget = new LoadBudget();
  readonly #onWarning: BoundServersInput['onWarning'];
  #closedBy: Error | undefined;

  constructor({ servers, notify, ...given }: BoundServersInput) {
    const port: LinkPort = {
      context: undefined,
      ...given,
      scope: new AsyncResource('InboardTools'),
      chooseLoaded: () => this.#budget.choose(this.#listCandidates()),
    };
    this.#onWarning = given.onWarning;
    this.#table = new ServerTable(servers, (name) => ({
      name,
      port,
      send: (message) => notify(name, message),
    }));
    this.#warnOfCollisions();
  }

  /** The keys of the servers, as the CLI knows them. */
  get names(): string[] {
    return [...this.#table.latest.keys()];
  }

  /**
   * Passes a message to its server. Throws if there is no server of that name, if the message is not a JSON-RPC message,
   * or if the servers are closed.
   */
  answer(request: { server_name: string; message: unknown }, context: AnswerContext): McpReply {
    if (this.#closedBy) throw this.#closedBy;
    const found = this.#table.find(request.server_name);
    if (!found) throw new ToolServerNotFoundError(request.server_name, this.names);
    const reply = found.binding.answer(request.message, context);
    if (reply instanceof Later) return reply.map(putIntoEnvelope);
    return isThenable(reply) ? reply.then(putIntoEnvelope) : putIntoEnvelope(reply);
  }

  /** Whether a server needs the CLI's version. Only foreign servers do: those that this library did not create. */
  get areToldVersion(): boolean {
    return [...this.#table.latest.values()].some(({ binding }) => !(binding instanceof ServerBinding));
  }

  /** The manifests that `initialize` sends to a CLI of this version. A promise only if a server is foreign. */
  manifests(cliVersion: string): Manifests | Promise<Manifests> {
    const servers = [...this.#table.latest];
    const found: (Manifest | Promise<Manifest>)[] = servers.map(([, { binding }]) =>
      binding instanceof ServerBinding ? describeManifest(binding) : binding.captureManifest(cliVersion),
    );
    const byName = (manifests: Manifest[]): Manifests => {
      const entries = servers.map(([name], index) => [name, manifests[index]] as const);
      return withoutUndefined(Object.fromEntries(entries)) as Manifests;
    };
    return found.some(isThenable)
      ? Promise.all(found.map(async (manifest) => await manifest)).then(byName)
      : byName(found as Manifest[]);
  }

  /** The settings for `initialize`, for the servers that have any. */
  configs(): Record<string, ServerSettings> {
    const configs: Record<string, ServerSettings> = {};
    for (const [name, { config }] of this.#table.latest) {
      const { timeout, tools } = config;
      if (timeout === undefined && tools === undefined) continue;
      configs[name] = withoutUndefined({ timeout, tools });
    }
    return configs;
  }

  /** The tools of all servers. Of a foreign server, these are the tools that it has listed so far. */
  definedTools(): DefinedTool[] {
    return [...this.#table.latest].flatMap(([server, { binding }]) => {
      const catalog = binding instanceof ServerBinding ? binding.catalog : undefined;
      const listings: readonly unknown[] =
        catalog?.listings ?? (binding as LateForeignBinding).listings ?? [];
      return listings.filter(isRecord).map((listing) => {
        const tool = String(listing['name']);
        const name = toolName(server, tool);
        const stated = isRecord(listing['_meta']) ? listing['_meta'][ALWAYS_LOAD] : undefined;
        return {
          server,
          tool,
          toolName: name,
          alwaysLoad: stated === true || this.#budget.loaded.has(name),
          loading: catalog?.findTool(tool)?.loading ?? (stated === undefined ? 'cli' : 'author'),
        };
      });
    });
  }

  /** The enabled tool that the model knows by this name; undefined if no server has one. Foreign servers are left out. */
  findTool(name: string): CompiledTool | undefined {
    for (const [server, { binding }] of this.#table.latest) {
      if (!(binding instanceof ServerBinding) || !name.startsWith(toolName(server, ''))) continue;
      const { catalog } = binding;
      const own = catalog.toolNames.find((tool) => toolName(server, tool) === name);
      const tool = own === undefined ? undefined : catalog.findTool(own);
      if (tool?.enabled) return tool;
    }
    return undefined;
  }

  /** The names, as the model knows them, of the tools whose calls run side by side only by a hint that is not true. */
  parallelToolNames(): string[] {
    return [...this.#table.latest].flatMap(([server, { binding }]) => {
      if (!(binding instanceof ServerBinding)) return [];
      const { catalog } = binding;
      const names = catalog.toolNames.filter((name) => catalog.findTool(name)?.parallel);
      return names.map((name) => toolName(server, name));
    });
  }

  /** Whether the CLI has a hint about this tool that is not true. */
  isMarkedParallel(server: string, tool: string): boolean {
    const binding = this.#table.find(server)?.binding;
    return binding instanceof ServerBinding && binding.isMarkedParallel(tool);
  }

  /**
   * Why a tool would refuse a call with this input; undefined if it would not. Also undefined for the tools of foreign
   * servers, which check their input themselves.
   */
  findInputProblem(name: string, input: unknown): string | undefined | Promise<string | undefined> {
    const tool = this.findTool(name);
    return tool && findArgumentProblem(tool, input);
  }

  /** The tools whose loading this SDK decides, in the order of the servers and of their definition. */
  #listCandidates(): LoadCandidate[] {
    return [...this.#table.latest].flatMap(([server, { binding }]) => {
      if (!(binding instanceof ServerBinding)) return [];
      const { catalog } = binding;
      return catalog.listings
        .filter(({ name }) => catalog.findTool(name)?.loading === 'sdk')
        .map((listing) => ({ toolName: toolName(server, listing), listing }));
    });
  }

  /** Prepares a change of all servers; finish with `commit` or `rollback`. */
  replace(servers: SdkServers): ServerSwap {
    if (this.#closedBy) throw this.#closedBy;
    const swap = this.#table.replace(servers);
    this.#warnOfCollisions();
    return swap;
  }

  /** Cancels the running calls. Later messages are refused with `reason`. */
  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    this.#table.close(reason);
  }

  #warnOfCollisions(): void {
    if (!this.#onWarning) return;
    for (const group of findNameCollisions(this.names)) {
      this.#onWarning({
        code: 'TOOL_NAME_COLLISION',
        server: group[0] ?? '',
        message: `The servers ${group.map((name) => `"${name}"`).join(' and ')} have the same name for the model ("${rewriteName(group[0] ?? '')}"); their tools may shadow each other`,
      });
    }
  }
}

function putIntoEnvelope(reply: object = ACKNOWLEDGEMENT): McpAnswer {
  return { mcp_response: reply };
}
