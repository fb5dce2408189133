// Converts between Node's HTTP messages and the web's `Request` and `Response`, which the MCP library uses.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readTarget, toWebHeaders } from '@inboard/core/util/loopback-http.js';

/**
 * Converts a request. Returns undefined if `Request` cannot express it. The signal of the request fires when the client
 * has gone. The caller calls `release` when the request has been answered.
 */
export function toWebRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): { request: Request; release: () => void } | undefined {
  try {
    return convertRequest(incoming, outgoing);
  } catch {
    // The request has, for example, the method TRACE or an invalid address.
    return undefined;
  }
}

function convertRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): { request: Request; release: () => void } {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init: RequestInit & { duplex?: 'half' } = {
    method,
    headers: toWebHeaders(incoming.headers),
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  };
  const request = new Request(readTarget(incoming.url) ?? '', init);
  outgoing.once('close', leave);
  return { request, release: () => outgoing.off('close', leave) };
}

/** Sends a `Response`. Resolves when it has been sent or the client is gone. */
export async function sendWebResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(response.body), outgoing);
  } catch (error) {
    // A client that hangs up is no failure of ours.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
