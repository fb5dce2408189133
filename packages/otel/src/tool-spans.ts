// Keeps the spans of tool calls, each from the model's call to its result.
import type { Attributes, Span } from '@opentelemetry/api';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { ATTRIBUTE, OPERATION } from './attributes.js';
import { cutSpan, failWith, type Failure } from './end-span.js';
import type { Measurements } from './measurements.js';

interface OpenTool {
  span: Span;
  name: string;
  startedAt: number;
  /** Set when the CLI of the call has gone. Unless the call is completed, its span ends with this failure and this time. */
  cut?: { failure: Failure; at: number };
}

/** The facts that are known when a call is first seen. */
export interface ToolSpanFacts {
  name: string;
  /** The arguments of the call, if content is captured. */
  input?: string | undefined;
  /** The call that started the subagent in which this call is made. */
  parent?: string | undefined;
}

export interface ToolSpansOptions {
  measurements: Measurements;
  /** Turns content into text without secrets. Undefined if content is not captured. */
  capture: (content: unknown) => string | undefined;
  start: (name: string, attributes: Attributes, parent: Span | undefined) => Span;
}

/** The open calls, by the id of their tool use. */
export class ToolSpans {
  readonly #given: ToolSpansOptions;
  readonly #open = new Map<string, OpenTool>();

  constructor(given: ToolSpansOptions) {
    this.#given = given;
  }

  /** The span of a call. It begins now, unless it has begun already. */
  open(id: string, { name, input, parent }: ToolSpanFacts): Span {
    const known = this.#open.get(id);
    if (known) return known.span;
    const attributes = {
      [ATTRIBUTE.operation]: OPERATION.tool,
      [ATTRIBUTE.toolName]: name,
      [ATTRIBUTE.toolType]: name.startsWith('mcp__') ? 'extension' : 'function',
      [ATTRIBUTE.toolCallId]: id,
      [ATTRIBUTE.parentToolCallId]: parent,
      [ATTRIBUTE.toolArguments]: input,
    };
    const within = parent === undefined ? undefined : this.#open.get(parent)?.span;
    const span = this.#given.start(`${OPERATION.tool} ${name}`, attributes, within);
    this.#open.set(id, { span, name, startedAt: performance.now() });
    return span;
  }

  /** Ends the span of the call that a `tool_result` block answers. Returns false if there is no such span. */
  close(block: WireObject): boolean {
    const id = String(block['tool_use_id']);
    const tool = this.#open.get(id);
    if (!tool) return false;
    this.#open.delete(id);
    const { span, name, startedAt } = tool;
    const { capture, measurements } = this.#given;
    const text = capture(textOf(block['content']));
    if (text !== undefined) span.setAttribute(ATTRIBUTE.toolResult, text);
    const isError = block['is_error'] === true;
    const message = text ?? `The tool ${name} returned an error`;
    if (isError) failWith(span, { type: 'tool_error', message });
    measurements.tool(startedAt, {
      [ATTRIBUTE.toolName]: name,
      ...(isError && { [ATTRIBUTE.errorType]: 'tool_error' }),
    });
    span.end();
    return true;
  }

  /**
   * Ends the span of a call that was completed without a CLI. A call without a span gets one. `block` is the result that the
   * model was given.
   */
  complete(call: CompletedCall, block: WireObject | undefined): void {
    const { toolUseId, toolName, input, ranInput, how, by } = call;
    const { capture } = this.#given;
    const span = this.open(toolUseId, { name: toolName, input: capture(input) });
    span.setAttribute(ATTRIBUTE.completed, how);
    if (by !== undefined) span.setAttribute(ATTRIBUTE.completedBy, by);
    if (ranInput !== undefined) {
      span.setAttribute(ATTRIBUTE.completedEdited, true);
      const ran = capture(ranInput);
      if (ran !== undefined) span.setAttribute(ATTRIBUTE.toolArguments, ran);
    }
    if (block && this.close(block)) return;
    this.#open.delete(toolUseId);
    cutSpan(span, {
      type: 'outcome_unknown',
      message: `The outcome of the call of ${toolName} is not known`,
    });
  }

  /** Notes that the CLI has gone. The open calls may still be completed before another CLI is started. */
  hold(failure: Failure): void {
    const at = Date.now();
    for (const tool of this.#open.values()) tool.cut ??= { failure, at };
  }

  /** Ends the spans of calls whose CLI has gone. Another CLI is at work, so these calls will not be completed any more. */
  cutHeld(): void {
    for (const [id, { span, cut }] of this.#open) {
      if (!cut) continue;
      this.#open.delete(id);
      cutSpan(span, cut.failure, cut.at);
    }
  }

  /** Ends all open spans, because the session is over. */
  cut(failure: Failure): void {
    for (const { span, cut } of this.#open.values()) cutSpan(span, cut?.failure ?? failure, cut?.at);
    this.#open.clear();
  }
}
