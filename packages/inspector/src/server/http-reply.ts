// Sends HTTP answers, with headers that make the browser treat the content only as data of this page.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { RequestRefusal } from './request-access.js';

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every answer, with the content security policy of the page. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** An HTTP answer. */
export interface HttpReply {
  status: number;
  type: 'text/html' | 'text/plain' | 'text/css' | 'text/javascript' | 'application/json';
  body: string | Buffer;
  headers?: OutgoingHttpHeaders | undefined;
}

/** Sends an answer, without the body for a HEAD request. */
export function sendHttpReply(
  response: ServerResponse,
  { status, type, body, headers = {} }: HttpReply,
): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** A value for the page. */
export function replyJson(value: unknown, status = 200): HttpReply {
  return { status, type: 'application/json', body: stringifyDeep(value) as string };
}

/** A refusal in the form of an action result, which the page can read. */
export function replyRefusal(
  { status, code, message }: RequestRefusal,
  headers: OutgoingHttpHeaders = {},
): HttpReply {
  return { ...replyJson({ ok: false, error: { code, message } }, status), headers };
}
