// Reads the body of a request as text, up to a limit.
import type { IncomingMessage } from 'node:http';
import { BoundedBody } from '@inboard/core/util/bounded-body.js';

/** The longest body, in bytes. */
const MOST_BODY_BYTES = 1024 * 1024;

/** Reads a body. Gives undefined for a body that is too long. Rejects if the client leaves before the end. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const body = new BoundedBody(MOST_BODY_BYTES);
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // A client that is cut off while it writes may not see the answer. So a body that is too long is read on, up to 64 MiB.
    body.add(chunk);
    if (body.bytes > MOST_BODY_BYTES * 64) return undefined;
  }
  return body.end();
}
