// How answers are sent: with the headers that keep what is in them from being anything but data to this page.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import type { Refusal } from './request-access.js';

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

/** Headers of every answer; the policy is that of the page. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** What is sent. */
export interface Reply {
  status: number;
  type: 'text/html' | 'text/plain' | 'text/css' | 'text/javascript' | 'application/json';
  body: string | Buffer;
  headers?: OutgoingHttpHeaders | undefined;
}

/** Sends an answer; the body is left out where only the head was asked for. */
export function sendReply(response: ServerResponse, { status, type, body, headers = {} }: Reply): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** A value for the page. */
export function replyJson(value: unknown, status = 200): Reply {
  return { status, type: 'application/json', body: stringifyDeep(value) as string };
}

/** A refusal, as a result of an action: that is what the page reads. */
export function replyRefusal({ status, code, message }: Refusal, headers: OutgoingHttpHeaders = {}): Reply {
  return { ...replyJson({ ok: false, error: { code, message } }, status), headers };
}
