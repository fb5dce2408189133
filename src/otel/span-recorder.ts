// Turns the wire of one query into spans: the query, its turns, the model's answers, tool calls and permission waits.
// It only observes: a query behaves the same with and without it.
import {
  context,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { isRecord, parseRecord } from '../util/guards.js';
import { withoutUndefined } from '../util/without-undefined.js';
import type { WireObject } from '../wire/protocol/codec.js';
import { blocksOf, bodyOf, textOf } from '../wire/protocol/messages/message-content.js';
import { ATTRIBUTE, OPERATION, PROVIDER, readUsage, SPAN } from './attributes.js';
import { cutSpan, failSpan } from './end-span.js';

export interface SpanRecorderOptions {
  tracer: Tracer;
  /** The caller's context: its active span is the parent of the query's. */
  parent: Context;
  /** Whether prompts, answers, arguments and results are written into spans. */
  captureContent: boolean;
  agentName: string;
}

interface Turn {
  span: Span;
  context: Context;
}

interface OpenPermission {
  span: Span;
  toolUseId: string | undefined;
}

/** One per query. */
export class SpanRecorder {
  /** The query's own context, for whatever is started on its behalf. */
  readonly context: Context;
  readonly #given: SpanRecorderOptions;
  readonly #query: Span;
  readonly #tools = new Map<string, Span>();
  readonly #permissions = new Map<string, OpenPermission>();
  #turn: Turn | undefined;
  #turns = 0;
  #chat: { span: Span; id: string | undefined } | undefined;
  #isOver = false;

  constructor(given: SpanRecorderOptions) {
    this.#given = given;
    this.#query = given.tracer.startSpan(
      `${OPERATION.agent} ${given.agentName}`,
      {
        attributes: {
          [ATTRIBUTE.operation]: OPERATION.agent,
          [ATTRIBUTE.provider]: PROVIDER,
          [ATTRIBUTE.agentName]: given.agentName,
        },
      },
      given.parent,
    );
    this.context = trace.setSpan(given.parent, this.#query);
  }

  /** One line of the wire. */
  hear(direction: 'in' | 'out', line: string): void {
    if (this.#isOver) return;
    const frame = parseRecord(line);
    if (!frame) return;
    if (direction === 'out') this.#observeHost(frame);
    else this.#observeCli(frame);
  }

  /** Runs something inside the span of a tool call. */
  inToolCall<T>(toolUseId: string | undefined, toolName: string, run: () => T): T {
    const span = toolUseId === undefined ? undefined : this.#openTool(toolUseId, { name: toolName });
    return context.with(span ? trace.setSpan(this.context, span) : this.context, run);
  }

  /** The query is over: open spans end with it. */
  end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { span } of this.#permissions.values()) cutSpan(span);
    for (const span of this.#tools.values()) cutSpan(span);
    if (this.#chat) cutSpan(this.#chat.span);
    if (this.#turn) cutSpan(this.#turn.span);
    if (error !== undefined) failSpan(this.#query, error);
    this.#query.end();
  }

  #observeHost(frame: WireObject): void {
    if (frame['type'] === 'user') this.#beginTurn(frame);
    else if (frame['type'] === 'control_response') this.#answerPermission(frame['response']);
  }

  #observeCli(frame: WireObject): void {
    switch (frame['type']) {
      case 'system':
        if (frame['subtype'] === 'init') this.#readInit(frame);
        return;
      case 'assistant':
        this.#readAssistant(frame);
        return;
      case 'user':
        this.#readToolResults(frame);
        return;
      case 'result':
        this.#endTurn(frame);
        return;
      case 'control_request':
        this.#askPermission(frame);
        return;
      case 'control_cancel_request':
        this.#closePermission(String(frame['request_id']), 'withdrawn');
    }
  }

  #beginTurn(frame: WireObject): void {
    // A message written while a turn runs joins it, or starts one of its own when that one has ended.
    if (this.#turn) return;
    this.#turns += 1;
    const prompt = this.#capture(textOf(bodyOf(frame)['content']));
    const attributes = { [ATTRIBUTE.turn]: this.#turns, [ATTRIBUTE.prompt]: prompt };
    const span = this.#start(SPAN.turn, attributes, this.context);
    this.#turn = { span, context: trace.setSpan(this.context, span) };
    this.#beginChat();
  }

  #readInit(frame: WireObject): void {
    if (typeof frame['session_id'] === 'string')
      this.#query.setAttribute(ATTRIBUTE.conversation, frame['session_id']);
    if (typeof frame['model'] === 'string') this.#query.setAttribute(ATTRIBUTE.requestModel, frame['model']);
    // The CLI has begun a turn by itself, or one for a message that came while another ran.
    if (!this.#turn) this.#beginTurn({});
  }

  /** The wait for the model begins with the turn and after each round of tool results. */
  #beginChat(): void {
    if (this.#chat || !this.#turn) return;
    const attributes = { [ATTRIBUTE.operation]: OPERATION.chat, [ATTRIBUTE.provider]: PROVIDER };
    this.#chat = { span: this.#start(OPERATION.chat, attributes, this.#turn.context), id: undefined };
  }

  #readAssistant(frame: WireObject): void {
    const body = bodyOf(frame);
    const parent = frame['parent_tool_use_id'];
    if (typeof parent !== 'string' && body['model'] !== '<synthetic>') this.#readAnswer(body);
    for (const block of blocksOf(frame)) {
      if (block['type'] !== 'tool_use') continue;
      this.#openTool(String(block['id']), {
        name: String(block['name']),
        input: block['input'],
        parent: typeof parent === 'string' ? parent : undefined,
      });
    }
  }

  /** One answer of the model comes in several lines; the last one ends it. */
  #readAnswer(body: WireObject): void {
    const id = typeof body['id'] === 'string' ? body['id'] : undefined;
    if (this.#chat?.id !== undefined && this.#chat.id !== id) this.#endChat();
    this.#beginChat();
    if (!this.#chat) return;
    this.#chat.id = id;
    const { span } = this.#chat;
    if (id !== undefined) span.setAttribute(ATTRIBUTE.responseId, id);
    if (typeof body['model'] === 'string') {
      span.updateName(`${OPERATION.chat} ${body['model']}`);
      span.setAttribute(ATTRIBUTE.responseModel, body['model']);
    }
    span.setAttributes(readUsage(body['usage']));
  }

  #endChat(): void {
    this.#chat?.span.end();
    this.#chat = undefined;
  }

  #openTool(id: string, facts: { name: string; input?: unknown; parent?: string | undefined }): Span {
    const known = this.#tools.get(id);
    if (known) return known;
    const parent = facts.parent === undefined ? undefined : this.#tools.get(facts.parent);
    const within = parent ? trace.setSpan(this.context, parent) : (this.#turn?.context ?? this.context);
    const span = this.#start(
      `${OPERATION.tool} ${facts.name}`,
      {
        [ATTRIBUTE.operation]: OPERATION.tool,
        [ATTRIBUTE.toolName]: facts.name,
        [ATTRIBUTE.toolType]: facts.name.startsWith('mcp__') ? 'extension' : 'function',
        [ATTRIBUTE.toolCallId]: id,
        [ATTRIBUTE.parentToolCallId]: facts.parent,
        [ATTRIBUTE.toolArguments]: this.#capture(facts.input),
      },
      within,
    );
    this.#tools.set(id, span);
    return span;
  }

  #readToolResults(frame: WireObject): void {
    for (const block of blocksOf(frame)) {
      if (block['type'] !== 'tool_result') continue;
      const id = String(block['tool_use_id']);
      const span = this.#tools.get(id);
      if (!span) continue;
      this.#tools.delete(id);
      const text = textOf(block['content']);
      if (this.#given.captureContent) span.setAttribute(ATTRIBUTE.toolResult, text);
      if (block['is_error'] === true) {
        span.setAttribute(ATTRIBUTE.errorType, 'tool_error');
        const status = { code: SpanStatusCode.ERROR };
        span.setStatus(this.#given.captureContent ? { ...status, message: text } : status);
      }
      span.end();
      if (typeof frame['parent_tool_use_id'] !== 'string') {
        this.#endChat();
        this.#beginChat();
      }
    }
  }

  #askPermission(frame: WireObject): void {
    const request = isRecord(frame['request']) ? frame['request'] : {};
    if (request['subtype'] !== 'can_use_tool') return;
    const name = String(request['tool_name']);
    const toolUseId = typeof request['tool_use_id'] === 'string' ? request['tool_use_id'] : undefined;
    const tool = toolUseId === undefined ? undefined : this.#openTool(toolUseId, { name });
    const within = tool ? trace.setSpan(this.context, tool) : (this.#turn?.context ?? this.context);
    const attributes = { [ATTRIBUTE.toolName]: name, [ATTRIBUTE.toolCallId]: toolUseId };
    const span = this.#start(`${SPAN.permission} ${name}`, attributes, within);
    this.#permissions.set(String(frame['request_id']), { span, toolUseId });
  }

  #answerPermission(response: unknown): void {
    if (!isRecord(response)) return;
    const answer = isRecord(response['response']) ? response['response'] : {};
    const decision = response['subtype'] === 'success' ? answer['behavior'] : 'failed';
    this.#closePermission(String(response['request_id']), String(decision));
  }

  #closePermission(id: string, decision: string): void {
    const permission = this.#permissions.get(id);
    if (!permission) return;
    this.#permissions.delete(id);
    permission.span.setAttribute(ATTRIBUTE.decision, decision);
    permission.span.end();
  }

  #endTurn(frame: WireObject): void {
    this.#endChat();
    const { span } = this.#turn ?? {};
    const cost = frame['total_cost_usd'];
    const facts: Attributes = {
      ...readUsage(frame['usage']),
      [ATTRIBUTE.apiRequests]: typeof frame['num_turns'] === 'number' ? frame['num_turns'] : undefined,
      [ATTRIBUTE.answer]: typeof frame['result'] === 'string' ? this.#capture(frame['result']) : undefined,
    };
    span?.setAttributes(withoutUndefined(facts));
    if (typeof cost === 'number') this.#query.setAttribute(ATTRIBUTE.costUsd, cost);
    if (frame['is_error'] === true) {
      const type = String(frame['subtype']);
      for (const each of [span, this.#query]) {
        each?.setAttribute(ATTRIBUTE.errorType, type);
        each?.setStatus({ code: SpanStatusCode.ERROR });
      }
    }
    span?.end();
    this.#turn = undefined;
  }

  #start(name: string, attributes: Attributes, within: Context): Span {
    return this.#given.tracer.startSpan(name, { attributes: withoutUndefined(attributes) }, within);
  }

  /** Content as text, where it may be written into spans. */
  #capture(content: unknown): string | undefined {
    if (!this.#given.captureContent) return undefined;
    return typeof content === 'string' ? content : JSON.stringify(content);
  }
}
