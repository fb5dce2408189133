// The entry point for spans, which needs @opentelemetry/api.
import * as otel from 'inboard/otel';

export const names = Object.keys(otel);
