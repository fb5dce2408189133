// Owns one request of the CLI to a foreign server (one that this library did not create) until its only reply. For a
// `tools/call` it emits the tool events.
import { isRecord } from '../../../util/guards.js';
import { onAbort } from '../../../util/on-abort.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { CliLink, OpenCall } from '../binding/cli-link.js';
import type { RpcRequest } from '../binding/route-message.js';
import { readToolUseId, refuseWith, replyWith, RPC_CODES, type RpcMessage } from '../binding/rpc-message.js';
import { asError } from '../result/describe-failure.js';
import type { CallToolResult } from '../result/tool-content.js';
import { errorResult } from '../result/content-helpers.js';
import { describePendingRefusal, FOREIGN_SERVER, wasPending } from '../result/pending.js';
import {
  describeSource,
  readResultError,
  type ToolEventBody,
  type ToolEventSource,
} from '../tool/tool-events.js';

/** What a call is made of. */
export interface ForeignCallInput {
  request: RpcRequest;
  params: Record<string, unknown> | undefined;
  link: CliLink;
  /** Tells the server that the request is cancelled. */
  onCancel: (reason: Error) => void;
  onSettled: () => void;
}

/** An open request. It ends exactly once, with a reply under the CLI's own id. */
export class ForeignCall implements OpenCall {
  readonly id: JSONRPCId;
  readonly method: string;
  readonly reply: Promise<RpcMessage>;
  readonly #input: ForeignCallInput;
  readonly #source: ToolEventSource | undefined;
  readonly #startedAt: number;
  readonly #stopWatching: (() => void) | undefined;
  #resolve!: (reply: RpcMessage) => void;
  #settled = false;

  constructor(input: ForeignCallInput) {
    const { request, params, link } = input;
    const { carrier } = request;
    this.#input = input;
    this.id = request.id;
    this.method = request.method;
    this.reply = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    link.calls.set(this, this);
    this.#startedAt = link.onToolEvent ? performance.now() : 0;
    this.#source = link.onToolEvent && this.method === 'tools/call' ? readSource(input) : undefined;
    this.#emit({ type: 'start', input: params?.['arguments'] });
    this.#stopWatching =
      carrier && onAbort(carrier.signal, () => this.cancel(asError(carrier.signal.reason)));
  }

  /** The progress token that the CLI gave. The server sees the connection's key in its place. */
  get progressToken(): unknown {
    const meta = this.#input.params?.['_meta'];
    return isRecord(meta) ? meta['progressToken'] : undefined;
  }

  noteProgress(params: Record<string, unknown> | undefined): void {
    const { progress, total, message } = params ?? {};
    if (typeof progress !== 'number') return;
    this.#emit({
      type: 'progress',
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    });
  }

  /** Ends the call with the server's reply. The reply has the connection's key as its id, and gets the CLI's id here. */
  finish(given: RpcMessage): void {
    const reply = this.method === 'tools/call' && wasPending(given.result) ? this.#refusePending(given) : given;
    if (!this.#settle({ ...reply, id: this.id })) return;
    const durationMs = performance.now() - this.#startedAt;
    const result = reply.result as CallToolResult | undefined;
    let error: Error | undefined;
    if (isRecord(reply.error)) error = new Error(String(reply.error['message']));
    else if (result?.isError) error = readResultError(result);
    this.#emit(
      error === undefined
        ? { type: 'end', durationMs, result: result as CallToolResult }
        : { type: 'error', durationMs, error },
    );
  }

  cancel(reason: Error): void {
    const text = `The request "${this.method}" was cancelled: ${reason.message}`;
    const reply =
      this.method === 'tools/call'
        ? replyWith(this.id, errorResult(text))
        : refuseWith(this.id, RPC_CODES.internalError, text);
    if (!this.#settle(reply)) return;
    this.#input.onCancel(reason);
    this.#emit({ type: 'cancelled', durationMs: performance.now() - this.#startedAt, reason });
  }

  /** Such a server has no part in the records of a conversation, so it cannot wait for a result. */
  #refusePending(given: RpcMessage): RpcMessage {
    const { params, link } = this.#input;
    const tool = String(params?.['name']);
    const message = describePendingRefusal(tool, FOREIGN_SERVER);
    link.warn({ code: 'PENDING_REFUSED', message, tool });
    return { ...given, result: errorResult(message) };
  }

  #settle(reply: RpcMessage): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#stopWatching?.();
    this.#input.link.calls.delete(this);
    this.#input.onSettled();
    this.#resolve(reply);
    return true;
  }

  #emit(body: ToolEventBody): void {
    if (this.#source) this.#input.link.onToolEvent?.({ ...this.#source, ...body });
  }
}

function readSource({ request, params, link }: ForeignCallInput): ToolEventSource {
  const toolUseId = readToolUseId(params?.['_meta']);
  return describeSource({
    server: link.name,
    tool: String(params?.['name']),
    requestId: request.id,
    toolUseId,
    agentId: link.findAgent(toolUseId),
  });
}
