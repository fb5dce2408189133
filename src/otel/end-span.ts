// How spans end that do not end on their own.
import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { messageOf } from '../util/message-of.js';
import { outcomeOf } from '../live/output/outcome.js';
import type { WireObject } from '../wire/protocol/codec.js';
import type { SDKResultMessage } from '../wire/protocol/messages/messages.js';
import { ATTRIBUTE } from './attributes.js';

/** Why something failed, in a word and in a sentence without anybody's content. */
export interface Failure {
  type: string;
  message: string;
}

/** Marks a span as failed; its owner ends it. */
export function failWith(span: Span, { type, message }: Failure): void {
  span.setAttribute(ATTRIBUTE.errorType, type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Ends a span whose own end was not seen, because its session or CLI was over first. */
export function cutSpan(span: Span, failure: Failure): void {
  failWith(span, failure);
  span.end();
}

/** Records an error on a span; its owner ends it. */
export function failSpan(span: Span, error: unknown): void {
  span.recordException(error instanceof Error ? error : messageOf(error));
  failWith(span, failureOf(error));
}

/** Why a turn failed; the text is the CLI's, not the model's. */
export function failureOfResult(frame: WireObject): Failure {
  const { kind, reason, text } = outcomeOf(frame as unknown as SDKResultMessage);
  const type = String(frame['subtype']);
  return { type: type === 'success' ? kind : type, message: text || `The turn ended as ${kind} (${reason})` };
}

/** The failure that an error stands for. */
export function failureOf(error: unknown): Failure {
  const cause = error instanceof Error ? error : new Error(messageOf(error));
  const { code } = cause as { code?: unknown };
  return { type: typeof code === 'string' ? code : cause.name, message: cause.message };
}
