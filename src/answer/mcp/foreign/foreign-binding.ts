// One foreign server in one session: the session's messages with their ids and tokens exchanged for those
// of the shared connection, and back again.
import { isRecord } from '../../../util/guards.js';
import type { InboardError } from '../../../errors.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { McpServerInstance } from '../../../wire/protocol/config/mcp-config.js';
import { ForeignCall } from './foreign-call.js';
import type { ConnectionUser, ForeignConnection } from './foreign-server.js';
import {
  readCancellation,
  readParams,
  refuseWith,
  routeMessage,
  RPC_CODES,
  type RpcMessage,
} from '../server/rpc-reply.js';
import type { BindingSeat } from '../server/server-binding.js';
import { joinServer } from './shared-server.js';
import type { ToolWarning } from '../tool/tool-events.js';
import { keepUsableTools } from './usable-tools.js';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** A foreign server as one session sees it. Connects with the first message; ends by `close`. */
export class ForeignBinding implements ConnectionUser {
  readonly #instance: McpServerInstance;
  readonly #seat: BindingSeat;
  readonly #calls = new Map<number, ForeignCall>();
  #connection: ForeignConnection | undefined;
  #announced = false;
  #retired = false;
  #closedBy: Error | undefined;
  #endedBy: Error | undefined;
  #listed: unknown[] | undefined;

  constructor(instance: McpServerInstance, seat: BindingSeat) {
    this.#instance = instance;
    this.#seat = seat;
  }

  /** The tools as the server last listed them; undefined before it was asked. */
  get listings(): unknown[] | undefined {
    return this.#listed;
  }

