// A stream of chunks as a response of server-sent events, as the transport of `useChat` reads it.
import { stringifyDeep } from '../../util/deep-json.js';
import { toUiStream, type ToUiStreamOptions, type UiSource } from './to-ui-stream.js';
import type { UiChunk } from './ui-chunk.js';

/** Status and headers of the response. */
export interface UiResponseInit {
  status?: number | undefined;
  /** Added to those of the stream, which stay what they are. */
  headers?: Record<string, string> | undefined;
}

/** How an answer is sent. */
export interface ToUiResponseOptions extends ToUiStreamOptions, UiResponseInit {}

const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
  // Asks proxies like nginx not to collect the answer before they pass it on.
  'x-accel-buffering': 'no',
};

/** An answer as a response: an event for each chunk, then `[DONE]`. Works wherever a handler returns a `Response`. */
export function toUiResponse(source: UiSource, options: ToUiResponseOptions = {}): Response {
  return respondWithChunks(toUiStream(source, options), options);
}

/** The response of a stream of chunks. */
export function respondWithChunks(
  chunks: ReadableStream<UiChunk>,
  { status = 200, headers }: UiResponseInit = {},
): Response {
  const encoder = new TextEncoder();
  const events = new TransformStream<UiChunk, Uint8Array>(
    {
      transform: (chunk, controller) => controller.enqueue(encoder.encode(encodeEvent(chunk))),
      flush: (controller) => controller.enqueue(encoder.encode('data: [DONE]\n\n')),
    },
    undefined,
    { highWaterMark: 0 },
  );
  return new Response(chunks.pipeThrough(events), { status, headers: { ...headers, ...STREAM_HEADERS } });
}

// In JSON there is no line end that could end the event. Inputs of tools may be nested deeper than `JSON.stringify` goes.
function encodeEvent(chunk: UiChunk): string {
  return `data: ${stringifyDeep(chunk) as string}\n\n`;
}
