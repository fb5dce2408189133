// Calls the tools of a file as a session does, by MCP messages through the same code. So validation, limits and results
// are the same as in a query. No CLI is involved.
import { InboardError } from '@inboard/core/errors.js';
import { bindServers, type BoundServers } from '@inboard/core/answer/mcp/answer-mcp-message.js';
import type { ToolEvent, ToolWarning } from '@inboard/core/answer/mcp/tool/tool-events.js';
import { toolName } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { FoundServers } from './find-servers.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';

/** A tool as `tools/list` shows it, and the server that has it. */
export interface HostedTool {
  server: string;
  /** The name the model knows. */
  toolName: string;
  listing: { name: string } & Record<string, unknown>;
}

/** Callbacks and settings for the time that tools run. */
export interface HostListeners {
  onToolEvent?: (event: ToolEvent) => void;
  onWarning?: (warning: ToolWarning) => void;
  /** Gets a message of a server for its client: a notification, or a request whose answer must be sent with `tell`. */
  onMessage?: (server: string, message: object) => void | Promise<void>;
  /** The context that handlers get as `extra.context`. */
  context?: unknown;
  /** Whether changes of all resources are reported, even without a subscription. */
  hearsAllUpdates?: boolean;
}

/** A JSON-RPC error that a server returned. */
export class RpcRefusal extends InboardError {
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(error: { code?: unknown; message?: unknown; data?: unknown }) {
    super('MCP_REQUEST_REFUSED', typeof error.message === 'string' ? error.message : 'no reason given');
    this.rpcCode = typeof error.code === 'number' ? error.code : -32603;
    this.data = error.data;
  }
}

/** The servers of a file, bound until the creator calls `close`. */
export class ToolHost {
  readonly #session: BoundServers;
  #lastId = 0;

  constructor(servers: FoundServers, listeners: HostListeners = {}) {
    const { onToolEvent, onWarning, onMessage, context, hearsAllUpdates } = listeners;
    this.#session = bindServers({
      servers,
      notify: (server, message) => onMessage?.(server, message),
      sessionId: () => undefined,
      onToolEvent,
      onWarning,
      context,
      hearsAllUpdates,
    });
  }

  get names(): string[] {
    return this.#session.names;
  }

  /** Sends a request to a server. Returns the result, or throws an RpcRefusal. The signal cancels the request. */
  async ask(
    server: string,
    { method, params }: { method: string; params?: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = withoutUndefined({ jsonrpc: '2.0', id, method, params });
    const answer = await this.#session.answer(
      { server_name: server, message },
      { requestId: String(id), signal },
    );
    const { result, error } = answer.mcp_response as {
      result?: Record<string, unknown>;
      error?: { code?: unknown; message?: unknown; data?: unknown };
    };
    if (error) throw new RpcRefusal(error);
    return result ?? {};
  }

  /** Sends a server a notification, or the answer to a request of the server. */
  async tell(server: string, message: object): Promise<void> {
    const { signal } = new AbortController();
    await this.#session.answer({ server_name: server, message }, { requestId: 'notification', signal });
  }

  /** Sends `initialize` to every server and returns the results. Servers of the MCP libraries require it. */
  async open(signal: AbortSignal): Promise<Record<string, Record<string, unknown>>> {
    const described: Record<string, Record<string, unknown>> = {};
    for (const server of this.names) {
      described[server] = await this.ask(server, { method: 'initialize', params: HANDSHAKE }, signal);
      await this.tell(server, { jsonrpc: '2.0', method: 'notifications/initialized' });
    }
    return described;
  }

  /** Reads all pages of a list of a server. Returns an empty list if the server does not know the method. */
  async listAll(
    server: string,
    { method, field }: { method: string; field: string },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    let cursor: unknown;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.ask(server, { method, params }, signal).catch(endOnMissing);
      const entries = page?.[field];
      if (Array.isArray(entries)) found.push(...(entries as Record<string, unknown>[]));
      cursor = page?.['nextCursor'];
    } while (cursor !== undefined);
    return found;
  }

  /** Every tool of every server. */
  async listTools(signal: AbortSignal): Promise<HostedTool[]> {
    const tools: HostedTool[] = [];
    for (const server of this.names) {
      for (const entry of await this.listAll(server, { method: 'tools/list', field: 'tools' }, signal)) {
        const listing = { ...entry, name: String(entry['name']) };
        tools.push({ server, toolName: toolName(server, listing.name), listing });
      }
    }
    return tools;
  }

  close(): void {
    this.#session.close(new InboardError('HOST_CLOSED', 'The command is over', { phase: 'shutdown' }));
  }
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'inboard', version: '1.0.0' },
};

function endOnMissing(error: unknown): undefined {
  if (error instanceof RpcRefusal && error.rpcCode === METHOD_NOT_FOUND) return undefined;
  throw error;
}

const METHOD_NOT_FOUND = -32601;
