// Keeps the spans of permission questions, each from the CLI's question to the program's answer.
import type { Span } from '@opentelemetry/api';
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { ATTRIBUTE } from './attributes.js';
import { cutSpan, type Failure } from './end-span.js';

/** The open questions, by the id of their request. */
export class PermissionSpans {
  readonly #start: (name: string, toolUseId: string | undefined) => Span;
  readonly #open = new Map<string, Span>();

  constructor(start: (name: string, toolUseId: string | undefined) => Span) {
    this.#start = start;
  }

  /** Takes a control request of the CLI. */
  readRequest({ request_id: id, request }: WireObject): void {
    if (!isRecord(request) || request['subtype'] !== 'can_use_tool') return;
    const toolUseId = typeof request['tool_use_id'] === 'string' ? request['tool_use_id'] : undefined;
    this.#open.set(String(id), this.#start(String(request['tool_name']), toolUseId));
  }

  /** Takes a control response of the program. */
  readResponse({ response }: WireObject): void {
    if (!isRecord(response)) return;
    const answer = isRecord(response['response']) ? response['response'] : {};
    const decision = response['subtype'] === 'success' ? answer['behavior'] : 'failed';
    this.close(String(response['request_id']), String(decision));
  }

  close(id: string, decision: string): void {
    const span = this.#open.get(id);
    if (!span) return;
    this.#open.delete(id);
    span.setAttribute(ATTRIBUTE.decision, decision);
    span.end();
  }

  /** Ends the open spans, because the CLI has gone. */
  cut(failure: Failure): void {
    for (const span of this.#open.values()) cutSpan(span, failure);
    this.#open.clear();
  }
}
