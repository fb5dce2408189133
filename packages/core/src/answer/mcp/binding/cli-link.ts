// Holds the state that a binding and its running calls share. The binding makes it, hands it to the calls, and decides
// what to answer.
import type { AsyncResource } from 'node:async_hooks';
import { AbortError, InboardError, SessionClosedError } from '../../../errors.js';
import { callListener } from '../../../util/call-listener.js';
import { createDeferred, type Deferred } from '../../../util/deferred.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { onAbort } from '../../../util/on-abort.js';
import { OpenTable } from '../../../util/open-table.js';
import type { IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { PendingOutput } from '../../../wire/protocol/config/call-records.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { ServerNotification, ServerRequest, ServerRequestOptions } from '../tool/handler-extra.js';
import type { AroundTool, ToolEvent, ToolProgress, ToolWarning } from '../tool/tool-events.js';
import { createQuestionId, type RpcMessage } from './rpc-message.js';

/** What a live CLI gives to each of its servers. */
export interface LinkPort {
  /** The asynchronous context that handlers run in. It is the context of the caller that started the query. */
  readonly scope: AsyncResource;
  /** The query's part of the context that handlers get as `extra.context`. */
  readonly context: unknown;
  readonly sessionId: () => string | undefined;
  /** Finds the key of a call, which is the same after a restart. Without this function, every call gets a new key. */
  readonly identify?: IdentifyCall | undefined;
  /** The subagent behind a tool_use block, where that is known. */
  readonly agentIdOf?: ((toolUseId: string) => string | undefined) | undefined;
  readonly onToolEvent?: ((event: ToolEvent) => void) | undefined;
  /** Set in a session group. While a call waits for a person, another session may run in the place of this one. */
  readonly wait?: WaitForPerson | undefined;
  /** Set where waits for a person are recorded. */
  readonly recordWait?: RecordWait | undefined;
  /** Set where the progress of detached handlers is recorded. `requestId` names the CLI's request that calls the tool. */
  readonly recordProgress?: ((requestId: string, progress: ToolProgress) => void) | undefined;
  /** Runs around every handler of a server that `createSdkMcpServer` made. */
  readonly aroundTool?: AroundTool | undefined;
  /** Whether the handler of a cancelled call runs on, because its CLI ended by itself and another one follows. */
  readonly keepRunning?: ((call: OpenCall, requestId: string | undefined) => boolean) | undefined;
  /** Leaves a call open whose handler returned `pending()`. Without this function, such calls are refused. */
  readonly pend?: PendCall | undefined;
  readonly onWarning?: ((warning: ToolWarning) => void) | undefined;
  /** Chooses the tools without `alwaysLoad` that the model sees from the start. Returns the names that the model knows. */
  readonly chooseLoaded?: (() => ReadonlySet<string>) | undefined;
  /**
   * Whether the CLI may be told that calls of this tool run side by side, which takes a hint that is not true. Set only for
   * a CLI whose decisions about such calls are watched. The name is the one that the model knows.
   */
  readonly mayHint?: ((toolName: string) => boolean) | undefined;
  /** Whether the other side wants every change of a resource, even without a subscription, because it passes them on. */
  readonly hearsAllUpdates?: boolean | undefined;
}

/**
 * Waits for a person's answer on behalf of a tool. `requestId` names the CLI's request that calls the tool. The promise
 * settles as the answer does, perhaps later.
 */
export type WaitForPerson = <T>(requestId: string, answer: PromiseLike<T>) => Promise<T>;

/**
 * Records that the handler of a call waits, and later that it goes on. If the call is over by then, only the wait is
 * recorded.
 */
export type RecordWait = <T>(requestId: string, wait: PersonalWait<T>) => Promise<T>;

/**
 * Takes a call whose result comes later. `requestId` names the CLI's request that calls the tool. Returns the result, which
 * may come much later, or why there can be none.
 */
export type PendCall = (requestId: string, call: PendedCall) => Promise<CallToolResult | RefusedPending>;

/** A call whose handler returned `pending()`. */
export interface PendedCall {
  readonly callKey: string;
  readonly note: string | undefined;
  readonly output: PendingOutput;
  /** Called when the call is recorded as pending, so that it can be completed. */
  readonly onPending: (callKey: string) => void;
}

/** Why the result of a call cannot come later. */
export interface RefusedPending {
  readonly refused: string;
}

export interface PersonalWait<T> {
  readonly answer: PromiseLike<T>;
  /** Whether the call is over, so that its result is not wanted. */
  readonly isOver: () => boolean;
}

/** What a link is made of. */
export interface LinkInput {
  /** The server's key in `mcpServers`, or its own name outside a query. */
  name: string;
  port: LinkPort;
  /** Takes a message for the other side; may refuse it by throwing or rejecting. */
  send: (message: object, relatedRequestId?: JSONRPCId) => void | Promise<void>;
}

/** A request that is being answered and can be cancelled. */
export interface OpenCall {
  readonly id: JSONRPCId;
  cancel(reason: Error): void;
}

/** A server's link to a live CLI. Its owner calls `close`. */
export class CliLink {
  readonly name: string;
  readonly port: LinkPort;
  readonly send: LinkInput['send'];
  /** The query's context, merged with the server's own. */
  readonly context: unknown;
  /** The running calls. Each is its own key, because two may have the same id. */
  readonly calls = new OpenTable<OpenCall, OpenCall>();
  /** The program's listener. An error that it throws becomes a warning. */
  readonly onToolEvent: ((event: ToolEvent) => void) | undefined;
  readonly #questions = new Map<JSONRPCId, Deferred<unknown>>();
  readonly #warned = new Set<string>();
  #closedBy: Error | undefined;

  constructor({ name, port, send }: LinkInput, serverContext?: unknown) {
    this.name = name;
    this.port = port;
    this.send = send;
    this.context = mergeContext(serverContext, port.context);
    const { onToolEvent } = port;
    this.onToolEvent = onToolEvent && ((event) => this.#report(onToolEvent, event));
  }

  /** Why the link was closed; undefined while it is open. */
  get closedBy(): Error | undefined {
    return this.#closedBy;
  }

  findAgent(toolUseId: string | undefined): string | undefined {
    return toolUseId === undefined ? undefined : this.port.agentIdOf?.(toolUseId);
  }

  warn(warning: Omit<ToolWarning, 'server'>): void {
    const { onWarning } = this.port;
    if (!onWarning) return;
    // For each tool, a code is reported once, because a warning per call would be noise. Only a result that goes to a file
    // is reported every time, because its size differs.
    const key = `${warning.code} ${warning.tool ?? ''}`;
    if (warning.code !== 'TOOL_RESULT_TO_FILE' && this.#warned.has(key)) return;
    this.#warned.add(key);
    // If the listener for warnings itself fails, nobody is left to be told, so its error is dropped.
    callListener(
      () => onWarning({ ...warning, server: this.name }),
      () => {},
    );
  }

  /** Sends a notification; rejects once the link is closed. */
  async notify({ method, params }: ServerNotification, relatedRequestId?: JSONRPCId): Promise<void> {
    this.#assertOpen();
    const message = { method, ...(params === undefined ? {} : { params }), jsonrpc: '2.0' };
    await this.send(message, relatedRequestId);
  }

  /** Sends a request to the other side, and resolves with its answer. */
  async request(
    { method, params }: ServerRequest,
    { signal }: ServerRequestOptions,
    relatedRequestId?: JSONRPCId,
  ): Promise<unknown> {
    this.#assertOpen();
    const withdrawn = (): AbortError =>
      new AbortError(`The request "${method}" was cancelled`, { cause: signal?.reason });
    if (signal?.aborted) throw withdrawn();
    const id = createQuestionId();
    const answer = createDeferred<unknown>();
    this.#questions.set(id, answer);
    const stopWatching =
      signal &&
      onAbort(signal, () => {
        answer.reject(withdrawn());
        this.notify({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => {});
      });
    try {
      const message = { method, ...(params === undefined ? {} : { params }), jsonrpc: '2.0', id };
      // The answer may arrive before the message counts as sent.
      const [value] = await Promise.all([answer.promise, this.send(message, relatedRequestId)]);
      return value;
    } finally {
      this.#questions.delete(id);
      stopWatching?.();
    }
  }

  /** Takes the other side's response to a `request`. */
  settleRequest(id: JSONRPCId, message: RpcMessage): void {
    const question = this.#questions.get(id);
    if (!question) return;
    if (message.error === undefined) question.resolve(message.result);
    else question.reject(readRefusal(message.error));
  }

  /** Cancels the running calls. Later messages are refused with `reason`. */
  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    for (const [call] of this.calls.entries()) call.cancel(reason);
    for (const question of this.#questions.values()) {
      question.reject(new SessionClosedError('The session ended before the CLI answered', { cause: reason }));
    }
  }

  #assertOpen(): void {
    if (this.#closedBy) throw new SessionClosedError(undefined, { cause: this.#closedBy });
  }

  #report(listener: (event: ToolEvent) => void, event: ToolEvent): void {
    callListener(
      () => listener(event),
      (cause) =>
        this.warn({
          code: 'LISTENER_FAILED',
          message: `The tool event listener failed: ${messageOf(cause)}`,
        }),
    );
  }
}

function mergeContext(server: unknown, query: unknown): unknown {
  return isRecord(server) && isRecord(query) ? { ...server, ...query } : (query ?? server);
}

function readRefusal(error: unknown): InboardError {
  const { code, message } = isRecord(error) ? error : {};
  return new InboardError(
    'MCP_REQUEST_REFUSED',
    `The CLI refused the request: ${typeof message === 'string' ? message : 'no reason given'}${typeof code === 'number' ? ` (${code})` : ''}`,
    { cause: error },
  );
}
