// One server of ours in one session: its running calls, its questions to the CLI, and the way out for its
// notifications. The server itself knows nothing of sessions.
import { isRecord } from '../../../util/guards.js';
import type { AsyncResource } from 'node:async_hooks';
import { AbortError, InboardError, SessionClosedError } from '../../../errors.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { createDeferred, type Deferred } from '../../../util/deferred.js';
import { onAbort } from '../../../util/on-abort.js';
import { dispatch, type DispatchHost } from './dispatch.js';
import { createQuestionId, type RpcMessage } from './rpc-reply.js';
import type { CatalogSubscriber, ListKind, ServerCatalog } from './server-catalog.js';
import type { OpenCall } from '../call/call-host.js';
import type { ServerNotification, ServerRequest, ServerRequestOptions } from '../tool/tool-context.js';
import type { AroundTool, ToolEvent, ToolWarning } from '../tool/tool-events.js';

/** What a session gives to each of its servers. */
export interface SessionPort {
  readonly scope: AsyncResource;
  /** Per-query context of the handlers. */
  readonly context: unknown;
  readonly sessionId: () => string | undefined;
  readonly agentIdOf?: ((toolUseId: string) => string | undefined) | undefined;
  readonly onToolEvent?: ((event: ToolEvent) => void) | undefined;
  readonly aroundTool?: AroundTool | undefined;
  readonly onWarning?: ((warning: ToolWarning) => void) | undefined;
}

/** Where a binding sits: under which name, and how its messages leave. */
export interface BindingSeat {
  name: string;
  port: SessionPort;
  /** Takes a message for the other side; may refuse it by throwing or rejecting. */
  send(message: object, relatedRequestId?: JSONRPCId): void | Promise<void>;
  /** The envelope of replies. */
  wrap(reply: object): unknown;
}

/** A server of ours as one session sees it. Ends by `close`. */
export class ServerBinding implements DispatchHost, CatalogSubscriber {
  readonly catalog: ServerCatalog;
  readonly calls = new Set<OpenCall>();
  readonly context: unknown;
  readonly onToolEvent: ((event: ToolEvent) => void) | undefined;
  readonly aroundTool: AroundTool | undefined;
  readonly #seat: BindingSeat;
  readonly #questions = new Map<JSONRPCId, Deferred<unknown>>();
  readonly #warned = new Set<string>();
  #announced: { tools: boolean } | undefined;
  #closedBy: Error | undefined;
  clientInfo: Record<string, unknown> | undefined;

  constructor(catalog: ServerCatalog, seat: BindingSeat) {
    this.catalog = catalog;
    this.#seat = seat;
    this.context = mergeContext(catalog.options.context, seat.port.context);
    const { onToolEvent } = seat.port;
    this.aroundTool = seat.port.aroundTool;
    this.onToolEvent = onToolEvent && ((event) => this.#guard(() => onToolEvent(event)));
    catalog.subscribers.add(this);
  }

  get name(): string {
    return this.#seat.name;
  }

  get scope(): AsyncResource {
    return this.#seat.port.scope;
  }

  get sessionId(): string | undefined {
    return this.#seat.port.sessionId();
  }

  findAgent(toolUseId: string): string | undefined {
    return this.#seat.port.agentIdOf?.(toolUseId);
  }

  wrap(reply: object): unknown {
    return this.#seat.wrap(reply);
  }

  /** The wrapped reply, a promise of it, or undefined when the message has no answer of its own. */
  answer(message: unknown, carrier?: AnswerContext): unknown {
    if (this.#closedBy) throw this.#closedBy;
    return dispatch(this, message, carrier);
  }

  noteHandshake(params?: Record<string, unknown>): void {
    this.#announced = { tools: this.catalog.listings.length > 0 || this.catalog.options.toolsMayChange };
    if (params) this.clientInfo = params;
  }

  noteInitialized(): void {
    // Nothing waits for it: a server of ours is ready when it exists.
  }

  noteListChange(kind: ListKind): void {
    if (!this.#announced || this.#closedBy) return;
    if (kind === 'tools' && !this.#announced.tools) {
      this.warn({
        code: 'TOOLS_NOT_ANNOUNCED',
        message: `Tools were added to the server "${this.name}", which had none when the session began; the CLI does not ask such a server for tools. Create it with a tool, or with toolsMayChange: true`,
      });
    }
    this.notify({ method: `notifications/${kind}/list_changed` }).catch(() => {});
  }

  warn(warning: Omit<ToolWarning, 'server'>): void {
    const { onWarning } = this.#seat.port;
    if (!onWarning) return;
    // Once per tool and kind: a warning per call would be noise. Sizes differ, so each is news.
    const key = `${warning.code} ${warning.tool ?? ''}`;
    if (warning.code !== 'TOOL_RESULT_TO_FILE' && this.#warned.has(key)) return;
    this.#warned.add(key);
    try {
      onWarning({ ...warning, server: this.name });
    } catch {
      // The listener of warnings failed: there is nobody left to tell.
    }
  }

  async notify({ method, params }: ServerNotification, relatedRequestId?: JSONRPCId): Promise<void> {
    if (this.#closedBy) throw new SessionClosedError(undefined, { cause: this.#closedBy });
    const message = { method, ...(params === undefined ? {} : { params }), jsonrpc: '2.0' };
    await this.#seat.send(message, relatedRequestId);
  }

  /** Puts a question to the other side. */
  async request(
    { method, params }: ServerRequest,
    options: ServerRequestOptions = {},
    relatedRequestId?: JSONRPCId,
  ): Promise<unknown> {
    if (this.#closedBy) throw new SessionClosedError(undefined, { cause: this.#closedBy });
    const { signal } = options;
    if (signal?.aborted)
      throw new AbortError(`The question "${method}" was given up`, { cause: signal.reason });
    const id = createQuestionId();
    const answer = createDeferred<unknown>();
    this.#questions.set(id, answer);
    const stopWatching = signal && onAbort(signal, () => this.#giveUp(id, method, signal.reason));
    try {
      const message = { method, ...(params === undefined ? {} : { params }), jsonrpc: '2.0', id };
      // The answer can be here before the message counts as sent.
      const [value] = await Promise.all([answer.promise, this.#seat.send(message, relatedRequestId)]);
      return value;
    } finally {
      this.#questions.delete(id);
      stopWatching?.();
    }
  }

  settleRequest(id: JSONRPCId, message: RpcMessage): void {
    const question = this.#questions.get(id);
    if (!question) return;
    if (message.error === undefined) question.resolve(message.result);
    else question.reject(readRefusal(message.error));
  }

  get isIdle(): boolean {
    return this.calls.size === 0;
  }

  /** No news of changes any more; what runs may finish. */
  retire(): void {
    this.catalog.subscribers.delete(this);
  }

  /** Cancels what runs; later messages are refused with `reason`. */
  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    this.catalog.subscribers.delete(this);
    for (const call of this.calls) call.cancel(reason);
    for (const question of this.#questions.values()) {
      question.reject(new SessionClosedError('The session ended before the CLI answered', { cause: reason }));
    }
  }

  #giveUp(id: string, method: string, reason: unknown): void {
    this.#questions
      .get(id)
      ?.reject(new AbortError(`The question "${method}" was given up`, { cause: reason }));
    this.notify({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => {});
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.warn({ code: 'LISTENER_FAILED', message: `The listener of tool events failed: ${String(error)}` });
    }
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
