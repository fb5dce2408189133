// The replies of JSON-RPC with their keys in the order the wire has been seen to use, and the reading of
// messages that may be anything.
import { isRecord } from '../../../util/guards.js';
import { AbortError, WireError } from '../../../errors.js';
import type { JSONRPCErrorResponse, JSONRPCId } from '../../../wire/protocol/json-rpc.js';

/** A message of which only the outside is known. */
export interface RpcMessage {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
  [key: string]: unknown;
}

/** The codes of JSON-RPC and MCP that are used here. */
export const RPC_CODES = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  connectionClosed: -32000,
} as const;

/** What answers a message that has no answer of its own: the control request that carried it needs one. */
export const ACKNOWLEDGEMENT: Readonly<Record<string, unknown>> = Object.freeze({
  jsonrpc: '2.0',
  result: Object.freeze({}),
  id: 0,
});

let lastQuestion = 0;

/** A new id for a request of a server to the CLI: a word, so that it meets no id of the CLI's, and never used twice. */
export function createQuestionId(): string {
  lastQuestion += 1;
  return `server-${lastQuestion}`;
}

/** A result for a request. */
export function replyWith(id: JSONRPCId, result: object): RpcMessage {
  return { result, jsonrpc: '2.0', id };
}

/** A refusal of a request. */
export function refuseWith(id: JSONRPCId, code: number, message: string): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Whether a value may be a request's id: a string, or any finite number. */
function isRpcId(id: unknown): id is JSONRPCId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

/** Params that are an object; undefined for anything else. */
export function readParams(message: RpcMessage): Record<string, unknown> | undefined {
  return isRecord(message.params) ? message.params : undefined;
}

/** Which request a `notifications/cancelled` is about, and why. */
export function readCancellation(message: RpcMessage): { requestId: unknown; reason: Error } {
  const { requestId, reason } = readParams(message) ?? {};
  const why = typeof reason === 'string' && reason ? ` (${reason})` : '';
  return { requestId, reason: new AbortError(`the CLI gave it up${why}`) };
}

/** What to do with a message before anyone looks at its method. */
export type Routing =
  | { kind: 'request'; id: JSONRPCId; method: string }
  | { kind: 'notification'; method: string }
  | { kind: 'response'; id: JSONRPCId }
  | { kind: 'batch' }
  | { kind: 'empty' }
  | { kind: 'invalid'; reply: JSONRPCErrorResponse };

/** Sorts a message by its outside; throws a WireError for what is no message at all (null, a string, a number). */
export function routeMessage(message: unknown): Routing {
  if (Array.isArray(message)) return { kind: 'batch' };
  if (!isRecord(message)) {
    throw new WireError(
      'MALFORMED_FRAME',
      `An mcp_message must carry a JSON-RPC object, not ${message === null ? 'null' : `a ${typeof message}`}`,
    );
  }
  const { id, method } = message;
  if (method === undefined) {
    if (!isRpcId(id)) return { kind: 'empty' };
    return 'result' in message || 'error' in message
      ? { kind: 'response', id }
      : invalid(id, 'The message has an id and neither a method nor a result');
  }
  if (id === undefined || id === null) {
    return typeof method === 'string' ? { kind: 'notification', method } : { kind: 'empty' };
  }
  if (!isRpcId(id)) return invalid(undefined, 'The id of a request must be a string or a number');
  return typeof method === 'string'
    ? { kind: 'request', id, method }
    : invalid(id, 'The method of a request must be a string');
}

function invalid(id: JSONRPCId | undefined, message: string): Routing {
  const error = { code: RPC_CODES.invalidRequest, message };
  return { kind: 'invalid', reply: { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error } };
}
