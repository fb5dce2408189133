// Ends spans that fail or are cut off. The texts of errors go through the redactor, because they may quote a tool or the CLI,
// and more people read a backend for spans than a terminal.
import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { outcomeOf } from '@inboard/core/live/output/outcome.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { SDKResultMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { ATTRIBUTE } from './attributes.js';

/** Why something failed: a short type, and a sentence. It quotes the result of a tool only if content is captured. */
export interface Failure {
  type: string;
  message: string;
}

/** Marks a span as failed. The caller ends the span. */
export function failWith(span: Span, { type, message }: Failure): void {
  span.setAttribute(ATTRIBUTE.errorType, type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/**
 * Ends a span whose own end was not seen, because its session or CLI was over first. `at` is the time of the end, in
 * milliseconds since 1970.
 */
export function cutSpan(span: Span, failure: Failure, at?: number): void {
  failWith(span, failure);
  span.end(at);
}

/** Records an error on a span, without secrets. The caller ends the span. */
export function failSpan(span: Span, error: unknown, redactor: Redactor): void {
  const failure = failureOf(error, redactor);
  const stack =
    error instanceof Error && error.stack !== undefined ? redactor.redactText(error.stack) : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  span.recordException(withoutUndefined({ name, code: failure.type, message: failure.message, stack }));
  failWith(span, failure);
}

/** Why a turn failed. The text comes from the CLI, not from the model. */
export function failureOfResult(frame: WireObject, redactor: Redactor): Failure {
  const { kind, reason, text } = outcomeOf(frame as unknown as SDKResultMessage);
  const type = String(frame['subtype']);
  const message = redactor.redactText(text) || `The turn ended as ${kind} (${reason})`;
  return { type: type === 'success' ? kind : type, message };
}

/** Turns an error into a failure without secrets. */
export function failureOf(error: unknown, redactor: Redactor): Failure {
  const cause = error instanceof Error ? error : new Error(messageOf(error));
  const { code } = cause as { code?: unknown };
  return { type: typeof code === 'string' ? code : cause.name, message: redactor.redactText(cause.message) };
}
