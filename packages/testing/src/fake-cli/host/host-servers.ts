// Uses the host's in-process servers as a CLI does: connects to them, lists and calls their tools, and receives the
// messages that a server sends by itself.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { AskedQuestion, HostConnection } from './host-connection.js';
import type { HostReply } from './question-list.js';

/** A tool of a server. */
export interface FoundTool {
  readonly server: string;
  readonly name: string;
  readonly isReadOnly: boolean;
}

/** A call that has been sent. */
export interface ServerCall extends AskedQuestion {
  readonly progress: readonly WireObject[];
  /** Notifies the server that the call is cancelled. */
  cancel(reason: string): void;
}

const PROTOCOL = '2025-11-25';

interface Connection {
  readonly name: string;
  status: 'pending' | 'connected' | 'failed';
  isConnecting: boolean;
  serverInfo: unknown;
  tools: WireObject[];
  nextId: number;
  readonly progress: Map<unknown, WireObject[]>;
}

export class HostServers {
  readonly #connections = new Map<string, Connection>();
  readonly #host: HostConnection;
  readonly #version: string;
  /** Settles when all handshakes that were begun so far are over. */
  #connecting: Promise<unknown> | undefined;
  /** Whether the host has replaced the servers since the last message. */
  #areReplaced = false;

  constructor(host: HostConnection, version: string) {
    this.#host = host;
    this.#version = version;
  }

  /** Adds a server. A server with a usable manifest counts as connected at once. Returns what was done with the manifest. */
  add(name: string, manifest?: unknown): string | undefined {
    const connection: Connection = {
      name,
      status: 'pending',
      isConnecting: false,
      serverInfo: undefined,
      tools: [],
      nextId: 0,
      progress: new Map(),
    };
    this.#connections.set(name, connection);
    if (!isRecord(manifest)) return undefined;
    const { initializeResult, toolsListResult } = manifest;
    if (!isRecord(initializeResult) || initializeResult['protocolVersion'] !== PROTOCOL) {
      return 'protocol_version_mismatch';
    }
    connection.serverInfo = initializeResult['serverInfo'];
    if (isRecord(toolsListResult)) this.#takeTools(connection, toolsListResult);
    // The requests of the handshake are not sent, but their ids count as used.
    connection.nextId = 2;
    connection.status = 'connected';
    return 'parked';
  }

  /** Replaces all servers. Servers that stay are connected again too. */
  replace(names: readonly string[]): { added: string[]; removed: string[] } {
    const before = [...this.#connections.keys()];
    this.#connections.clear();
    for (const name of names) this.add(name);
    this.#areReplaced = true;
    return {
      added: names.filter((name) => !before.includes(name)),
      removed: before.filter((name) => !names.includes(name)),
    };
  }

  /** Starts to connect every server that is not connected yet. */
  connect(): void {
    const waiting = [...this.#connections.values()].filter(
      ({ status, isConnecting }) => status === 'pending' && !isConnecting,
    );
    const handshakes = waiting.map((connection) => this.#handshake(connection));
    this.#connecting = Promise.all([this.#connecting, ...handshakes]);
    // The promise rejects if the run ends. That is ignored here, because code that needs the servers awaits
    // `connected()`.
    this.#connecting.catch(() => {});
  }

  /** Connects as the older CLI does, with each message. After servers were replaced, it connects to all of them again. */
  connectWithMessage(): void {
    if (this.#areReplaced) for (const name of this.#connections.keys()) this.add(name);
    this.#areReplaced = false;
    this.connect();
  }

  /** Resolves when all handshakes are over, also those of servers that are added in the meantime. */
  async connected(): Promise<void> {
    for (let known: Promise<unknown> | undefined; known !== this.#connecting;) {
      known = this.#connecting;
      await known;
    }
  }

  async #handshake(connection: Connection): Promise<void> {
    connection.isConnecting = true;
    const opened = await this.#request(connection, 'initialize', {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: 'claude-code', version: this.#version },
    });
    if (opened === undefined) {
      connection.status = 'failed';
      return;
    }
    connection.serverInfo = opened['serverInfo'];
    const ready = await this.#notify(connection.name, 'notifications/initialized').reply;
    if (ready.kind !== 'success') {
      connection.status = 'failed';
      return;
    }
    if (isRecord(opened['capabilities']) && opened['capabilities']['tools'] !== undefined) {
      await this.#listTools(connection);
    }
    connection.status = 'connected';
  }

