// The events of a conversation as server-sent events. A browser that reconnects sends the last id it saw, and misses nothing.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClusterConversation } from 'inboard/cluster';

/** Proxies cut a connection on which nothing moves, often after a minute. */
const BEAT_MS = 15_000;

export async function sendEvents(input: {
  conversation: ClusterConversation;
  request: IncomingMessage;
  response: ServerResponse;
  closing: AbortSignal;
}): Promise<void> {
  const { conversation, request, response, closing } = input;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  const last = request.headers['last-event-id'];
  const events = conversation.events({ after: Array.isArray(last) ? last[0] : last, signal });
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close', // nothing else is asked on it, so that the server can close
  });
  response.write('retry: 1000\n\n');
  const beat = setInterval(() => response.write(': \n\n'), BEAT_MS);
  try {
    for await (const event of events) {
      // A reader that is slow is waited for, so that nothing piles up here.
      const isRoom = response.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
      if (!isRoom) await once(response, 'drain', { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(beat);
    response.end();
  }
}
