// Calls tools without a CLI or a model, but with the same validation, limits, retries and results as with a live CLI.
// Everything runs in this process, so a debugger can stop in the handler.
import { isRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { InboardError, InvalidOptionsError, SessionClosedError } from '@inboard/core/errors.js';
import {
  ACKNOWLEDGEMENT,
  bindServers,
  type BoundServers,
} from '@inboard/core/answer/mcp/answer-mcp-message.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { isServerInstance } from '@inboard/core/answer/mcp/foreign/is-server-instance.js';
import type { CallToolResult } from '@inboard/core/answer/mcp/result/tool-content.js';
import type {
  ContextOfServers,
  ContextOfTool,
  ContextOfTools,
} from '@inboard/core/answer/mcp/tool/needed-context.js';
import type { InlineTool } from '@inboard/core/answer/mcp/tool/tool-definition.js';
import type { ToolNamesOf, ToolProblem } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { ToolEvent, ToolWarning } from '@inboard/core/answer/mcp/tool/tool-events.js';
import type {
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerInstance,
} from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { AnySchema, InferInput } from '@inboard/core/answer/schema/infer.js';
import { describeHarnessOutcome, readProgress, type HarnessOutcome } from './harness-outcome.js';
import { HarnessPendingCalls, type HarnessPending } from './harness-pending.js';

/** A tool as `tool()` makes it, or a plain object of the same form. */
export type BenchTool = { readonly name: string; readonly inputSchema?: AnySchema } & (
  { readonly handler: (...args: never[]) => unknown } | { readonly run: (...args: never[]) => unknown }
);

/** What a harness can call: a server of ours or of an MCP library, its configuration, a tool, or several tools. */
export type HarnessTarget = McpServerConfig | McpServerInstance | BenchTool | readonly BenchTool[];

/** The names of a target's tools, as far as its type contains them. */
type NamesOf<Target> = Target extends readonly (infer Tool)[]
  ? NameOf<Tool>
  : Target extends { readonly handler: unknown } | { readonly run: unknown }
    ? NameOf<Target>
    : ToolNamesOf<Target>;

type NameOf<Tool> = Tool extends { readonly name: infer Name extends string } ? Name : string;

/** The context type that the handlers of a target require. For a list, it is the intersection of their types. */
type ContextOf<Target> = Target extends readonly unknown[]
  ? ContextOfTools<Target>
  : Target extends { readonly type: 'sdk' }
    ? ContextOfServers<{ target: Target }>
    : ContextOfTool<Target>;

/** What handlers see of the server and the session that call them. */
export interface ToolHarnessOptions<Context = unknown> {
  /** The server's name, as in `mcpServers`. Default: its own name, or `harness`. */
  name?: string | undefined;
  /** The context that handlers get as `extra.context`. */
  context?: Context | undefined;
  /** The session id that handlers get as `extra.sessionId`. Default `harness`. */
  sessionId?: string | undefined;
}

/** How one call is made. */
export interface HarnessCallOptions {
  /** Cancels the call, as the CLI does when a turn is interrupted. */
  signal?: AbortSignal | undefined;
  /** The id that handlers get as `extra.toolUseId`. */
  toolUseId?: string | undefined;
  /** The id that handlers get as `extra.agentId`. */
  agentId?: string | undefined;
  /** Sent as `_meta` of the request, besides the tool-use id. */
  meta?: Record<string, unknown> | undefined;
  /**
   * Called when the handler has returned `pending()`. It completes the call, now or later. Without it, `whenPending()` of the
   * harness gives the call.
   */
  onPending?: ((call: HarnessPending) => unknown) | undefined;
}

/** A tool as `tools/list` describes it to a CLI. */
export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  [field: string]: unknown;
}

