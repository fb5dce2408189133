// What a running call sees of the session it belongs to.
import type { AsyncResource } from 'node:async_hooks';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { ServerNotification, ServerRequest, ServerRequestOptions } from '../tool/tool-context.js';
import type { AroundTool, ToolEvent, ToolWarning } from '../tool/tool-events.js';

/** A request that is being answered and can be cancelled. */
export interface OpenCall {
  readonly id: JSONRPCId;
  cancel(reason: Error): void;
}

/** The session a call belongs to, as far as calls need it. */
export interface CallHost {
  /** The server's key in `mcpServers`. */
  readonly name: string;
  readonly context: unknown;
  /** The asynchronous context handlers run in: that of whoever started the query. */
  readonly scope: AsyncResource;
  /** The calls that run. */
  readonly calls: Set<OpenCall>;
  readonly sessionId: string | undefined;
  readonly onToolEvent: ((event: ToolEvent) => void) | undefined;
  readonly aroundTool: AroundTool | undefined;
  findAgent(toolUseId: string): string | undefined;
  /** Puts a reply into the envelope in which it travels. */
  wrap(reply: object): unknown;
  warn(warning: Omit<ToolWarning, 'server'>): void;
  /** Rejects once the session is over. */
  notify(message: ServerNotification, relatedRequestId: JSONRPCId): Promise<void>;
  request(
    message: ServerRequest,
    options: ServerRequestOptions,
    relatedRequestId: JSONRPCId,
  ): Promise<unknown>;
}