  /** The wrapped reply as a promise, or undefined when the message has no answer of its own. */
  answer(message: unknown, carrier?: AnswerContext): unknown {
    if (this.#closedBy) throw this.#closedBy;
    const routing = routeMessage(message);
    const asked = message as RpcMessage;
    switch (routing.kind) {
      case 'request':
        return this.ask(routing, asked, carrier).then((reply) => this.#seat.wrap(reply));
      case 'notification':
        this.#passNotification(routing.method, asked);
        return undefined;
      case 'response':
        this.#connection?.answerQuestion(routing.id, asked);
        return undefined;
      case 'invalid':
        return this.#seat.wrap(routing.reply);
      case 'batch':
        this.warn({
          code: 'BATCH_IGNORED',
          message: `A batch of JSON-RPC messages came for the server "${this.#seat.name}" and was not run: MCP has no batches`,
        });
        return undefined;
      default:
        return undefined;
    }
  }

  /** Puts a request to the server; resolves with its reply under the id of the request, never rejects. */
  ask(
    { id, method }: { id: JSONRPCId; method: string },
    message: RpcMessage,
    carrier?: AnswerContext,
  ): Promise<RpcMessage> {
    const refusal = findRefusal(id, message);
    if (refusal) return Promise.resolve(refusal);
    if (this.#endedBy) {
      return Promise.resolve(refuseWith(id, RPC_CODES.connectionClosed, this.#endedBy.message));
    }
    const connection = this.#join();
    const key = connection.openRequest(this);
    const params = readParams(message);
    const { port, name } = this.#seat;
    const call = new ForeignCall({
      id,
      key,
      method,
      params,
      server: name,
      carrier,
      findAgent: (toolUseId) => port.agentIdOf?.(toolUseId),
      emit: port.onToolEvent && ((event) => this.#guard(() => port.onToolEvent?.(event))),
      onCancel: (cancelled, reason) => {
        connection.dropRequest(cancelled);
        connection.deliver(cancellation(cancelled, reason.message));
      },
      onSettled: (settled) => {
        this.#calls.delete(settled);
        this.#leaveIfIdle();
      },
    });
    this.#calls.set(key, call);
    if (method === 'initialize') this.#announced = true;
    const rewritten = {
      jsonrpc: '2.0',
      id: key,
      method,
      ...(params === undefined ? {} : { params: exchangeToken(params, key) }),
    };
    port.scope.runInAsyncScope(() => connection.deliver(rewritten, { user: this, key }));
    return call.reply;
  }

  /** Tells the server something that needs no answer. */
  tell(method: string, params?: Record<string, unknown>): void {
    if (this.#endedBy) return;
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
    this.#seat.port.scope.runInAsyncScope(() => this.#join().deliver(message));
  }

  takeReply(key: number, reply: RpcMessage): void {
    const call = this.#calls.get(key);
    if (!call) return;
    if (call.method !== 'tools/list' || !isRecord(reply.result)) {
      call.finish(reply);
      return;
    }
    const result = keepUsableTools(reply.result, (warning) => this.warn(warning));
    if (Array.isArray(result['tools'])) this.#listed = result['tools'];
    call.finish(result === reply.result ? reply : { ...reply, result });
  }

  async takeMessage(message: RpcMessage, key: number | undefined): Promise<void> {
    const call = key === undefined ? undefined : this.#calls.get(key);
    const params = readParams(message);
    if (message.method !== 'notifications/progress' || !call) {
      await this.#seat.send(message, call?.id);
      return;
    }
    call.noteProgress(params);
    const isOurs = params?.['progressToken'] === key && call.progressToken !== undefined;
    const restored = isOurs
      ? { ...message, params: { ...params, progressToken: call.progressToken } }
      : message;
    await this.#seat.send(restored, call.id);
  }

  async takeNews(message: RpcMessage): Promise<void> {
    // Who has not asked yet what the server is has nothing that could be out of date.
    if (this.#announced && !this.#retired) await this.#seat.send(message);
  }

  takeEnd(reason: Error): void {
    this.#connection = undefined;
    // A server that could not be connected may be free the next time; one that was closed stays closed.
    if ((reason as InboardError).code === 'SESSION_CLOSED') this.#endedBy = reason;
    this.warn({ code: 'SERVER_NOT_CONNECTED', message: reason.message });
    for (const call of this.#calls.values()) {
      call.finish(refuseWith(call.id, RPC_CODES.connectionClosed, reason.message));
    }
  }

  warn(warning: Omit<ToolWarning, 'server'>): void {
    try {
      this.#seat.port.onWarning?.({ ...warning, server: this.#seat.name });
    } catch {
      // The listener of warnings failed: there is nobody left to tell.
    }
  }

  noteHandshake(): void {
    this.#announced = true;
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** No news any more; leaves the server when what runs has finished. */
  retire(): void {
    this.#retired = true;
    this.#leaveIfIdle();
  }

  close(reason: Error): void {
    if (this.#closedBy) return;
    this.#closedBy = reason;
    for (const call of this.#calls.values()) call.cancel(reason);
    this.#leave();
  }

  #join(): ForeignConnection {
    this.#connection ??= joinServer(this.#instance, this);
    return this.#connection;
  }

  #leave(): void {
    this.#connection?.leave(this);
    this.#connection = undefined;
  }

  #leaveIfIdle(): void {
    if (this.#retired && this.#calls.size === 0) this.#leave();
  }

  #passNotification(method: string, message: RpcMessage): void {
    if (method !== 'notifications/cancelled') {
      if (findRefusal(0, message) === undefined) this.tell(method, readParams(message));
      return;
    }
    const { requestId, reason } = readCancellation(message);
    for (const call of this.#calls.values()) if (call.id === requestId) call.cancel(reason);
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.warn({ code: 'LISTENER_FAILED', message: `The listener of tool events failed: ${String(error)}` });
    }
  }
}

function cancellation(requestId: number, reason: string): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } };
}

function exchangeToken(params: Record<string, unknown>, key: number): Record<string, unknown> {
  const meta = params['_meta'];
  if (!isRecord(meta) || meta['progressToken'] === undefined) return params;
  return { ...params, _meta: { ...meta, progressToken: key } };
}

// The MCP SDKs drop a message of this kind without an answer, and the one who asked would wait for ever.
function findRefusal(id: JSONRPCId, message: RpcMessage): RpcMessage | undefined {
  const { params } = message;
  if (params === undefined) return undefined;
  if (!isRecord(params)) return refuseWith(id, RPC_CODES.invalidParams, 'params must be an object');
  const meta = params['_meta'];
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return refuseWith(id, RPC_CODES.invalidParams, 'params._meta must be an object');
  const token = meta['progressToken'];
  if (token !== undefined && typeof token !== 'string' && typeof token !== 'number') {
    return refuseWith(id, RPC_CODES.invalidParams, 'params._meta.progressToken must be a string or a number');
  }
  const task = meta[RELATED_TASK];
  if (task !== undefined && !(isRecord(task) && typeof task['taskId'] === 'string')) {
    return refuseWith(id, RPC_CODES.invalidParams, `params._meta["${RELATED_TASK}"] must name a taskId`);
  }
  return undefined;
}
