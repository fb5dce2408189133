// The body of a request as text, up to a limit.
import type { IncomingMessage } from 'node:http';

/** The longest body, in bytes. */
const MOST_BODY_BYTES = 1024 * 1024;

/** Reads a body; undefined for one that is too long, whose rest is thrown away. Rejects when the client is gone before its end. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // It is read to its end all the same: a client that is cut off while it writes may not see the answer.
    if (bytes <= MOST_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > MOST_BODY_BYTES * 64) return undefined;
  }
  return bytes > MOST_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
}
