// Owns the only connection to a foreign server (of the MCP SDK's v1 or v2, or any object with `connect`). All live CLIs
// that use the server share it. Each request gets a key of the connection, so that replies and progress reach the right
// binding. The server's own requests get ids that never collide.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { InboardError, SessionClosedError } from '../../../errors.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { McpServerInstance } from '../../../wire/protocol/config/mcp-config.js';
import type { McpTransport } from '../server/connect-transport.js';
import { describeFailure } from '../result/describe-failure.js';
import {
  createQuestionId,
  readParams,
  refuseWith,
  RPC_CODES,
  type RpcMessage,
} from '../binding/rpc-message.js';
import { LISTEN_LIMIT_MS, ServerInbox } from './server-inbox.js';

/** A binding, as the connection sees it. */
export interface ConnectionUser {
  /** The reply to the request with this key. */
  takeReply(key: number, reply: RpcMessage): void;
  /** A notification or a request of the server. `key` names the request that it belongs to, if that is known. */
  takeMessage(message: RpcMessage, key: number | undefined): Promise<void>;
  /** A notification for all users. */
  takeBroadcast(message: RpcMessage): Promise<void>;
  /** Requests were refused because the server did not listen in time. It may still begin to listen. */
  takeDelay(problem: string): void;
  /** The server was closed, or could not be connected. No message follows. */
  takeEnd(reason: Error): void;
}

/** The request that the server works on. Code that one of its handlers calls can find it. */
interface Served {
  user: ConnectionUser;
  key: number;
}

const served = new AsyncLocalStorage<Served>();

const connections = new WeakMap<object, ForeignConnection>();

/** Joins the server's connection. Opens one if none is open. Every user that joins must `leave`. */
export function joinServer(instance: McpServerInstance, user: ConnectionUser): ForeignConnection {
  const known = connections.get(instance);
  const connection = known?.isOpen ? known : new ForeignConnection(instance);
  connections.set(instance, connection);
  connection.join(user);
  return connection;
}

/**
 * A connected server. The connection ends when the last user has left, so that other code of the program may connect the
 * server between queries.
 */
export class ForeignConnection {
  readonly #users = new Set<ConnectionUser>();
  readonly #owners = new Map<number, ConnectionUser>();
  readonly #questions = new Map<string, { id: JSONRPCId; user: ConnectionUser }>();
  readonly #transport: McpTransport;
  readonly #inbox = new ServerInbox((key) => this.#refuseLate(key));
  #endedBy: Error | undefined;
  #lastKey = 0;

