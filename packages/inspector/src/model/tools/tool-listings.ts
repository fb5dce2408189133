// Collects what the wire says about servers and their tools: in the handshake, in answers to `tools/list` and `initialize`,
// and in `system/init`.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { DefinedTool } from '@inboard/core/answer/mcp/tool/defined-tool.js';
import { toolName } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { keepsToolsBack } from '@inboard/core/answer/diagnosis/tool-search.js';
import { splitToolName } from '../story/tool-name.js';
import type { ModelChoice } from './tool-entry.js';

/** A tool as its server lists it. */
export interface Listing {
  server: string;
  name: string;
  toolName: string;
  tool: WireObject;
  alwaysLoad: boolean;
}

/** A server, with the facts that are known so far. */
export interface KnownServer {
  name: string;
  status: string;
  error: string | undefined;
  info: WireObject;
  runsHere: boolean;
}

const ALWAYS_LOAD = 'anthropic/alwaysLoad';

/** The listings of one session. */
export class ToolListings {
  readonly servers = new Map<string, KnownServer>();
  /** The tools of this process, by the name the model knows. */
  readonly tools = new Map<string, Listing>();
  /** The names the CLI listed when the last turn began; undefined before the first. */
  listed: ReadonlySet<string> | undefined;
  /** Whether the CLI may hide tools behind its tool search. */
  isSearchOn = false;
  models: ModelChoice[] = [];

  /** Reads the program's request `initialize`. */
  readHandshake(request: WireObject): void {
    for (const name of listOf(request['sdkMcpServers'])) this.#server(String(name)).runsHere = true;
    const manifests = isRecord(request['sdkMcpServerManifests']) ? request['sdkMcpServerManifests'] : {};
    for (const [name, manifest] of Object.entries(manifests)) {
      this.#server(name).runsHere = true;
      if (!isRecord(manifest)) continue;
      this.readServerInfo(name, manifest['initializeResult']);
      if (isRecord(manifest['toolsListResult'])) this.readTools(name, manifest['toolsListResult'], false);
    }
  }

  /** Reads the CLI's answer to `initialize`. */
  readHandshakeAnswer(response: unknown): void {
    if (!isRecord(response)) return;
    this.models = listOf(response['models'])
      .filter(isRecord)
      .map((model) => ({
        value: String(model['value']),
        label: asString(model['displayName']) ?? String(model['value']),
        description: asString(model['description']),
        resolved: asString(model['resolvedModel']),
      }));
  }

  /** Reads the answer of a server of this process to `initialize`. */
  readServerInfo(server: string, result: unknown): void {
    if (isRecord(result)) this.#server(server).info = result;
  }

  /** Reads the tools of a server of this process. A further page is added to the earlier ones. */
  readTools(server: string, result: WireObject, isFurther: boolean): void {
    this.#server(server).runsHere = true;
    if (!isFurther)
      for (const [key, listing] of this.tools) if (listing.server === server) this.tools.delete(key);
    for (const tool of listOf(result['tools']).filter(isRecord)) {
      const name = String(tool['name']);
      const meta = isRecord(tool['_meta']) ? tool['_meta'] : {};
      const full = toolName(server, name);
      // If two tools have the same name for the model, the first counts, as in the CLI.
      if (this.tools.has(full)) continue;
      this.tools.set(full, { server, name, toolName: full, tool, alwaysLoad: meta[ALWAYS_LOAD] === true });
    }
  }

  /** Reads the message `system/init`, with which each turn begins. */
  readInit(init: WireObject): void {
    const names = listOf(init['tools']).map(String);
    this.listed = new Set(names);
    this.isSearchOn = keepsToolsBack(init);
    for (const row of listOf(init['mcp_servers']).filter(isRecord)) this.#readStatus(row);
    for (const name of names) {
      const { server } = splitToolName(name);
      if (server !== undefined && !this.tools.has(name) && !this.#hasServer(server)) this.#server(server);
    }
  }

  /** The tools of this process, in the form that the diagnosis takes. */
  listDefined(): DefinedTool[] {
    return [...this.tools.values()].map(({ server, name, toolName: full, alwaysLoad }) => ({
      server,
      tool: name,
      toolName: full,
      alwaysLoad,
      loading: 'cli',
    }));
  }

  #readStatus(row: WireObject): void {
    const server = this.#server(String(row['name']));
    server.status = String(row['status']);
    server.error = asString(row['error']);
  }

  /** Whether the CLI would rewrite the name of a known server to this one. */
  #hasServer(rewritten: string): boolean {
    return [...this.servers.keys()].some((name) => toolName(name, 'x') === `mcp__${rewritten}__x`);
  }

  #server(name: string): KnownServer {
    let server = this.servers.get(name);
    if (!server) {
      server = { name, status: 'announced', error: undefined, info: {}, runsHere: false };
      this.servers.set(name, server);
    }
    return server;
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
