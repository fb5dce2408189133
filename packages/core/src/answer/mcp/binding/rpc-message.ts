// Writes JSON-RPC replies as MCP has them, with their keys in the order seen on the wire. It also reads fields of
// messages whose content is unknown.
import { isRecord } from '../../../util/guards.js';
import type { JSONRPCErrorResponse, JSONRPCId } from '../../../wire/protocol/json-rpc.js';

/** A message whose fields have not been checked yet. */
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

let lastQuestion = 0;

/** A new id for a request of a server to the CLI; a string, so that it never equals one of the CLI's numeric ids. */
export function createQuestionId(): string {
  lastQuestion += 1;
  return `server-${lastQuestion}`;
}

export function replyWith(id: JSONRPCId, result: object): RpcMessage {
  return { result, jsonrpc: '2.0', id };
}

/** An error for a request. It has no `id` where the request's own id cannot be read. */
export function refuseWith(id: JSONRPCId | undefined, code: number, message: string): JSONRPCErrorResponse {
  const error = { code, message };
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
}

/** Params that are an object; undefined for anything else. */
export function readParams({ params }: { params?: unknown }): Record<string, unknown> | undefined {
  return isRecord(params) ? params : undefined;
}

/** The id of the model's tool_use block, as the CLI puts it into a call's `_meta`. */
export function readToolUseId(meta: unknown): string | undefined {
  const id = isRecord(meta) ? meta['claudecode/toolUseId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
