// The types of a handler's second argument. It names the call that the handler serves, has the signal that cancels the
// call, and lets the handler report before it is done.
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { LogLevel, ToolProgress } from './tool-events.js';

/** A message to the CLI that needs no answer. */
export interface ServerNotification {
  method: string;
  params?: Record<string, unknown> | undefined;
}

/** A message to the CLI that the CLI answers. */
export interface ServerRequest {
  method: string;
  params?: Record<string, unknown> | undefined;
}

/** How a request to the CLI can be cancelled. */
export interface ServerRequestOptions {
  signal?: AbortSignal | undefined;
}

/** Checks an answer. A zod schema can be used for this. */
export interface ResultParser<T> {
  parse(value: unknown): T;
}

/** A handler's second argument. Its functions can be destructured. */
export interface HandlerExtra<Context = unknown> {
  /** Fires when the call is cancelled, times out, or its session ends. */
  readonly signal: AbortSignal;
  /** The id of the MCP request. */
  readonly requestId: JSONRPCId;
  /** The id of the model's tool_use block. */
  readonly toolUseId: string | undefined;
  /**
   * Identifies the call. It stays the same when the call is made again after a restart, and the permission question about
   * the call has it, too. It can serve as an idempotency key.
   */
  readonly callKey: string;
  /**
   * The number of this attempt, counted from 1, as far as the transcript shows. If it is above 1, an earlier attempt was
   * cut off and may have had effects.
   */
  readonly attempt: number;
  /** The session that calls; undefined before the CLI has named it. */
  readonly sessionId: string | undefined;
  /** The subagent that calls; undefined for the main agent, or when it is not known. */
  readonly agentId: string | undefined;
  /** The server's key in `mcpServers`, or its own name outside a query. */
  readonly server: string;
  readonly tool: string;
  readonly _meta: Record<string, unknown> | undefined;
  /** The `context` of the query and of the server. Objects are merged, and the query's fields take precedence. */
  readonly context: Context;
  /** Always undefined, as is `requestInfo`. The MCP SDK has these fields for requests over HTTP. */
  readonly authInfo: undefined;
  readonly requestInfo: undefined;
  /** Reports progress to the program (as a tool event) and to the CLI. A text counts as one step. */
  readonly progress: (update: number | string | ToolProgress) => void;
  /** Reports a log line to the program, as a tool event. The default level is `info`. */
  readonly log: (...line: [data: unknown] | [level: LogLevel, data: unknown]) => void;
  /**
   * Waits for the answer of a person. In a group, the conversation gives up its place to others in the meantime. It
   * continues when it has a place again.
   */
  readonly waitForPerson: <T>(answer: PromiseLike<T>) => Promise<T>;
  /** Resolves when the message is written; rejects once the session is over. */
  readonly sendNotification: (notification: ServerNotification) => Promise<void>;
  /** Sends the CLI a request. The CLI answers `ping`, and refuses sampling, roots and elicitation. */
  readonly sendRequest: <T = Record<string, unknown>>(
    request: ServerRequest,
    resultSchema?: ResultParser<T>,
    options?: ServerRequestOptions,
  ) => Promise<T>;
}
