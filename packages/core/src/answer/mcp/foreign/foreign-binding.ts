// Binds one foreign server to one live CLI. A foreign server is one that this library did not create. This file replaces the
// ids and progress tokens in the CLI's messages by keys of the shared connection, and puts the CLI's own back into replies.
import type { InboardError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { McpServerInstance } from '../../../wire/protocol/config/mcp-config.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { CliLink, type LinkInput } from '../binding/cli-link.js';
import {
  routeMessage,
  type MessageTarget,
  type RpcReply,
  type RpcRequest,
} from '../binding/route-message.js';
import { readParams, refuseWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import { ForeignCall } from './foreign-call.js';
import { joinServer, type ConnectionUser, type ForeignConnection } from './foreign-connection.js';
import { findParamsProblem, keepUsableTools } from './screen-messages.js';

/** A foreign server, bound to a live CLI. Connects with the first message. Its owner calls `close`. */
export class ForeignBinding implements MessageTarget, ConnectionUser {
  readonly link: CliLink;
  readonly #instance: McpServerInstance;
  readonly #calls = new Map<number, ForeignCall>();
  #connection: ForeignConnection | undefined;
  #announced = false;
  #retired = false;
  #endedBy: Error | undefined;
  #listings: unknown[] | undefined;

  constructor(instance: McpServerInstance, input: LinkInput) {
    this.#instance = instance;
    this.link = new CliLink(input);
  }

  /** The tools as the server last listed them; undefined before its first list. */
  get listings(): unknown[] | undefined {
    return this.#listings;
  }

  /** The reply to a message, if it has one. */
  answer(message: unknown, carrier?: AnswerContext): RpcReply {
    return routeMessage(this, message, carrier);
  }

  /** Passes a request to the server. Resolves with the server's reply, which gets the request's id. Never rejects. */
  answerRequest(request: RpcRequest): Promise<RpcMessage> {
    const { id, method } = request;
    const problem = findParamsProblem(request.params);
    if (problem !== undefined) return Promise.resolve(refuseWith(id, RPC_CODES.invalidParams, problem));
    if (this.#endedBy) {
      return Promise.resolve(refuseWith(id, RPC_CODES.connectionClosed, this.#endedBy.message));
    }
    const connection = this.#join();
    const key = connection.openRequest(this);
    const params = readParams(request);
    const call = new ForeignCall({
      request,
      params,
      link: this.link,
      onCancel: (reason) => connection.cancelRequest(key, reason.message),
      onSettled: () => {
        this.#calls.delete(key);
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
    this.link.port.scope.runInAsyncScope(() => connection.deliver(rewritten, { user: this, key }));
    return call.reply;
  }

  takeNotification(method: string, message: RpcMessage): void {
    if (findParamsProblem(message.params) === undefined) this.notifyServer(method, readParams(message));
  }

  takeResponse(id: JSONRPCId, message: RpcMessage): void {
    this.#connection?.answerQuestion(id, message);
  }

  notifyServer(method: string, params?: Record<string, unknown>): void {
    if (this.#endedBy) return;
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
    this.link.port.scope.runInAsyncScope(() => this.#join().deliver(message));
  }

  takeReply(key: number, reply: RpcMessage): void {
    const call = this.#calls.get(key);
    if (!call) return;
    if (call.method !== 'tools/list' || !isRecord(reply.result)) {
      call.finish(reply);
      return;
    }
    const result = keepUsableTools(reply.result, (warning) => this.link.warn(warning));
    if (Array.isArray(result['tools'])) this.#listings = result['tools'];
    call.finish(result === reply.result ? reply : { ...reply, result });
  }

  async takeMessage(message: RpcMessage, key: number | undefined): Promise<void> {
    const call = key === undefined ? undefined : this.#calls.get(key);
    const params = readParams(message);
    if (message.method !== 'notifications/progress' || !call) {
      await this.link.send(message, call?.id);
      return;
    }
    call.noteProgress(params);
    const isOurs = params?.['progressToken'] === key && call.progressToken !== undefined;
    const restored = isOurs
      ? { ...message, params: { ...params, progressToken: call.progressToken } }
      : message;
    await this.link.send(restored, call.id);
  }

  async takeBroadcast(message: RpcMessage): Promise<void> {
    // A CLI that has not yet had its handshake knows nothing of the server that could be out of date.
    if (this.#announced && !this.#retired) await this.link.send(message);
  }

  takeDelay(problem: string): void {
    this.link.warn({ code: 'SERVER_NOT_CONNECTED', message: problem });
  }

  takeEnd(reason: Error): void {
    this.#connection = undefined;
    // A server that could not be connected may be free the next time. A server that the program closed stays closed.
    if ((reason as InboardError).code === 'SESSION_CLOSED') this.#endedBy = reason;
    this.link.warn({ code: 'SERVER_NOT_CONNECTED', message: reason.message });
    for (const call of this.#calls.values()) {
      call.finish(refuseWith(call.id, RPC_CODES.connectionClosed, reason.message));
    }
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** Stops broadcasts to the CLI. Leaves the server when the running calls have finished. */
  retire(): void {
    this.#retired = true;
    this.#leaveIfIdle();
  }

  /** Cancels the running calls and leaves the server. Later messages are refused with `reason`. */
  close(reason: Error): void {
    this.link.close(reason);
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
    if (this.#retired && this.isIdle) this.#leave();
  }
}

function exchangeToken(params: Record<string, unknown>, key: number): Record<string, unknown> {
  const meta = params['_meta'];
  if (!isRecord(meta) || meta['progressToken'] === undefined) return params;
  return { ...params, _meta: { ...meta, progressToken: key } };
}
