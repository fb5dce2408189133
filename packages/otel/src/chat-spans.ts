// Keeps the spans of the model's answers. An `assistant` line of the CLI has the output count of the moment when the answer
// began, so the final counts are taken from the streamed events. Without those events, a turn with one answer takes its counts
// from the result.
import type { Attributes, Span } from '@opentelemetry/api';
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { ATTRIBUTE, OPERATION, PROVIDER, readUsage } from './attributes.js';
import { failWith, type Failure } from './end-span.js';
import type { Measurements } from './measurements.js';

interface Chat {
  span: Span;
  startedAt: number;
  id: string | undefined;
  model: string | undefined;
  usage: Attributes;
  isStreamed: boolean;
}

/** The answers of one session's main loop, one after another. */
export class ChatSpans {
  readonly #start: (attributes: Attributes) => Span;
  readonly #measurements: Measurements;
  #open: Chat | undefined;
  #answers = 0;

  constructor(measurements: Measurements, start: (attributes: Attributes) => Span) {
    this.#measurements = measurements;
    this.#start = start;
  }

  /** Starts the span of the first answer of a turn. */
  beginTurn(): void {
    this.#answers = 0;
    this.expect();
  }

  /** Starts the span of the next answer, unless one is already being waited for. */
  expect(): void {
    if (this.#open?.id !== undefined) this.end();
    if (this.#open) return;
    const span = this.#start({ [ATTRIBUTE.operation]: OPERATION.chat, [ATTRIBUTE.provider]: PROVIDER });
    this.#open = {
      span,
      startedAt: performance.now(),
      id: undefined,
      model: undefined,
      usage: {},
      isStreamed: false,
    };
  }

  /** Takes a line of an answer. One answer comes in several lines. */
  readLine(body: WireObject): void {
    const chat = this.#identify(body);
    // All of these counts are final, except the output count.
    if (!chat.isStreamed) chat.usage = { ...readUsage(body['usage']), [ATTRIBUTE.outputTokens]: undefined };
  }

  readEvent(event: WireObject): void {
    if (event['type'] === 'message_start' && isRecord(event['message'])) {
      const chat = this.#identify(event['message']);
      chat.isStreamed = true;
      chat.usage = readUsage(event['message']['usage']);
    } else if (event['type'] === 'message_delta' && this.#open) {
      Object.assign(this.#open.usage, readUsage(event['usage']));
    } else if (event['type'] === 'message_stop' && this.#open?.isStreamed) this.end();
  }

  /** Ends the open span with its turn. If the turn failed before an answer came, the span fails too. */
  endTurn(result: WireObject, failure: Failure | undefined): void {
    const chat = this.#open;
    if (!chat) return;
    if (chat.id === undefined) {
      if (failure) this.end(failure);
      else {
        chat.span.end();
        this.#open = undefined;
      }
      return;
    }
    if (!chat.isStreamed && this.#answers === 1) chat.usage = readUsage(result['usage']);
    this.end();
  }

  /** Ends the open span. The answer is complete, or will not come. */
  end(failure?: Failure): void {
    const chat = this.#open;
    if (!chat) return;
    this.#open = undefined;
    const { span, usage, model, startedAt } = chat;
    for (const [name, value] of Object.entries(usage))
      if (value !== undefined) span.setAttribute(name, value);
    if (failure) failWith(span, failure);
    const facts = {
      ...(model !== undefined && { [ATTRIBUTE.responseModel]: model }),
      ...(failure && { [ATTRIBUTE.errorType]: failure.type }),
    };
    this.#measurements.chat(startedAt, facts, usage);
    span.end();
  }

  #identify({ id, model }: WireObject): Chat {
    const known = typeof id === 'string' ? id : undefined;
    if (this.#open?.id !== undefined && this.#open.id !== known) this.end();
    if (!this.#open) this.expect();
    const chat = this.#open as Chat;
    if (chat.id === undefined) this.#answers += 1;
    chat.id = known;
    if (known !== undefined) chat.span.setAttribute(ATTRIBUTE.responseId, known);
    if (typeof model === 'string') {
      chat.model = model;
      chat.span.updateName(`${OPERATION.chat} ${model}`);
      chat.span.setAttribute(ATTRIBUTE.responseModel, model);
    }
    return chat;
  }
}
