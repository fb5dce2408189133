// Turns the wire of one session into spans and metrics. Owns the span of the session. The spans below it have a file each:
// `start-spans`, `turn-spans`, `chat-spans`, `tool-spans`, `permission-spans`. The recorder only observes: a query behaves the
// same with and without it.
import {
  context,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Meter,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { warnOfCallback } from '@inboard/core/util/call-listener.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, bodyOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { TurnMeter } from '@inboard/core/record/usage/turn-meter.js';
import { ATTRIBUTE, OPERATION, PROVIDER, SPAN } from './attributes.js';
import { ChatSpans } from './chat-spans.js';
import { failSpan, failureOf, failureOfResult, failWith, type Failure } from './end-span.js';
import { Measurements } from './measurements.js';
import { PermissionSpans } from './permission-spans.js';
import { StartSpans } from './start-spans.js';
import { ToolSpans } from './tool-spans.js';
import { readResult, TurnSpans } from './turn-spans.js';

export interface SpanRecorderOptions {
  tracer: Tracer;
  meter: Meter;
  /** The context of the caller. Its active span is the parent of the query's span, or of the start of a warm CLI. */
  parent: Context;
  /**
   * Whether the CLI is started before there is a prompt. The span of the query then begins with the prompt, in the context that
   * sends the prompt.
   */
  isWarm?: boolean;
  /** Whether prompts, answers, arguments and results are written into spans. */
  captureContent: boolean;
  /** Takes the secrets out of every text that is written into spans. */
  redactor: Redactor;
  agentName: string;
  /** Returns the context of the turn that begins now. Set only if the turns of one session may come from several traces. */
  turnParent?: (() => Context | undefined) | undefined;
}

const SESSION_ENDED: Failure = { type: 'session_ended', message: 'The session ended first' };
const CLI_ENDED: Failure = { type: 'cli_ended', message: 'The CLI ended first' };

/** Records one session: a query, or a conversation with all its CLIs. */
export class SpanRecorder {
  /** The context for work on behalf of the session, outside its turns. */
  #context: Context;
  readonly #given: SpanRecorderOptions;
  #query: Span | undefined;
  readonly #turns: TurnSpans;
  readonly #chats: ChatSpans;
  readonly #tools: ToolSpans;
  readonly #meter = new TurnMeter();
  readonly #starts: StartSpans;
  readonly #permissions = new PermissionSpans((name, id) => this.#beginPermission(name, id));
  /** The failure of the last turn. */
  #failure: Failure | undefined;
  #isOver = false;

  constructor(given: SpanRecorderOptions) {
    this.#given = given;
    this.#context = given.parent;
    this.#starts = new StartSpans(() => this.#start(SPAN.start, {}, this.#context), given.redactor);
    if (given.isWarm) this.#context = trace.setSpan(given.parent, this.#starts.begin());
    else this.#beginQuery(given.parent);
    const measurements = new Measurements(given.meter);
    this.#turns = new TurnSpans({
      measurements,
      agentName: given.agentName,
      parent: given.turnParent,
      start: (attributes, within, links) => this.#start(SPAN.turn, attributes, within, links),
    });
    this.#chats = new ChatSpans(measurements, (attributes) =>
      this.#start(OPERATION.chat, attributes, this.#within),
    );
    this.#tools = new ToolSpans({
      measurements,
      capture: (content) => this.#capture(content),
      start: (name, attributes, parent) =>
        this.#start(name, attributes, parent ? trace.setSpan(this.#context, parent) : this.#within),
    });
  }

  /** The context for anything that is started on behalf of the session. */
  get context(): Context {
    return this.#context;
  }

  get #within(): Context {
    return this.#turns.context ?? this.#context;
  }

  /** Takes one line of the wire. */
  hear(direction: 'in' | 'out', line: string): void {
    if (this.#isOver) return;
    const frame = parseRecord(line);
    if (!frame) return;
    if (direction === 'out') this.#observeHost(frame);
    else this.#observeCli(frame);
  }

  /** Runs a function inside the span of a tool call. */
  inToolCall<T>(toolUseId: string | undefined, toolName: string, run: () => T): T {
    return context.with(this.#contextOf(toolUseId, toolName), run);
  }

  /** Ends all open spans, because the query is over. */
  end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const failure = error === undefined ? SESSION_ENDED : failureOf(error, this.#given.redactor);
    this.#permissions.cut(failure);
    this.#tools.cut(failure);
    this.#cutWork(failure);
    // A warm CLI may have ended without a query.
    if (!this.#query) return;
    if (error !== undefined) failSpan(this.#query, error, this.#given.redactor);
    else if (this.#failure) failWith(this.#query, this.#failure);
    this.#query.end();
  }

  /** Notes that a CLI has gone. The session may go on with another. */
  endCli(error: unknown): void {
    if (this.#isOver) return;
    const failure = error === undefined ? CLI_ENDED : failureOf(error, this.#given.redactor);
    // A CLI that was asked to leave in the middle of a turn does not make the session fail.
    if (error !== undefined && this.#turns.isOpen) this.#failure = failure;
    this.#permissions.cut(failure);
    // The calls are held open, because they may be completed before the next CLI is started.
    this.#tools.hold(failure);
    this.#cutWork(failure);
    this.#meter.startOver();
  }

  /** Takes the messages of calls that were completed while there was no CLI. */
  complete(messages: readonly object[]): void {
    if (this.#isOver) return;
    for (const message of messages as readonly WireObject[]) {
      const call = completedOf(message);
      if (call)
        this.#tools.complete(
          call,
          blocksOf(message).find(({ type }) => type === 'tool_result'),
        );
    }
  }

  /** The context of a tool call. A tracer that fails must not keep the tool from running. */
  #contextOf(toolUseId: string | undefined, name: string): Context {
    if (toolUseId === undefined) return this.#context;
    try {
      return trace.setSpan(this.#context, this.#tools.open(toolUseId, { name }));
    } catch (cause) {
      warnOfCallback('withTelemetry', cause);
      return this.#context;
    }
  }

  #cutWork(failure: Failure): void {
    this.#starts.cut(failure);
    this.#chats.end(failure);
    this.#turns.end({}, failure);
  }

  #beginQuery(parent: Context): void {
    const { tracer, agentName, isWarm } = this.#given;
    const start = isWarm ? trace.getSpanContext(this.#context) : undefined;
    this.#query = tracer.startSpan(
      `${OPERATION.agent} ${agentName}`,
      {
        attributes: {
          [ATTRIBUTE.operation]: OPERATION.agent,
          [ATTRIBUTE.provider]: PROVIDER,
          [ATTRIBUTE.agentName]: agentName,
        },
        ...(start && { links: [{ context: start }] }),
      },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#query);
  }

  #observeHost(frame: WireObject): void {
    if (frame['type'] === 'user') this.#beginTurn(frame);
    else if (frame['type'] === 'control_response') this.#permissions.readResponse(frame);
    else if (frame['type'] === 'control_request') this.#starts.readRequest(frame);
  }

  #observeCli(frame: WireObject): void {
    switch (frame['type']) {
      case 'system':
        if (frame['subtype'] === 'init') this.#readInit(frame);
        return;
      case 'assistant':
        this.#readAssistant(frame);
        return;
      case 'stream_event':
        if (isRecord(frame['event']) && typeof frame['parent_tool_use_id'] !== 'string')
          this.#chats.readEvent(frame['event']);
        return;
      case 'control_response':
        this.#starts.readResponse(frame);
        return;
      case 'user':
        this.#readToolResults(frame);
        return;
      case 'result':
        this.#endTurn(frame);
        return;
      case 'control_request':
        this.#permissions.readRequest(frame);
        return;
      case 'control_cancel_request':
        this.#permissions.close(String(frame['request_id']), 'withdrawn');
    }
  }

  #beginTurn(frame: WireObject): void {
    // A message that is sent during a turn joins that turn, or begins another turn after it. Neither needs a span now.
    if (this.#turns.isOpen) return;
    this.#tools.cutHeld();
    if (!this.#query) this.#beginQuery(context.active());
    const prompt = this.#capture(textOf(bodyOf(frame)['content']));
    this.#turns.begin(prompt, { span: this.#query, context: this.#context });
    this.#chats.beginTurn();
  }

  #readInit(frame: WireObject): void {
    if (typeof frame['session_id'] === 'string')
      this.#query?.setAttribute(ATTRIBUTE.conversation, frame['session_id']);
    if (typeof frame['model'] === 'string') {
      this.#turns.model = frame['model'];
      this.#query?.setAttribute(ATTRIBUTE.requestModel, frame['model']);
    }
    // The CLI has begun a turn by itself, or for a message that came while another turn ran.
    if (!this.#turns.isOpen) this.#beginTurn({});
  }

  #readAssistant(frame: WireObject): void {
    const body = bodyOf(frame);
    const parent = frame['parent_tool_use_id'];
    if (typeof parent !== 'string' && body['model'] !== '<synthetic>') this.#chats.readLine(body);
    for (const block of blocksOf(frame)) {
      if (block['type'] !== 'tool_use') continue;
      this.#tools.open(String(block['id']), {
        name: String(block['name']),
        input: this.#capture(block['input']),
        parent: typeof parent === 'string' ? parent : undefined,
      });
    }
  }

  #readToolResults(frame: WireObject): void {
    for (const block of blocksOf(frame)) {
      if (block['type'] !== 'tool_result' || !this.#tools.close(block)) continue;
      if (typeof frame['parent_tool_use_id'] !== 'string' && this.#turns.isOpen) this.#chats.expect();
    }
  }

  #beginPermission(name: string, toolUseId: string | undefined): Span {
    const tool = toolUseId === undefined ? undefined : this.#tools.open(toolUseId, { name });
    const within = tool ? trace.setSpan(this.#context, tool) : this.#within;
    const attributes = { [ATTRIBUTE.toolName]: name, [ATTRIBUTE.toolCallId]: toolUseId };
    return this.#start(`${SPAN.permission} ${name}`, attributes, within);
  }

  #endTurn(frame: WireObject): void {
    const failure = frame['is_error'] === true ? failureOfResult(frame, this.#given.redactor) : undefined;
    const spent = this.#meter.measure(frame);
    this.#failure = failure;
    this.#chats.endTurn(frame, failure);
    const total = frame['total_cost_usd'];
    if (typeof total === 'number') this.#query?.setAttribute(ATTRIBUTE.costUsd, total);
    const answer = typeof frame['result'] === 'string' ? this.#capture(frame['result']) : undefined;
    this.#turns.end({ ...readResult(frame, spent.costUsd), [ATTRIBUTE.answer]: answer }, failure);
  }

  #start(name: string, attributes: Attributes, within: Context, links: Link[] = []): Span {
    return this.#given.tracer.startSpan(name, { attributes: withoutUndefined(attributes), links }, within);
  }

  /** Turns content into text without secrets. Undefined if content is not captured. */
  #capture(content: unknown): string | undefined {
    const { captureContent, redactor } = this.#given;
    if (!captureContent) return undefined;
    return typeof content === 'string'
      ? redactor.redactText(content)
      : stringifyDeep(redactor.redactValue(content));
  }
}
