// Turns the messages of one answer into chunks. The chunks are well-formed, whatever messages come and in whatever order. Parts
// are opened before they grow and closed before the end, calls are known before they have results, and the end comes once.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, bodyOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { SDKMessage, SDKResultMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { measuredOutcomeOf, runErrorOf, type Outcome } from '@inboard/core/live/output/outcome.js';
import { TurnMeter } from '@inboard/core/record/usage/turn-meter.js';
import { AbortError } from '@inboard/core/errors.js';
import { metadataOf } from './answer-metadata.js';
import { describeStreamError, safeErrorText } from './error-text.js';
import { isCall, ModelMessage, type AnswerParts } from './model-message.js';
import { Sources } from './sources.js';
import { Subagents } from './subagents.js';
import { TextParts } from './text-parts.js';
import { ToolCalls } from './tool-calls.js';
import type { UiChunk, UiFinishReason, UiMetadata } from './ui-chunk.js';
import type { UiStreamOptions } from './ui-stream-options.js';

const FINISH_REASONS: Readonly<Record<string, UiFinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
  tool_use: 'tool-calls',
};

/** One answer, from `start` to its end. */
export class AnswerTranslator {
  readonly calls: ToolCalls;
  readonly #emit: (chunk: UiChunk) => void;
  readonly #options: UiStreamOptions;
  readonly #texts: TextParts;
  readonly #parts: AnswerParts;
  readonly #subagents = new Subagents();
  readonly #meter = new TurnMeter();
  #message: ModelMessage | undefined;
  #isInStep = false;
  #metadata: UiMetadata = {};
  #outcome: Outcome | undefined;
  #isOver = false;