/** A server whose tools can be called directly. Whoever calls `createToolHarness` must also call `close`. */
export interface ToolHarness<Name extends string = string> extends AsyncDisposable {
  /** All pages of `tools/list`. */
  listTools(): Promise<ListedTool[]>;
  /** Calls a tool. Errors of the tool are in the outcome. Rejects if there is no result, as after an abort or `close()`. */
  call<const Tool extends string>(
    tool: Tool & ToolProblem<Tool, Name>,
    args?: unknown,
    options?: HarnessCallOptions,
  ): Promise<HarnessOutcome>;
  /** The next call whose handler has returned `pending()`, of this tool or of any. Rejects when the harness is closed. */
  whenPending(tool?: Name): Promise<HarnessPending>;
  /** Sends one JSON-RPC message as it is. Resolves with the answer, or with undefined for a notification. */
  rpc(message: object): Promise<Record<string, unknown> | undefined>;
  /** The notifications and requests that the server sent by itself. The harness does not answer them. */
  readonly notifications: readonly object[];
  readonly warnings: readonly ToolWarning[];
  /** Cancels running calls and refuses later ones. */
  close(): Promise<void>;
}

const NOT_COMPLETED =
  'The handler returned pending(). Give onPending to callTool(), and complete the call there.';
const PROTOCOL_VERSION = '2025-11-25';

/** Creates a harness, which calls tools as a query does. Throws an InvalidOptionsError for a target that it cannot call. */
export function createToolHarness<const Target extends HarnessTarget>(
  target: Target,
  options: ToolHarnessOptions<ContextOf<Target>> = {},
): ToolHarness<NamesOf<Target>> {
  return new ServerHarness(target, options);
}

/** Calls one tool once, with arguments typed by its schema and a context of the type its handler asks for. */
export async function callTool<Schema extends AnySchema, Context = unknown>(
  tool: InlineTool<Schema, string, Context>,
  args: InferInput<Schema>,
  // The index keeps the compiler from inferring the context from here.
  options: HarnessCallOptions & ToolHarnessOptions<[Context][Context extends unknown ? 0 : never]> = {},
): Promise<HarnessOutcome> {
  const harness: ToolHarness = new ServerHarness(tool as unknown as BenchTool, options);
  // Nothing else could complete the call, and the test would wait forever.
  const onPending = (call: HarnessPending): Promise<void> => call.fail(NOT_COMPLETED);
  try {
    return await harness.call(tool.name, args, { onPending, ...withoutUndefined(options) });
  } finally {
    await harness.close();
  }
}

class ServerHarness implements ToolHarness {
  readonly notifications: object[] = [];
  readonly warnings: ToolWarning[] = [];
  readonly #name: string;
  readonly #binding: BoundServers;
  readonly #events = new Map<unknown, ToolEvent[]>();
  readonly #agents = new Map<string, string>();
  readonly #pending: HarnessPendingCalls;
  /** What `onPending` of each open call is, by the ids of their requests. */
  readonly #onPending = new Map<string, NonNullable<HarnessCallOptions['onPending']>>();
  #handshake: Promise<void> | undefined;
  #lastId = 0;

  constructor(target: HarnessTarget, options: ToolHarnessOptions) {
    const server = readTarget(target);
    this.#name = options.name ?? server.name;
    const sessionId = options.sessionId ?? 'harness';
    this.#pending = new HarnessPendingCalls(sessionId);
    this.#binding = bindServers({
      servers: { [this.#name]: server },
      notify: (_server, message) => void this.notifications.push(message),
      context: options.context,
      sessionId: () => sessionId,
      agentIdOf: (toolUseId) => this.#agents.get(toolUseId),
      pend: async (requestId, call) => await this.#pending.pend(call, this.#onPending.get(requestId)),
      onToolEvent: (event) => void this.#events.get(event.requestId)?.push(event),
      onWarning: (warning) => void this.warnings.push(warning),
    });
  }

