// Keeps the spans of CLI starts. The program writes the handshake as soon as the CLI is started, and the CLI answers as soon as
// it is ready.
import type { Span } from '@opentelemetry/api';
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { cutSpan, failWith, type Failure } from './end-span.js';

/** The starts of one session's CLIs, one after another. */
export class StartSpans {
  readonly #start: () => Span;
  readonly #redactor: Redactor;
  #open: Span | undefined;
  /** The id of the current CLI's handshake. */
  #handshake: string | undefined;

  constructor(start: () => Span, redactor: Redactor) {
    this.#start = start;
    this.#redactor = redactor;
  }

  /** Begins the span of a start, unless it has begun already. */
  begin(): Span {
    return (this.#open ??= this.#start());
  }

  /** Takes a control request of the program. A second handshake comes from `reinitialize()`, and does not start the CLI. */
  readRequest({ request_id: id, request }: WireObject): void {
    if (this.#handshake !== undefined || !isRecord(request) || request['subtype'] !== 'initialize') return;
    this.#handshake = String(id);
    this.begin();
  }

  /** Takes an answer of the CLI. */
  readResponse({ response }: WireObject): void {
    const span = this.#open;
    if (!span || !isRecord(response) || response['request_id'] !== this.#handshake) return;
    this.#open = undefined;
    if (response['subtype'] === 'error')
      failWith(span, {
        type: 'handshake_refused',
        message: this.#redactor.redactText(String(response['error'])),
      });
    span.end();
  }

  /** Ends the open span, because the CLI has gone. */
  cut(failure: Failure): void {
    if (this.#open) cutSpan(this.#open, failure);
    this.#open = undefined;
    this.#handshake = undefined;
  }
}