  constructor(emit: (chunk: UiChunk) => void, options: UiStreamOptions = {}) {
    this.#emit = emit;
    this.#options = options;
    this.#texts = new TextParts(emit);
    this.calls = new ToolCalls(emit);
    this.#parts = {
      texts: this.#texts,
      calls: this.calls,
      sources: new Sources(emit),
      sendsReasoning: options.reasoning ?? true,
    };
  }

  /** Whether a part is being written. If the stream ended now, another stream could not go on with that part. */
  get isWriting(): boolean {
    return this.#texts.isOpen || this.calls.isStreaming;
  }

  start(messageId?: string): void {
    this.#emit({ type: 'start', ...(messageId !== undefined && { messageId }) });
  }

  take(message: SDKMessage): void {
    if (this.#isOver) return;
    const wire = message as unknown as WireObject;
    const parent = wire['parent_tool_use_id'];
    if (typeof parent === 'string') this.#takeSubagent(wire, parent);
    else if (wire['type'] === 'stream_event') this.#takeEvent(wire);
    else if (wire['type'] === 'assistant') this.#takeAssistant(wire);
    else if (wire['type'] === 'user') this.#takeResults(wire);
    else if (wire['type'] === 'system') this.#takeSystem(wire);
    else if (message.type === 'result') this.#takeResult(message);
  }

  /**
   * Takes the outcome from the sender of the turn. The sender knows the cost of this answer alone, even if the session had
   * answers before.
   */
  measure(outcome: Outcome): void {
    this.#outcome = outcome;
  }

  /** Sends the last chunks, because there are no more messages. */
  end(): void {
    if (this.#isOver) return;
    const outcome = this.#outcome;
    // A session that was closed in the middle of an answer ends without a result.
    if (!outcome) return this.fail(new AbortError('The answer has no result'));
    if (!outcome.ok) return this.fail(runErrorOf('turn', outcome));
    if (!this.#texts.hasText && this.calls.size === 0 && outcome.text !== '')
      this.#texts.whole('text', outcome.text);
    const { deferred_tool_use: deferred } = outcome.raw as unknown as WireObject;
    this.#close('The call has no result.', new Set(isRecord(deferred) ? [String(deferred['id'])] : []));
    if (outcome.structuredOutput !== undefined)
      this.#emit({ type: 'data-output', data: outcome.structuredOutput });
    const messageMetadata = this.#finalMetadata();
    this.#emit({
      type: 'finish',
      finishReason: FINISH_REASONS[String(outcome.raw.stop_reason ?? this.#message?.stopReason)] ?? 'stop',
      ...(messageMetadata !== undefined && { messageMetadata }),
    });
  }

  /** Sends the last chunks of an answer that failed or was stopped. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    const outcome = this.#outcome;
    const isStopped = error instanceof AbortError || outcome?.kind === 'interrupted';
    this.#close(isStopped ? 'Stopped.' : 'The call has no result.');
    const messageMetadata = this.#finalMetadata();
    if (messageMetadata !== undefined) this.#emit({ type: 'message-metadata', messageMetadata });
    if (isStopped) this.#emit({ type: 'abort', reason: safeErrorText(new AbortError()) });
    else {
      // After a failed result, a query also throws an error. The result says more.
      const cause = outcome && !outcome.ok ? runErrorOf('turn', outcome) : error;
      this.#emit({ type: 'error', errorText: describeStreamError(cause, this.#options.onError) });
    }
  }

  /**
   * Sends the last chunks of an answer that another process goes on with. Its calls stay as they are. `isWaiting` says whether
   * people are asked.
   */
  leave(error: unknown, isWaiting: boolean): void {
    if (this.#isOver) return;
    this.#endParts();
    if (isWaiting) this.#emit({ type: 'finish', finishReason: 'tool-calls' });
    else this.#emit({ type: 'error', errorText: describeStreamError(error, this.#options.onError) });
  }

  #close(callText: string, except?: ReadonlySet<string>): void {
    this.#endParts(() => this.calls.close(callText, except));
  }

  #endParts(endCalls: () => void = () => {}): void {
    this.#isOver = true;
    this.#texts.closeAll();
    endCalls();
    if (this.#isInStep) this.#emit({ type: 'finish-step' });
  }

  #finalMetadata(): unknown {
    return metadataOf({ ...this.#metadata }, this.#outcome, this.#options.metadata);
  }

  #takeEvent({ event, abandoned_blocks: abandoned }: WireObject): void {
    if (!isRecord(event)) return;
    if (event['type'] !== 'message_start') {
      this.#message?.stream(event);
      // The CLI marks the end of a broken message that it gives up. A step can only be taken back whole. So the message is
      // taken back only if the CLI keeps none of its blocks.
      if (this.#message && isRecord(abandoned) && abandoned['from_block_index'] === 0)
        this.#message.isWhole = false;
      return;
    }
    const id = isRecord(event['message']) ? event['message']['id'] : undefined;
    if (this.#message?.isWhole === false) this.#takeBack(this.#message);
    else this.#nextStep();
    this.#message = new ModelMessage(id, this.#parts, false);
  }

  /** Takes back a message that broke off. The CLI has asked the model again. */
  #takeBack(message: ModelMessage): void {
    if (!message.isVisible) return;
    message.close();
    this.calls.forget(message);
    this.#emit({ type: 'reset-step' });
  }

  #takeAssistant(wire: WireObject): void {
    // The CLI wrote this message in the model's place, for example because the API failed. The result reports the failure.
    if (wire['error'] !== undefined || bodyOf(wire)['model'] === '<synthetic>') return;
    const { id } = bodyOf(wire);
    if (!this.#message || this.#message.id !== id) {
      this.#nextStep();
      this.#message = new ModelMessage(id, this.#parts, true);
    }
    for (const block of blocksOf(wire)) this.#message.take(block);
  }

  #takeResults(wire: WireObject): void {
    const completed = completedOf(wire);
    if (completed) {
      // An answer that is continued after another process was cut off begins with completed calls.
      if (!this.#isInStep) this.#nextStep();
      this.calls.complete(completed);
    }
    for (const block of blocksOf(wire)) {
      if (block['type'] === 'tool_result')
        this.calls.result(String(block['tool_use_id']), block['content'], block['is_error'] === true);
    }
  }

  #takeSubagent(wire: WireObject, parent: string): void {
    // The call of a subagent is known here only if a person was asked about it.
    if (wire['type'] === 'user') this.#takeResults(wire);
    if (wire['type'] !== 'assistant' || wire['error'] !== undefined) return;
    const root = this.#subagents.rootOf(parent);
    for (const block of blocksOf(wire)) {
      if (isCall(block)) this.#subagents.noteCall(String(block['id']), parent);
      if (this.#options.subagents === 'hide') continue;
      const line = isCall(block) ? `[${String(block['name'])}]` : block['type'] === 'text' && block['text'];
      if (typeof line === 'string' && line !== '')
        this.calls.preliminary(root, this.#subagents.add(root, line));
    }
  }

  #takeSystem(wire: WireObject): void {
    const { subtype, status, content } = wire;
    if (subtype === 'init') this.#noteSession(wire);
    else if (subtype === 'status' && status === 'compacting')
      this.#emit({ type: 'data-status', data: { status: 'compacting' }, transient: true });
    else if (subtype === 'compact_boundary')
      this.#emit({ type: 'data-status', data: { status: 'compacted' }, transient: true });
    else if (subtype === 'api_retry')
      this.#emit({ type: 'data-status', data: retryOf(wire), transient: true });
    else if (subtype === 'local_command_output' && typeof content === 'string')
      this.#texts.whole('text', content);
  }

  /** Sends the session and the model once for each answer, although the CLI may report them again. */
  #noteSession({ session_id: sessionId, model }: WireObject): void {
    const isKnown = this.#metadata.sessionId !== undefined;
    if (typeof sessionId === 'string') this.#metadata.sessionId = sessionId;
    if (typeof model === 'string') this.#metadata.model = model;
    const messageMetadata = isKnown
      ? undefined
      : metadataOf({ ...this.#metadata }, undefined, this.#options.metadata);
    if (messageMetadata !== undefined) this.#emit({ type: 'message-metadata', messageMetadata });
  }

  #takeResult(result: SDKResultMessage): void {
    this.#outcome = measuredOutcomeOf(result, this.#meter.measure(result));
  }

  #nextStep(): void {
    this.#texts.closeAll();
    if (this.#isInStep) this.#emit({ type: 'finish-step' });
    this.#isInStep = true;
    this.#emit({ type: 'start-step' });
  }
}

function retryOf({ attempt, max_retries: most, retry_delay_ms: delay }: WireObject): {
  status: 'retrying';
  attempt: number;
  maxRetries: number;
  delayMs: number;
} {
  return {
    status: 'retrying',
    attempt: Number(attempt) || 0,
    maxRetries: Number(most) || 0,
    delayMs: Number(delay) || 0,
  };
}
