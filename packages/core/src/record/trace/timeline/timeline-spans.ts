// Finds what took time: tool calls, permission questions, hooks, other requests, and the waits for the model.
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { ShareName } from './activity.js';
import { previewText } from './frame-description.js';
import { readWireAnswer, readWireQuestion } from './wire-question.js';

/** Something with a beginning and an end. */
export interface TimelineSpan {
  /**
   * `tool` is a tool call, from the model's message to the result. `handler` is the part of such a call in which a tool
   * of the program runs. `model` is a stretch of time that counts for the model, so these spans add up to the model's
   * share.
   */
  kind: 'model' | 'tool' | 'handler' | 'permission' | 'hook' | 'request';
  name: string;
  /** Milliseconds since the start. */
  start: number;
  end: number;
  toolUseId: string | undefined;
  /** The number of its first row, and of its last row if there is one. */
  from: number;
  to: number | undefined;
  isError: boolean;
  /** Whether the span had not ended when the trace ended. */
  isOpen: boolean;
}

/** The part of a row that spans need. */
interface SpanPoint {
  index: number;
  t: number;
  direction: string;
  isError: boolean;
}

type OpenSpan = Omit<TimelineSpan, 'end' | 'to' | 'isOpen'>;

/** Collects the spans of a trace from its frames, which must come in order. */
export class SpanCollector {
  readonly #spans: TimelineSpan[] = [];
  readonly #questions = new Map<string, OpenSpan>();
  readonly #tools = new Map<string, OpenSpan>();
  #model: OpenSpan | undefined;

  observe(row: SpanPoint, frame: WireObject): void {
    const side = row.direction === 'cli-to-host' ? 'in' : 'out';
    const question = readWireQuestion(frame);
    if (question) {
      const { kind, name, requestId, toolUseId, mcp, subtype } = question;
      // A notification is acknowledged at once, so the time until then means nothing.
      if (mcp && mcp.message['id'] === undefined) return;
      this.#questions.set(`${side} ${requestId}`, {
        ...startOf(row),
        kind: kind === 'tool' ? 'handler' : kind === 'permission' || kind === 'hook' ? kind : 'request',
        name: mcp || kind !== 'other' ? name : subtype,
        toolUseId,
      });
      return;
    }
    const answer = readWireAnswer(frame);
    if (answer) {
      const key = `${side === 'in' ? 'out' : 'in'} ${answer.requestId}`;
      this.#close(this.#questions.get(key), row);
      this.#questions.delete(key);
      return;
    }
    this.#observeMessage(row, frame);
  }

  /** Takes the share that the time from this row on counts for. `t` is the time of that moment. */
  countFor(share: ShareName, row: SpanPoint, t: number): void {
    if (share === 'model') {
      this.#model ??= { ...startOf(row), start: t, kind: 'model', name: 'model', toolUseId: undefined };
    } else {
      // A stretch without length would only be a row without a time.
      if (this.#model && t > this.#model.start) this.#close(this.#model, { ...row, t });
      this.#model = undefined;
    }
  }

  /** All spans, sorted by their start. Spans that are still open end with the trace, at `t`. */
  finish(t: number): TimelineSpan[] {
    const open = [
      ...this.#questions.values(),
      ...this.#tools.values(),
      ...(this.#model ? [this.#model] : []),
    ];
    for (const span of open)
      this.#spans.push({ ...span, end: Math.max(span.start, t), to: undefined, isOpen: true });
    return this.#spans.sort((one, other) => one.start - other.start || one.from - other.from);
  }

  #observeMessage(row: SpanPoint, frame: WireObject): void {
    const { type } = frame;
    for (const block of type === 'assistant' || type === 'user' ? blocksOf(frame) : []) {
      if (type === 'assistant' && block['type'] === 'tool_use' && typeof block['id'] === 'string') {
        this.#tools.set(block['id'], {
          ...startOf(row),
          kind: 'tool',
          name: previewText(block['name']),
          toolUseId: block['id'],
        });
      }
      if (type === 'user' && block['type'] === 'tool_result') {
        const id = previewText(block['tool_use_id']);
        this.#close(this.#tools.get(id), row);
        this.#tools.delete(id);
      }
    }
  }

  #close(span: OpenSpan | undefined, row: SpanPoint): void {
    if (!span) return;
    // The end is never before the start, even if the times in the file say so.
    this.#spans.push({
      ...span,
      end: Math.max(span.start, row.t),
      to: row.index,
      isOpen: false,
      isError: row.isError,
    });
  }
}

function startOf({ t, index }: SpanPoint): Pick<OpenSpan, 'start' | 'from' | 'isError'> {
  return { start: t, from: index, isError: false };
}
