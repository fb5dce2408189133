// The spans of tool calls, from the model's call to its result.
import type { Attributes, Span } from '@opentelemetry/api';
import type { WireObject } from '../wire/protocol/codec.js';
import { textOf } from '../wire/protocol/messages/message-content.js';
import { ATTRIBUTE, OPERATION } from './attributes.js';
import { cutSpan, failWith, type Failure } from './end-span.js';
import type { Measurements } from './measurements.js';

interface OpenTool {
  span: Span;
  name: string;
  startedAt: number;
}

/** What is known of a call when it is first heard of. */
export interface ToolFacts {
  name: string;
  /** The arguments, where they may be written down. */
  input?: string | undefined;
  /** The call that started the subagent this one is made in. */
  parent?: string | undefined;
}

export interface ToolSpansOptions {
  measurements: Measurements;
  /** Content as text without secrets, where it may be written down. */
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

  /** The span of a call, which begins now unless it has begun already. */
  open(id: string, { name, input, parent }: ToolFacts): Span {
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

  /** Ends the span of the call that a `tool_result` block answers; false when there is none. */
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

  /** The CLI is gone. */
  cut(failure: Failure): void {
    for (const { span } of this.#open.values()) cutSpan(span, failure);
    this.#open.clear();
  }
}
