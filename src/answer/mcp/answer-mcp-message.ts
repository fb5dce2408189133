// The in-process servers of one query: finds the server a message is for, sees that each message gets one
// answer, and swaps servers in a way that can be taken back.
import { isRecord } from '../../util/guards.js';
import { AsyncResource } from 'node:async_hooks';
import { InvalidOptionsError, ToolServerNotFoundError } from '../../errors.js';
import type { AnswerContext } from '../../wire/protocol/answer.js';
import type {
  McpSdkServerConfigWithInstance,
  McpServerManifest,
  McpServerToolPolicy,
} from '../../wire/protocol/config/mcp-config.js';
import { ForeignBinding } from './foreign/foreign-binding.js';
import { isServerInstance } from './foreign/foreign-server.js';
import { captureManifest, describeManifest } from './manifest.js';
import { ACKNOWLEDGEMENT } from './server/rpc-reply.js';
import { ServerBinding, type SessionPort } from './server/server-binding.js';
import type { AroundTool, ToolEvent, ToolWarning } from './tool/tool-events.js';
import { findNameCollisions, rewriteName, toolName } from './tool/tool-name.js';
import { catalogOf, ToolServer } from './server/tool-server.js';

/** In-process servers by their key in `mcpServers`. */
export type SdkServers = Readonly<Record<string, McpSdkServerConfigWithInstance>>;

/** What a query gives to its in-process servers. */
export interface McpSessionInput {
  servers: SdkServers;
  /** Takes a server's message for the CLI: a notification or a question. */
  notify: (serverName: string, message: object) => void | Promise<void>;
  /** Handlers get it as `extra.context`. */
  context?: unknown;
  sessionId: () => string | undefined;
  /** The subagent behind a tool_use block, where that is known. */
  agentIdOf?: (toolUseId: string) => string | undefined;
  onToolEvent?: (event: ToolEvent) => void;
  /** Runs around every handler of a server of ours. */
  aroundTool?: AroundTool;
  onWarning?: (warning: ToolWarning) => void;
}

/** The answer to a control request of the kind `mcp_message`. */
export interface McpAnswer {
  mcp_response: unknown;
}

/** A tool as the model will see it, for comparing with what the CLI lists. */
export interface DefinedTool {
  server: string;
  tool: string;
  toolName: string;
  /** Whether it is always in the prompt. */
  alwaysLoad: boolean;
}

/** A change of servers that the CLI has not agreed to yet: new servers answer already, old ones still. */
export interface ServerSwap {
  commit(): void;
  rollback(): void;
}

/** The in-process servers of one query. Ends by `close`. */
export interface McpSession {
  /** The keys of the servers, as the CLI is told. */
  readonly names: string[];
  /** Throws or rejects only when there is nothing to answer with: no such server, no such message, closed. */
  answer(
    request: { server_name: string; message: unknown },
    context: AnswerContext,
  ): McpAnswer | Promise<McpAnswer>;
  /** What to send along in `initialize`; at once when all servers are ours. */
  manifests(): Record<string, McpServerManifest> | Promise<Record<string, McpServerManifest>>;
  /** What else `initialize` says of them; only servers of which there is something to say. */
  configs(): Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  /** The tools there are; of a foreign server those it has listed so far. */
  definedTools(): DefinedTool[];
  /** Prepares a change of all servers; finish with `commit` or `rollback`. */
  replace(servers: SdkServers): ServerSwap;
  /** Aborts every running handler; later messages are refused with `reason`. */
  close(reason: Error): void;
}

interface Seat {
  config: McpSdkServerConfigWithInstance;
  binding: ServerBinding | ForeignBinding;
}

/** Binds servers to a query. Handlers run in the asynchronous context of whoever calls this. */
export function createMcpSession(input: McpSessionInput): McpSession {
  return new SessionServers(input);
}

class SessionServers implements McpSession {
  readonly #input: McpSessionInput;
  readonly #port: SessionPort;
  readonly #retired = new Set<Seat['binding']>();
  #current: Map<string, Seat>;
  #swaps: Map<string, Seat>[] = [];
  #closedBy: Error | undefined;

  constructor(input: McpSessionInput) {
    this.#input = input;
    const { context, sessionId, agentIdOf, onToolEvent, aroundTool, onWarning } = input;
    const scope = new AsyncResource('InboardTools');
    this.#port = { scope, context, sessionId, agentIdOf, onToolEvent, aroundTool, onWarning };
    this.#current = this.#seatAll(input.servers, new Map());
  }

