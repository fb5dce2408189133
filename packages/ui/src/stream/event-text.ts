// Encodes chunks as server-sent events.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { UiChunk } from './ui-chunk.js';
import type { WebStream } from './web-stream.js';

/** The event after the last chunk. */
const LAST_EVENT = 'data: [DONE]\n\n';

/** A comment line, which readers ignore. */
export const KEEP_ALIVE = ': \n\n';

/**
 * Encodes one chunk. Its JSON has no line break, which would end the event. Inputs may be nested deeper than `JSON.stringify`
 * supports.
 */
export function encodeChunk(chunk: UiChunk): string {
  return `data: ${stringifyDeep(chunk) as string}\n\n`;
}

/** The response of a stream of events. */
export function respondWithEvents(
  events: WebStream<string>,
  { status = 200, headers }: UiResponseInit = {},
): Response {
  const encoder = new TextEncoder();
  const bytes = new TransformStream<string, Uint8Array>(
    {
      transform: (event, controller) => controller.enqueue(encoder.encode(event)),
      flush: (controller) => controller.enqueue(encoder.encode(LAST_EVENT)),
    },
    undefined,
    { highWaterMark: 0 },
  );
  return new Response(events.pipeThrough(bytes), { status, headers: { ...headers, ...STREAM_HEADERS } });
}

/** Status and headers of the response. */
export interface UiResponseInit {
  status?: number | undefined;
  /** Added to the headers of the stream, but cannot override them. */
  headers?: Record<string, string> | undefined;
}

const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
  // Asks proxies like nginx not to collect the answer before they pass it on.
  'x-accel-buffering': 'no',
};
