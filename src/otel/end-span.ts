// How spans end that do not end on their own.
import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { ATTRIBUTE } from './attributes.js';

/** Ends a span whose end was not seen because the query was over first. */
export function cutSpan(span: Span): void {
  span.setAttribute(ATTRIBUTE.errorType, 'session_ended');
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'The session ended first' });
  span.end();
}

/** Records an error on a span; its owner ends it. */
export function failSpan(span: Span, error: unknown): void {
  const cause = error instanceof Error ? error : new Error(String(error));
  const { code } = cause as { code?: unknown };
  span.recordException(cause);
  span.setAttribute(ATTRIBUTE.errorType, typeof code === 'string' ? code : cause.name);
  span.setStatus({ code: SpanStatusCode.ERROR, message: cause.message });
}