  async #listTools(connection: Connection): Promise<void> {
    const listed = await this.#request(connection, 'tools/list');
    if (listed) this.#takeTools(connection, listed);
  }

  #takeTools(connection: Connection, listed: WireObject): void {
    const tools = Array.isArray(listed['tools']) ? listed['tools'].filter(isRecord) : [];
    // If one tool has a broken schema, the CLI takes none of the server's tools.
    const isFit = tools.every(({ inputSchema }) => isRecord(inputSchema) && inputSchema['type'] === 'object');
    connection.tools = isFit ? tools : [];
  }

  /** The names under which the model sees the tools. */
  listToolNames(): string[] {
    return [...this.#connections.values()].flatMap(({ name, tools }) =>
      tools.map((tool) => modelName(name, String(tool['name']))),
    );
  }

  /** The servers as `system/init` lists them. */
  listServers(isOld: boolean): WireObject[] {
    return [...this.#connections.values()].map(({ name, status }) => ({
      name,
      status,
      ...(isOld ? {} : { source: 'sdk' }),
    }));
  }

  /** The servers as `mcp_status` lists them. */
  describe(): WireObject[] {
    return [...this.#connections.values()].map(({ name, status, serverInfo, tools }) => ({
      name,
      status,
      serverInfo,
      transport: 'sdk',
      scope: 'dynamic',
      source: 'sdk',
      tools: tools.map((tool) => ({ name: tool['name'], annotations: reportHints(tool['annotations']) })),
    }));
  }

  find(toolName: string): FoundTool | undefined {
    for (const { name: server, tools } of this.#connections.values()) {
      const tool = tools.find(({ name }) => modelName(server, String(name)) === toolName);
      if (!tool) continue;
      const annotations = isRecord(tool['annotations']) ? tool['annotations'] : {};
      return { server, name: String(tool['name']), isReadOnly: annotations['readOnlyHint'] === true };
    }
    return undefined;
  }

  call(tool: FoundTool, input: WireObject, toolUseId: string): ServerCall {
    const connection = this.#connections.get(tool.server);
    const id = connection ? connection.nextId++ : 0;
    const progress: WireObject[] = [];
    connection?.progress.set(id, progress);
    const asked = this.#send(tool.server, {
      method: 'tools/call',
      params: {
        name: tool.name,
        arguments: input,
        _meta: { 'claudecode/toolUseId': toolUseId, progressToken: id },
      },
      jsonrpc: '2.0',
      id,
    });
    return {
      ...asked,
      progress,
      cancel: (reason) => {
        this.#notify(tool.server, 'notifications/cancelled', { requestId: id, reason });
        this.#host.withdraw(asked.question);
      },
    };
  }

  /** Receives a message that a server sent by itself. Returns what to do before and after it is acknowledged. */
  receive(server: string, message: unknown): { before?: () => void; after?: () => void } {
    const connection = this.#connections.get(server);
    if (!connection || !isRecord(message)) return {};
    const { method, id, params } = message;
    if (method === 'notifications/progress' && isRecord(params)) {
      connection.progress.get(params['progressToken'])?.push(params);
      return {};
    }
    if (method === 'notifications/tools/list_changed') {
      return { after: () => void this.#listTools(connection).catch(() => {}) };
    }
    if (method === undefined || id === undefined) return {};
    const answer =
      method === 'ping' ? { result: {} } : { error: { code: -32_601, message: 'Method not found' } };
    return {
      before: () => void this.#send(server, { jsonrpc: '2.0', id, ...answer }, { isOptional: true }),
    };
  }

  async #request(
    connection: Connection,
    method: string,
    params?: WireObject,
  ): Promise<WireObject | undefined> {
    const id = connection.nextId;
    connection.nextId += 1;
    const { reply } = this.#send(connection.name, { method, ...(params && { params }), jsonrpc: '2.0', id });
    return resultOf(await reply);
  }

  #notify(server: string, method: string, params?: WireObject): AskedQuestion {
    const isOptional = method === 'notifications/cancelled';
    return this.#send(server, { jsonrpc: '2.0', method, ...(params && { params }) }, { isOptional });
  }

  #send(server: string, message: WireObject, options: { isOptional?: boolean } = {}): AskedQuestion {
    return this.#host.ask({ subtype: 'mcp_message', server_name: server, message }, options);
  }
}

/** The JSON-RPC result in an answer. */
export function resultOf(reply: HostReply): WireObject | undefined {
  const answer = mcpResponseOf(reply);
  return answer && isRecord(answer['result']) ? answer['result'] : undefined;
}

/** The JSON-RPC message in an answer. */
export function mcpResponseOf(reply: HostReply): WireObject | undefined {
  if (reply.kind !== 'success' || !isRecord(reply.response)) return undefined;
  const answer = reply.response['mcp_response'];
  return isRecord(answer) ? answer : undefined;
}

/** The name under which the model sees a tool of a server. */
export function modelName(server: string, tool: string): string {
  const plain = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return `mcp__${plain(server)}__${plain(tool)}`;
}

/** The annotations of a tool under the names that `mcp_status` has for them. */
function reportHints(annotations: unknown): WireObject {
  const { readOnlyHint, destructiveHint, openWorldHint } = isRecord(annotations) ? annotations : {};
  return {
    ...(readOnlyHint === true && { readOnly: true }),
    ...(destructiveHint === true && { destructive: true }),
    ...(openWorldHint === true && { openWorld: true }),
  };
}