  get names(): string[] {
    return [...this.#latest.keys()];
  }

  answer(
    request: { server_name: string; message: unknown },
    context: AnswerContext,
  ): McpAnswer | Promise<McpAnswer> {
    if (this.#closedBy) throw this.#closedBy;
    const seat = this.#find(request.server_name);
    if (!seat) throw new ToolServerNotFoundError(request.server_name, this.names);
    const answer = seat.binding.answer(request.message, context);
    return answer === undefined
      ? { mcp_response: ACKNOWLEDGEMENT }
      : (answer as McpAnswer | Promise<McpAnswer>);
  }

  manifests(): Record<string, McpServerManifest> | Promise<Record<string, McpServerManifest>> {
    const found: [string, McpServerManifest | undefined | Promise<McpServerManifest | undefined>][] = [];
    let isSync = true;
    for (const [name, { binding }] of this.#latest) {
      if (binding instanceof ServerBinding) {
        found.push([name, describeManifest(binding)]);
      } else {
        isSync = false;
        found.push([name, captureManifest(binding)]);
      }
    }
    if (isSync) return keepManifests(found as [string, McpServerManifest | undefined][]);
    return Promise.all(found.map(async ([name, manifest]) => [name, await manifest] as const)).then(
      keepManifests,
    );
  }

  configs(): Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }> {
    const configs: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }> = {};
    for (const [name, { config }] of this.#latest) {
      const { timeout, tools } = config;
      if (timeout === undefined && tools === undefined) continue;
      configs[name] = {
        ...(timeout === undefined ? {} : { timeout }),
        ...(tools === undefined ? {} : { tools }),
      };
    }
    return configs;
  }

  definedTools(): DefinedTool[] {
    return [...this.#latest].flatMap(([server, { binding }]) => {
      const listings: readonly unknown[] =
        binding instanceof ServerBinding ? binding.catalog.listings : (binding.listings ?? []);
      return listings.filter(isRecord).map((listing) => {
        const tool = String(listing['name']);
        const meta = listing['_meta'];
        return {
          server,
          tool,
          toolName: toolName(server, tool),
          alwaysLoad: isRecord(meta) && meta['anthropic/alwaysLoad'] === true,
        };
      });
    });
  }

  replace(servers: SdkServers): ServerSwap {
    if (this.#closedBy) throw this.#closedBy;
    const next = this.#seatAll(servers, this.#latest);
    this.#swaps.push(next);
    return {
      commit: () => {
        const index = this.#swaps.indexOf(next);
        if (index === -1) return;
        // Whatever was still undecided before it has been overtaken.
        const dropped = [this.#current, ...this.#swaps.splice(0, index + 1)];
        this.#current = next;
        for (const map of dropped) this.#retireUnused(map);
      },
      rollback: () => {
        const index = this.#swaps.indexOf(next);
        if (index === -1) return;
        this.#swaps.splice(index, 1);
        this.#retireUnused(next);
      },
    };
  }

  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    for (const binding of [...this.#bindings(), ...this.#retired]) binding.close(reason);
    this.#retired.clear();
  }

  get #latest(): Map<string, Seat> {
    return this.#swaps.at(-1) ?? this.#current;
  }

  #find(name: string): Seat | undefined {
    for (let index = this.#swaps.length - 1; index >= 0; index -= 1) {
      const seat = this.#swaps[index]?.get(name);
      if (seat) return seat;
    }
    return this.#current.get(name);
  }

  #bindings(): Set<Seat['binding']> {
    return new Set(
      [this.#current, ...this.#swaps].flatMap((map) => [...map.values()].map(({ binding }) => binding)),
    );
  }

  /** What runs in a server that is gone may finish; at the latest it ends with the session. */
  #retireUnused(map: Map<string, Seat>): void {
    const used = this.#bindings();
    for (const { binding } of map.values()) {
      if (used.has(binding)) continue;
      binding.retire();
      this.#retired.add(binding);
    }
    for (const binding of this.#retired) if (binding.isIdle) this.#retired.delete(binding);
  }

  #seatAll(servers: SdkServers, before: Map<string, Seat>): Map<string, Seat> {
    const seats = new Map<string, Seat>();
    for (const [name, config] of Object.entries(servers)) {
      const known = before.get(name);
      // The same object under the same name stays where it is, with its running calls.
      const isSame = known !== undefined && known.config.instance === config.instance;
      seats.set(name, isSame ? { ...known, config } : this.#seat(name, config));
    }
    this.#warnOfNames([...seats.keys()]);
    return seats;
  }

  #seat(name: string, config: McpSdkServerConfigWithInstance): Seat {
    const { instance } = config;
    if (!isServerInstance(instance)) {
      throw new InvalidOptionsError(
        ['mcpServers'],
        `The in-process server "${name}" has no instance with a connect method; make it with createSdkMcpServer, or pass an MCP server object as "instance"`,
      );
    }
    const seat = {
      name,
      port: this.#port,
      send: (message: object) => this.#input.notify(name, message),
      wrap: (reply: object): McpAnswer => ({ mcp_response: reply }),
    };
    const isOurs = (instance as unknown) instanceof ToolServer;
    return {
      config,
      binding: isOurs
        ? new ServerBinding(catalogOf(instance as unknown as ToolServer), seat)
        : new ForeignBinding(instance, seat),
    };
  }

  #warnOfNames(names: string[]): void {
    const { onWarning } = this.#port;
    if (!onWarning) return;
    for (const group of findNameCollisions(names)) {
      onWarning({
        code: 'TOOL_NAME_COLLISION',
        server: group[0] ?? '',
        message: `The servers ${group.map((name) => `"${name}"`).join(' and ')} have the same name for the model ("${rewriteName(group[0] ?? '')}"); their tools may hide each other`,
      });
    }
  }
}

function keepManifests(
  found: readonly (readonly [string, McpServerManifest | undefined])[],
): Record<string, McpServerManifest> {
  return Object.fromEntries(
    found.filter((entry): entry is [string, McpServerManifest] => entry[1] !== undefined),
  );
}
