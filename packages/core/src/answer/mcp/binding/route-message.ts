// Routes JSON-RPC messages by their kind, both for servers that `createSdkMcpServer` made and for foreign ones. The target
// decides what the method of a request means.
import { boundText } from '../../../util/bounded-text.js';
import { AbortError, WireError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import type { Later } from '../../../util/later.js';
import { WITHDRAWN, type AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { CliLink } from './cli-link.js';
import { readParams, refuseWith, RPC_CODES, type RpcMessage } from './rpc-message.js';

/** A request whose id and method have been checked. */
export interface RpcRequest {
  id: JSONRPCId;
  method: string;
  params?: unknown;
  /** The control request that carries it; undefined on a transport other than the CLI's. */
  carrier: AnswerContext | undefined;
}

/** A reply, now or later; undefined for a message that gets none in JSON-RPC. */
export type RpcReply = RpcAnswer | undefined;

/** A reply, a promise of one that never rejects, or a `Later`. */
export type RpcAnswer = RpcMessage | Promise<RpcMessage> | Later<RpcMessage>;

/** The server that gets the messages. */
export interface MessageTarget {
  readonly link: CliLink;
  answerRequest(request: RpcRequest): RpcAnswer;
  /** Every notification except `notifications/cancelled`, which is handled here. */
  takeNotification(method: string, message: RpcMessage): void;
  /** The CLI's response to a request of the server. */
  takeResponse(id: JSONRPCId, message: RpcMessage): void;
}

/**
 * Passes one message to the server. Throws a WireError for a value that is no message at all (null, a string, a
 * number). Once the link is closed, throws the reason why it was closed.
 */
export function routeMessage(target: MessageTarget, message: unknown, carrier?: AnswerContext): RpcReply {
  const { link } = target;
  if (link.closedBy) throw link.closedBy;
  if (!isRecord(message)) {
    if (Array.isArray(message)) return ignoreBatch(link);
    throw new WireError(
      'MALFORMED_FRAME',
      `An mcp_message must carry a JSON-RPC object, not ${message === null ? 'null' : `a ${typeof message}`}`,
    );
  }
  const { id, method, params } = message;
  if (method === undefined) return routeResponse(target, id, message);
  if (id === undefined || id === null) {
    if (typeof method === 'string') routeNotification(target, method, message);
    return undefined;
  }
  if (!isRpcId(id)) {
    const problem = 'The id of a request must be a string or a number';
    return refuseWith(undefined, RPC_CODES.invalidRequest, problem);
  }
  if (typeof method !== 'string') {
    return refuseWith(id, RPC_CODES.invalidRequest, 'The method of a request must be a string');
  }
  return target.answerRequest({ id, method, params, carrier });
}

// MCP has had no batches since 2025-06-18, and the CLI sends none. A warning is safer than running one.
function ignoreBatch(link: CliLink): undefined {
  link.warn({
    code: 'BATCH_IGNORED',
    message: `A batch of JSON-RPC messages arrived for the server "${link.name}" and was not run: MCP has no batches`,
  });
}

function routeResponse(target: MessageTarget, id: unknown, message: RpcMessage): RpcReply {
  if (!isRpcId(id)) return undefined;
  if (!('result' in message) && !('error' in message)) {
    const problem = 'The message has an id but neither a method nor a result';
    return refuseWith(id, RPC_CODES.invalidRequest, problem);
  }
  target.takeResponse(id, message);
  return undefined;
}

function routeNotification(target: MessageTarget, method: string, message: RpcMessage): void {
  if (method !== 'notifications/cancelled') {
    target.takeNotification(method, message);
    return;
  }
  const { requestId, reason } = readParams(message) ?? {};
  const why = typeof reason === 'string' && reason ? ` (${boundText(reason, 200)})` : '';
  const error = new AbortError(`the CLI abandoned it${why}`, { cause: WITHDRAWN });
  for (const [call] of target.link.calls.entries()) if (call.id === requestId) call.cancel(error);
}

function isRpcId(id: unknown): id is JSONRPCId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}
