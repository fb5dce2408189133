// Sends an answer as a response of server-sent events, in the form that the transport of `useChat` reads.
import { encodeChunk, respondWithEvents, type UiResponseInit } from './event-text.js';
import { toUiStream, type ToUiStreamOptions, type UiSource } from './to-ui-stream.js';
import type { UiChunk } from './ui-chunk.js';

/** Options for the response of one answer. */
export interface ToUiResponseOptions extends ToUiStreamOptions, UiResponseInit {}

/** An answer as a `Response`, with an event for each chunk, then `[DONE]`. Works wherever a handler returns a `Response`. */
export function toUiResponse(source: UiSource, options: ToUiResponseOptions = {}): Response {
  const events = new TransformStream<UiChunk, string>(
    { transform: (chunk, controller) => controller.enqueue(encodeChunk(chunk)) },
    undefined,
    { highWaterMark: 0 },
  );
  return respondWithEvents(toUiStream(source, options).pipeThrough(events), options);
}
