// Reads the body of a request as a JSON object, up to a size limit.
import { BoundedBody } from '@inboard/core/util/bounded-body.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { isJsonType } from '@inboard/core/util/loopback-http.js';
import { badRequest, ChatRefusal } from './chat-refusal.js';

/** Reads a body. Refuses one that is too long, not JSON, or not an object. */
export async function readJsonBody(request: Request, mostBytes: number): Promise<Record<string, unknown>> {
  if (!isJsonType(request.headers.get('content-type')))
    throw new ChatRefusal(415, 'NOT_JSON', 'The body must be JSON: content-type application/json.');
  const text = await readText(request, mostBytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('body', 'is not JSON');
  }
  if (!isRecord(value)) throw badRequest('body', 'must be an object');
  return value;
}

async function readText({ body, headers }: Request, mostBytes: number): Promise<string> {
  const tooLong = (): ChatRefusal =>
    new ChatRefusal(
      413,
      'TOO_LONG',
      `The body may have at most ${mostBytes} bytes. Send the last message alone.`,
    );
  if (Number(headers.get('content-length') ?? 0) > mostBytes) throw tooLong();
  if (!body) return '';
  const read = new BoundedBody(mostBytes);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return read.end() ?? '';
    read.add(value);
    if (read.isTooLong) {
      // The rest is not needed, and the client may go on writing for a long time.
      void reader.cancel().catch(() => {});
      throw tooLong();
    }
  }
}
