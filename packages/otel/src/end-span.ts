// How spans end that do not end on their own. Texts of errors go through the redactor: they may quote what a tool or the
// CLI said, and a backend for spans is read by more people than a terminal.
import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { outcomeOf } from '@inboard/core/live/output/outcome.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { SDKResultMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { ATTRIBUTE } from './attributes.js';

/** Why something failed: in a word, and in a sentence. Content of a call is in it only where content is captured. */
export interface Failure {
  type: string;
  message: string;
}

/** Marks a span as failed; its owner ends it. */
export function failWith(span: Span, { type, message }: Failure): void {
  span.setAttribute(ATTRIBUTE.errorType, type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Ends a span whose own end was not seen, because its session or CLI was over first; `at` is when, in milliseconds since the epoch. */
export function cutSpan(span: Span, failure: Failure, at?: number): void {
  failWith(span, failure);
  span.end(at);
}

/** Records an error on a span, without secrets; its owner ends it. */
export function failSpan(span: Span, error: unknown, redactor: Redactor): void {
  const failure = failureOf(error, redactor);
  const stack =
    error instanceof Error && error.stack !== undefined ? redactor.redactText(error.stack) : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  span.recordException(withoutUndefined({ name, code: failure.type, message: failure.message, stack }));
  failWith(span, failure);
}

/** Why a turn failed; the text is the CLI's, not the model's. */
export function failureOfResult(frame: WireObject, redactor: Redactor): Failure {
  const { kind, reason, text } = outcomeOf(frame as unknown as SDKResultMessage);
  const type = String(frame['subtype']);
  const message = redactor.redactText(text) || `The turn ended as ${kind} (${reason})`;
  return { type: type === 'success' ? kind : type, message };
}

/** The failure that an error stands for, without secrets. */
export function failureOf(error: unknown, redactor: Redactor): Failure {
  const cause = error instanceof Error ? error : new Error(messageOf(error));
  const { code } = cause as { code?: unknown };
  return { type: typeof code === 'string' ? code : cause.name, message: redactor.redactText(cause.message) };
}
