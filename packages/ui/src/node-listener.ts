// A chat for servers that speak with `node:http`, such as Express: a request of theirs as a standard one, and the answer back.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { toWebHeaders } from '@inboard/core/util/loopback-http.js';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { noteLoopback } from './loopback-requests.js';

/** Anything that answers standard requests; a chat does. */
export interface FetchHandler {
  fetch(request: Request): Response | Promise<Response>;
}

/** What frameworks add to a request: the path before a router cut it, and a body that was read already. */
type FrameworkRequest = IncomingMessage & { originalUrl?: unknown; body?: unknown };

/** A listener for `http.createServer` and `app.use`. If the connection ends, the answer continues. */
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
      // A path or a host that no address can be made of.
      outgoing.writeHead(400).end();
      return;
    }
    void answer(chat, request, outgoing)
      .catch(() => {
        // Half an answer must not look like a whole one.
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(500).end();
      })
      // The chat may have left a part of the request unread. The connection is of use again only behind it.
      .finally(() => dropRest(incoming));
  };
}

async function answer(chat: FetchHandler, request: Request, outgoing: ServerResponse): Promise<void> {
  const response = await chat.fetch(request);
  // The one header that may come more than once.
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
  // Behind the host, not resolved against it: "//elsewhere/path" is a path here, as the framework took it for one.
  const address = path.startsWith('/') ? new URL(`${base}${path}`) : new URL(path, base);
  return new Request(address, {
    method,
    headers: toWebHeaders(headers),
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
  });
}

/** The body as it comes, or as a parser of the framework left it. */
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
        // A stream that was cancelled is over, and cannot be closed once more.
        if (!isCancelled) controller.close();
      }
    },
    pull: () => void incoming.resume(),
    // The rest is thrown away, so that the client can read the answer.
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