  constructor(instance: McpServerInstance) {
    const inbox = this.#inbox;
    this.#transport = {
      get onmessage() {
        return inbox.onmessage;
      },
      set onmessage(listener) {
        inbox.onmessage = listener;
      },
      start: () => Promise.resolve(),
      send: (message, options) => this.#takeFromServer(message as RpcMessage, options?.relatedRequestId),
      close: () => {
        this.#end(new SessionClosedError('The MCP server was closed by the program'));
        return Promise.resolve();
      },
    };
    void this.#connect(instance);
  }

  /** False once the connection has ended. A new one must then be made. */
  get isOpen(): boolean {
    return this.#endedBy === undefined;
  }

  join(user: ConnectionUser): void {
    this.#users.add(user);
  }

  /** Removes a user and its requests in both directions. The last user closes the connection. */
  leave(user: ConnectionUser): void {
    this.#users.delete(user);
    for (const [key, owner] of this.#owners) if (owner === user) this.#owners.delete(key);
    for (const [id, question] of this.#questions) {
      if (question.user !== user) continue;
      this.#questions.delete(id);
      this.#refuseQuestion(question.id, 'The session ended before it answered');
    }
    if (this.#users.size > 0) return;
    this.#inbox.clear();
    // A server that does not listen yet must not be closed in the middle of its start.
    void this.#inbox.opened.then(() => {
      if (this.#users.size === 0)
        this.#end(new SessionClosedError('The last session that used the server is over'));
    });
  }

  /** Makes a key for a new request of the user. The reply goes to `takeReply`. */
  openRequest(user: ConnectionUser): number {
    this.#lastKey += 1;
    this.#owners.set(this.#lastKey, user);
    return this.#lastKey;
  }

  /** Cancels a request. The server is told, if it has the request already. */
  cancelRequest(key: number, reason: string): void {
    this.#owners.delete(key);
    if (this.#inbox.withdraw(key)) return;
    this.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: key, reason } });
  }

  /** Hands a message to the server as soon as it listens. `work` is set only if the message is a request. */
  deliver(message: object, work?: Served): void {
    const receive = (): void => {
      const onmessage = this.#transport.onmessage as ((message: object) => void) | undefined;
      onmessage?.call(this.#transport, message);
    };
    const deliver = work ? (): void => served.run(work, receive) : receive;
    if (this.#inbox.isOpen) deliver();
    // A message that has to wait is later delivered in the asynchronous context of this call.
    else this.#inbox.put({ key: work?.key, deliver: AsyncResource.bind(deliver) });
  }

  /** Passes on the CLI's answer to a request of the server. Ignored when no such request is open. */
  answerQuestion(id: JSONRPCId, message: RpcMessage): void {
    const question = this.#questions.get(String(id));
    if (!question) return;
    this.#questions.delete(String(id));
    this.deliver({ ...message, jsonrpc: '2.0', id: question.id });
  }

  async #connect(instance: McpServerInstance): Promise<void> {
    try {
      await (instance.connect as (transport: McpTransport) => Promise<void>).call(instance, this.#transport);
      this.#inbox.open();
    } catch (cause) {
      const error = new InboardError(
        'MCP_SERVER_NOT_CONNECTED',
        `The MCP server could not be connected: ${describeFailure(cause)}. A server object that is already connected cannot serve queries as well`,
        { cause },
      );
      // The end waits until the constructor has returned and the first user has joined, so that the user is told.
      queueMicrotask(() => this.#end(error));
    }
  }

  #end(reason: Error): void {
    if (this.#endedBy) return;
    this.#endedBy = reason;
    this.#inbox.close();
    const users = [...this.#users];
    this.#users.clear();
    this.#owners.clear();
    this.#questions.clear();
    // This tells the server to abort its handlers. It can be connected again afterwards.
    this.#transport.onclose?.();
    for (const user of users) user.takeEnd(reason);
  }

  async #takeFromServer(message: RpcMessage, related: JSONRPCId | undefined): Promise<void> {
    if (this.#endedBy) throw new SessionClosedError('Not connected', { cause: this.#endedBy });
    if (typeof message.method !== 'string') {
      this.#takeReply(message);
      return;
    }
    const key = this.#findKey(message, related);
    const user = key === undefined ? served.getStore()?.user : this.#owners.get(key);
    if (message.id !== undefined) return this.#ask(message, user, key);
    if (message.method === 'notifications/cancelled') return this.#withdrawQuestion(message);
    if (message.method.endsWith('/list_changed') || (!user && related === undefined)) {
      return this.#broadcast(message);
    }
    if (!user || !this.#users.has(user))
      throw new SessionClosedError('The request that this belongs to is over');
    return user.takeMessage(message, key);
  }

  #refuseLate(key: number | undefined): void {
    const problem = `The MCP server is not listening: ${LISTEN_LIMIT_MS} ms after the first message, its connect() has not set "onmessage" on the transport`;
    const user = key === undefined ? undefined : this.#owners.get(key);
    if (key === undefined || !user) return;
    user.takeDelay(problem);
    this.#takeReply(refuseWith(key, RPC_CODES.connectionClosed, problem));
  }

  #takeReply(message: RpcMessage): void {
    const key = message.id as number;
    const user = this.#owners.get(key);
    this.#owners.delete(key);
    user?.takeReply(key, message);
  }

  /**
   * The key of the open request that a message belongs to. The server may name the request. Otherwise the progress token
   * shows it, or the handler that sends the message.
   */
  #findKey(message: RpcMessage, related: JSONRPCId | undefined): number | undefined {
    const token = readParams(message)?.['progressToken'];
    for (const candidate of [related, token, served.getStore()?.key]) {
      if (typeof candidate === 'number' && this.#owners.has(candidate)) return candidate;
    }
    return undefined;
  }

  async #broadcast(message: RpcMessage): Promise<void> {
    // If one live CLI has just ended, the error must reach neither the others nor the server.
    await Promise.all([...this.#users].map((user) => user.takeBroadcast(message).catch(() => {})));
  }

  async #ask(message: RpcMessage, found: ConnectionUser | undefined, key: number | undefined): Promise<void> {
    const id = message.id as JSONRPCId;
    const [only] = this.#users;
    const user = found ?? (this.#users.size === 1 ? only : undefined);
    if (!user || !this.#users.has(user)) {
      this.#refuseQuestion(
        id,
        'Several sessions use this server, and nothing says which of them the request is for',
      );
      return;
    }
    const ownId = createQuestionId();
    this.#questions.set(ownId, { id, user });
    try {
      await user.takeMessage({ ...message, id: ownId }, key);
    } catch (error) {
      this.#questions.delete(ownId);
      this.#refuseQuestion(id, describeFailure(error));
    }
  }

  async #withdrawQuestion(message: RpcMessage): Promise<void> {
    const params = readParams(message);
    for (const [ownId, question] of this.#questions) {
      if (question.id !== params?.['requestId']) continue;
      this.#questions.delete(ownId);
      await question.user.takeMessage({ ...message, params: { ...params, requestId: ownId } }, undefined);
    }
  }

  #refuseQuestion(id: JSONRPCId, why: string): void {
    // The server is still sending the request and does not wait for a reply yet, so the refusal comes a moment later.
    queueMicrotask(() => {
      if (!this.#endedBy) this.deliver(refuseWith(id, RPC_CODES.invalidRequest, why));
    });
  }
}
