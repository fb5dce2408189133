// Connects a chat to servers that use `node:http`, such as Express. It turns their requests into standard ones, and writes the
// standard responses back.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { toWebHeaders } from '@inboard/core/util/loopback-http.js';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { noteLoopback } from './loopback-requests.js';

/** Anything that answers standard requests, such as a chat. */
export interface FetchHandler {
  fetch(request: Request): Response | Promise<Response>;
}

/** The fields that frameworks add to a request: the path before a router cut it, and a body that was already read. */
type FrameworkRequest = IncomingMessage & { originalUrl?: unknown; body?: unknown };

/** Makes a listener for `http.createServer` and `app.use`. If the connection ends, the chat goes on with its answer. */
export function toNodeListener(
  chat: FetchHandler,
): (request: IncomingMessage, response: ServerResponse) => void {
  if (typeof (chat as Partial<FetchHandler> | undefined)?.fetch !== 'function')
    throw new InvalidOptionsError(
      ['chat'],
      'toNodeListener() takes a chat, or another object with a method "fetch"',
    );
  return (incoming, outgoing) => {
    const left = new AbortController();
    outgoing.once('close', () => left.abort());
    let request: Request;
    try {
      request = toRequest(incoming, left.signal);
      if (isLoopback(incoming.socket.localAddress ?? '')) noteLoopback(request);
    } catch {
      // The path or the host makes no valid address.
      outgoing.writeHead(400).end();
      return;
    }
    void answer(chat, request, outgoing)
      .catch(() => {
        // The connection is cut, so that half an answer does not look like a whole one.
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(500).end();
      })
      // The chat may have left a part of the request unread. The connection can be used again only after that part was read.
      .finally(() => dropRest(incoming));
  };
}

async function answer(chat: FetchHandler, request: Request, outgoing: ServerResponse): Promise<void> {
  const response = await chat.fetch(request);
  // Set-Cookie is the only header whose values must not be joined.
  const cookies = response.headers.getSetCookie();
  const headers = Object.fromEntries(response.headers);
  outgoing.writeHead(response.status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  });
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  request.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || request.signal.aborted) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

function toRequest(incoming: FrameworkRequest, signal: AbortSignal): Request {
  const { method = 'GET', headers, originalUrl, url = '/', socket } = incoming;
  const protocol = 'encrypted' in socket ? 'https' : 'http';
  const path = typeof originalUrl === 'string' ? originalUrl : url;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const base = `${protocol}://${headers.host ?? 'localhost'}`;
  // The path is appended to the host, not resolved against it. So "//elsewhere/path" stays a path, as it is for the framework.
  const address = path.startsWith('/') ? new URL(`${base}${path}`) : new URL(path, base);
  return new Request(address, {
    method,
    headers: toWebHeaders(headers),
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
  });
}

/** The body as it arrives, or as a parser of the framework has left it. */
function bodyOf(incoming: FrameworkRequest): ReadableStream<Uint8Array> | string {
  const { body } = incoming;
  if (incoming.readableEnded && (isRecord(body) || Array.isArray(body))) return JSON.stringify(body);
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Uint8Array) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once('end', end);
      incoming.once('error', (error) => controller.error(error));
      if (incoming.readableEnded) end();
      function end(): void {
        // A stream that was cancelled cannot be closed again.
        if (!isCancelled) controller.close();
      }
    },
    pull: () => void incoming.resume(),
    // The rest of the body is dropped, so that the client can read the answer.
    cancel() {
      isCancelled = true;
      dropRest(incoming);
    },
  });
}

function dropRest(incoming: IncomingMessage): void {
  incoming.removeAllListeners('data');
  incoming.resume();
}

async function drained(outgoing: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = (): void => {
      outgoing.off('drain', go);
      outgoing.off('close', go);
      resolve();
    };
    outgoing.once('drain', go);
    outgoing.once('close', go);
  });
}
