// Writes and reads a span's context as one text, in the form of the header `traceparent`. The journal keeps it beside a
// message. The program's own propagator is not used, because it may write other headers, and two programs may have
// different ones.
import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

const FORM = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.{0,512})?$/;

/** Writes a span's context as a text. Undefined for a span that belongs to no trace. */
export function formatTraceParent(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 0xff).toString(16).padStart(2, '0')}`;
}

/** Reads the span context from a text. Undefined for a text that does not have this form. */
export function parseTraceParent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (text?.startsWith('ff')) return undefined;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}