  async listTools(): Promise<ListedTool[]> {
    await this.#initialize();
    const tools: ListedTool[] = [];
    let cursor: unknown;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.#request('tools/list', params);
      tools.push(...((page['tools'] ?? []) as ListedTool[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return tools;
  }

  async call(tool: string, args?: unknown, options: HarnessCallOptions = {}): Promise<HarnessOutcome> {
    await this.#initialize();
    const { toolUseId, agentId, signal, onPending } = options;
    const id = ++this.#lastId;
    if (onPending) this.#onPending.set(`harness_${id}`, onPending);
    if (agentId !== undefined) this.#agents.set(toolUseId ?? `toolu_${id}`, agentId);
    const events: ToolEvent[] = [];
    this.#events.set(id, events);
    const meta = {
      'claudecode/toolUseId': toolUseId ?? `toolu_${id}`,
      progressToken: id,
      ...options.meta,
    };
    const seen = this.notifications.length;
    try {
      const params = { name: tool, arguments: args ?? {}, _meta: meta };
      const result = (await this.#request('tools/call', params, { id, signal })) as unknown as CallToolResult;
      return describeHarnessOutcome(result, events, readProgress(this.notifications.slice(seen), id));
    } finally {
      this.#events.delete(id);
      this.#onPending.delete(`harness_${id}`);
      const pended = events.find(({ type }) => type === 'pending');
      // This counts only for a call that was cancelled.
      if (pended && 'callKey' in pended) await this.#pending.withdraw(pended.callKey);
    }
  }

  async rpc(message: object): Promise<Record<string, unknown> | undefined> {
    const answer = await this.#send(message);
    return answer === ACKNOWLEDGEMENT ? undefined : answer;
  }

  whenPending(tool?: string): Promise<HarnessPending> {
    return this.#pending.next(tool);
  }

  close(): Promise<void> {
    const reason = new SessionClosedError('The tool harness was closed');
    this.#binding.close(reason);
    this.#pending.close(reason);
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends `initialize`, which servers that are not ours require. */
  #initialize(): Promise<void> {
    this.#handshake ??= (async () => {
      await this.#request('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'inboard-tool-harness', version: '1.0.0' },
      });
      await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    })();
    return this.#handshake;
  }

  async #request(
    method: string,
    params: object,
    { id = ++this.#lastId, signal }: { id?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<Record<string, unknown>> {
    const reply = await this.#send({ jsonrpc: '2.0', id, method, params }, signal);
    const result = reply['result'];
    if (isRecord(result)) return result;
    const { message } = (isRecord(reply['error']) ? reply['error'] : {}) as { message?: string };
    const text = `The server refused "${method}": ${message ?? 'no reason given'}`;
    throw new InboardError('MCP_REQUEST_REFUSED', text, { cause: reply['error'] });
  }

  async #send(message: object, signal = new AbortController().signal): Promise<Record<string, unknown>> {
    signal.throwIfAborted();
    const context = { requestId: `harness_${this.#lastId}`, signal };
    const answer = await this.#binding.answer({ server_name: this.#name, message }, context);
    return answer.mcp_response as Record<string, unknown>;
  }
}

function readTarget(target: HarnessTarget): McpSdkServerConfigWithInstance {
  if (Array.isArray(target)) return serverOf(target as readonly BenchTool[]);
  const given: Record<string, unknown> = isRecord(target) ? target : {};
  if (given['type'] === 'sdk' && isServerInstance(given['instance']))
    return target as McpSdkServerConfigWithInstance;
  if (isServerInstance(given)) return { type: 'sdk', name: 'harness', instance: given };
  if (typeof given['name'] === 'string' && ('handler' in given || 'run' in given))
    return serverOf([target as BenchTool]);
  throw new InvalidOptionsError(
    ['target'],
    'A tool harness takes a tool, a list of tools, or an in-process server (from createSdkMcpServer, or an MCP server object); a server in another process must be started by a CLI.',
  );
}

function serverOf(tools: readonly BenchTool[]): McpSdkServerConfigWithInstance {
  return createSdkMcpServer({ name: 'harness', tools });
}
