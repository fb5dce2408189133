// What every route needs: a body with a limit, answers, and errors with a status.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InboardError, InvalidOptionsError } from 'inboard';

const LARGEST_BODY = 100_000;
const STATUS: Record<string, number> = {
  CONVERSATION_UNKNOWN: 404,
  CONVERSATION_CLOSED: 409,
  JOURNAL_UNAVAILABLE: 503,
  JOURNAL_VERSION: 503,
  CLUSTER_CLOSED: 503,
};

export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A JSON object of at most 100 kB. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new HttpError(415, 'The body must be application/json.');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_BODY) throw new HttpError(413, `The body may have ${LARGEST_BODY} bytes.`);
    parts.push(part);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new HttpError(400, 'The body is not JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new HttpError(400, 'The body must be a JSON object.');
  return body as Record<string, unknown>;
}

/** A text of the body. With `isLine`, it has no line breaks, as a name that becomes a part of a prompt. */
export function readTextField(
  body: Record<string, unknown>,
  name: string,
  most: number,
  isLine = false,
): string {
  const value = body[name];
  if (typeof value !== 'string' || value.trim() === '' || value.length > most)
    throw new HttpError(400, `"${name}" must be a text of 1 to ${most} characters.`);
  if (isLine && /[\p{Cc}\u2028\u2029]/u.test(value)) throw new HttpError(400, `"${name}" must be one line.`);
  return value;
}

/** What a client is told. The text of an unexpected error stays here. */
export function describeError(error: unknown): { status: number; error: string; code?: string } {
  if (error instanceof HttpError) return { status: error.status, error: error.message };
  if (error instanceof InvalidOptionsError) return { status: 400, error: error.message, code: error.code };
  const status = error instanceof InboardError ? STATUS[error.code] : undefined;
  if (!(error instanceof InboardError) || status === undefined) return { status: 500, error: 'It failed.' };
  return { status, error: status === 503 ? 'Try again in a moment.' : error.message, code: error.code };
}

/** Sends an answer. */
export function reply(response: ServerResponse, status: number, body: object): void {
  // What is left of a request that was refused is not read.
  const more = status >= 400 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...more });
  response.end(`${JSON.stringify(body)}\n`);
}

/** A name in a path. */
export function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, 'The path is not encoded correctly.');
  }
}

export function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
