// The types of requests about prompts, resources and completion, for the files that answer them.
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { RpcMessage } from '../binding/rpc-message.js';
import type { McpRequestContext } from './request-context.js';
import type { ServerCatalog } from './server-catalog.js';

/** The request, its server, and what the answer may depend on. */
export interface OfferRequest {
  readonly id: JSONRPCId;
  readonly method: string;
  readonly params: Record<string, unknown> | undefined;
  readonly catalog: ServerCatalog;
  readonly context: McpRequestContext;
  /** The uris whose changes the other side wants to be notified of. */
  readonly watched: Set<string>;
}

/** Answers a request. Resolves with undefined for a method that it does not know. */
export type AnswerOffer = (request: OfferRequest) => Promise<RpcMessage | undefined>;
