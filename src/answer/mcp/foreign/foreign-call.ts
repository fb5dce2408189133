// One request to a foreign server, from a session to its one reply, with the tool events of a tools/call.
import { isRecord } from '../../../util/guards.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import { onAbort } from '../../../util/on-abort.js';
import { asError } from '../result/describe-failure.js';
import { refuseWith, replyWith, RPC_CODES, type RpcMessage } from '../server/rpc-reply.js';
import type { OpenCall } from '../call/call-host.js';
import { errorResult, type CallToolResult } from '../result/tool-content.js';
import {
  describeSource,
  readResultError,
  type ToolEvent,
  type ToolEventSource,
} from '../tool/tool-events.js';

/** What a request is made of. */
export interface ForeignCallInput {
  id: JSONRPCId;
  key: number;
  method: string;
  params: Record<string, unknown> | undefined;
  server: string;
  carrier: AnswerContext | undefined;
  findAgent: (toolUseId: string) => string | undefined;
  emit: ((event: ToolEvent) => void) | undefined;
  /** Tells the server that nobody waits any more. */
  onCancel: (key: number, reason: Error) => void;
  onSettled: (key: number) => void;
}

/** A request that is out; ends exactly once, with a reply that bears the session's own id. */
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
    const { carrier, emit, params } = input;
    this.#input = input;
    this.id = input.id;
    this.method = input.method;
    this.reply = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#startedAt = emit ? performance.now() : 0;
    this.#source = emit && input.method === 'tools/call' ? readSource(input) : undefined;
    if (this.#source) emit?.({ ...this.#source, type: 'start', input: params?.['arguments'] });
    this.#stopWatching =
      carrier && onAbort(carrier.signal, () => this.cancel(asError(carrier.signal.reason)));
  }

  /** The token the session gave, as opposed to the connection's. */
  get progressToken(): unknown {
    const meta = this.#input.params?.['_meta'];
    return isRecord(meta) ? meta['progressToken'] : undefined;
  }

  noteProgress(params: Record<string, unknown> | undefined): void {
    const { progress, total, message } = params ?? {};
    if (!this.#source || typeof progress !== 'number') return;
    this.#input.emit?.({
      ...this.#source,
      type: 'progress',
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    });
  }

  /** The server's reply, with the connection's id. */
  finish(reply: RpcMessage): void {
    if (!this.#settle({ ...reply, id: this.id }) || !this.#source) return;
    const durationMs = performance.now() - this.#startedAt;
    const result = reply.result as CallToolResult | undefined;
    let failure: Error | undefined;
    if (isRecord(reply.error)) failure = new Error(String(reply.error['message']));
    else if (result?.isError) failure = readResultError(result);
    this.#input.emit?.(
      failure === undefined
        ? { ...this.#source, type: 'end', durationMs, result: result as CallToolResult }
        : { ...this.#source, type: 'error', durationMs, error: failure },
    );
  }

  cancel(reason: Error): void {
    const text = `The request "${this.method}" was cancelled: ${reason.message}`;
    const reply =
      this.method === 'tools/call'
        ? replyWith(this.id, errorResult(text))
        : refuseWith(this.id, RPC_CODES.internalError, text);
    if (!this.#settle(reply)) return;
    this.#input.onCancel(this.#input.key, reason);
    if (!this.#source) return;
    this.#input.emit?.({
      ...this.#source,
      type: 'cancelled',
      durationMs: performance.now() - this.#startedAt,
      reason,
    });
  }

  #settle(reply: RpcMessage): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#stopWatching?.();
    this.#input.onSettled(this.#input.key);
    this.#resolve(reply);
    return true;
  }
}

function readSource({ server, id, params, findAgent }: ForeignCallInput): ToolEventSource {
  const meta = params?.['_meta'];
  const toolUseId = isRecord(meta) ? meta['claudecode/toolUseId'] : undefined;
  const known = typeof toolUseId === 'string' ? toolUseId : undefined;
  return describeSource({
    server,
    tool: String(params?.['name']),
    requestId: id,
    toolUseId: known,
    agentId: known === undefined ? undefined : findAgent(known),
  });
}
