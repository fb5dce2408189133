// Finds what took time: tool calls, permission questions, hooks, other requests, and the answers of the model.
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { previewText } from './frame-description.js';
import { readWireAnswer, readWireQuestion } from './wire-question.js';

/** Something with a beginning and an end. */
export interface TimelineSpan {
  /**
   * `tool` is a tool call, from the model's message to the result. `handler` is the part of such a call in which a tool
   * of the program runs.
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
    // The main conversation does not wait for the messages of a subagent.
    const isMain = frame['parent_tool_use_id'] === null || frame['parent_tool_use_id'] === undefined;
    if (type === 'assistant') {
      if (isMain) this.#endModel(row);
      for (const block of blocksOf(frame)) {
        if (block['type'] !== 'tool_use' || typeof block['id'] !== 'string') continue;
        this.#tools.set(block['id'], {
          ...startOf(row),
          kind: 'tool',
          name: previewText(block['name']),
          toolUseId: block['id'],
        });
      }
    }
    if (type === 'user') {
      for (const block of blocksOf(frame)) {
        const id = previewText(block['tool_use_id']);
        if (block['type'] !== 'tool_result') continue;
        this.#close(this.#tools.get(id), row);
        this.#tools.delete(id);
      }
      // The model works next after a message of the user, unless a call still has no result.
      if (isMain && this.#tools.size === 0)
        this.#model ??= { ...startOf(row), kind: 'model', name: 'model', toolUseId: undefined };
    }
    // Before `init` the CLI was still starting, so the model's time begins here.
    if (frame['subtype'] === 'init' && this.#model) Object.assign(this.#model, startOf(row));
    if (type === 'result') this.#endModel(row);
  }

  #endModel(row: SpanPoint): void {
    this.#close(this.#model, row);
    this.#model = undefined;
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
